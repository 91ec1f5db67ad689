import { HelperError, type IntegerLike, readInteger } from '@countersign/react/adapter'

/**
 * Whole numbers as ethers 5 gives them, for applications that call `toString()`, `toNumber()`, `add()` … on contract
 * results. Functions of ethers take it as one of their own: they read `toHexString()` and `_isBigNumber`.
 */
export class BigNumber {
  readonly _isBigNumber = true
  readonly _hex: string
  readonly #value: bigint

  constructor(value: bigint) {
    this.#value = value
    this._hex = toHex(value)
  }

  static from(value: IntegerLike): BigNumber {
    return new BigNumber(readInteger(value))
  }

  static isBigNumber(value: unknown): boolean {
    return Object(value)._isBigNumber === true
  }

  add(other: IntegerLike): BigNumber {
    return new BigNumber(this.#value + readInteger(other))
  }

  sub(other: IntegerLike): BigNumber {
    return new BigNumber(this.#value - readInteger(other))
  }

  mul(other: IntegerLike): BigNumber {
    return new BigNumber(this.#value * readInteger(other))
  }

  div(other: IntegerLike): BigNumber {
    return new BigNumber(this.#value / this.#divisor(other))
  }

  mod(other: IntegerLike): BigNumber {
    const divisor = this.#divisor(other)
    const rest = this.#value % divisor
    return new BigNumber(rest < 0n ? rest + (divisor < 0n ? -divisor : divisor) : rest)
  }

  pow(other: IntegerLike): BigNumber {
    const exponent = readInteger(other)
    if (exponent < 0n) throw new HelperError('negative-power', 'NUMERIC_FAULT', 'A power must not be negative.')
    return new BigNumber(this.#value ** exponent)
  }

  abs(): BigNumber {
    return this.#value < 0n ? new BigNumber(-this.#value) : this
  }

  shl(bits: number): BigNumber {
    return new BigNumber(this.#value << BigInt(bits))
  }

  shr(bits: number): BigNumber {
    return new BigNumber(this.#value >> BigInt(bits))
  }

  and(other: IntegerLike): BigNumber {
    return new BigNumber(this.#value & readInteger(other))
  }

  or(other: IntegerLike): BigNumber {
    return new BigNumber(this.#value | readInteger(other))
  }

  xor(other: IntegerLike): BigNumber {
    return new BigNumber(this.#value ^ readInteger(other))
  }

  mask(bits: number): BigNumber {
    return new BigNumber(BigInt.asUintN(bits, this.#value))
  }

  toTwos(bits: number): BigNumber {
    return new BigNumber(BigInt.asUintN(bits, this.#value))
  }

  fromTwos(bits: number): BigNumber {
    return new BigNumber(BigInt.asIntN(bits, this.#value))
  }

  eq(other: IntegerLike): boolean {
    return this.#value === readInteger(other)
  }

  lt(other: IntegerLike): boolean {
    return this.#value < readInteger(other)
  }

  lte(other: IntegerLike): boolean {
    return this.#value <= readInteger(other)
  }

  gt(other: IntegerLike): boolean {
    return this.#value > readInteger(other)
  }

  gte(other: IntegerLike): boolean {
    return this.#value >= readInteger(other)
  }

  isZero(): boolean {
    return this.#value === 0n
  }

  isNegative(): boolean {
    return this.#value < 0n
  }

  toNumber(): number {
    const number = Number(this.#value)
    if (Number.isSafeInteger(number)) return number
    throw new HelperError('overflow', 'NUMERIC_FAULT', `${this.#value} is not exact as a number; use toString().`)
  }

  toBigInt(): bigint {
    return this.#value
  }

  toString(): string {
    return this.#value.toString()
  }

  toHexString(): string {
    return this._hex
  }

  toJSON(): { type: 'BigNumber'; hex: string } {
    return { type: 'BigNumber', hex: this._hex }
  }

  #divisor(other: IntegerLike): bigint {
    const divisor = readInteger(other)
    if (divisor !== 0n) return divisor
    throw new HelperError('division-by-zero', 'NUMERIC_FAULT', 'Division by zero.')
  }
}

/** Of whole bytes, as ethers writes it. */
function toHex(value: bigint): string {
  const digits = (value < 0n ? -value : value).toString(16)
  return `${value < 0n ? '-' : ''}0x${digits.length % 2 ? '0' : ''}${digits}`
}
