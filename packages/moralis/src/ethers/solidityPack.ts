import { HelperError, readInteger, show, writeBytes } from '@countersign/react/adapter'
import { keccak256, sha256 } from 'viem'
import { encodeText, readBytes } from './bytes.ts'

/**
 * Values side by side, as Solidity's `abi.encodePacked` writes them. Number types go to 256 bits in multiples of 8, byte
 * types to 32 bytes.
 *
 * @example
 * solidityPack(['uint16', 'bytes2'], [1, '0xabcd']) // '0x0001abcd'
 */
export function solidityPack(types: readonly string[], values: readonly unknown[]): `0x${string}` {
  if (types.length !== values.length) {
    const reason = `wrong number of values; expected ${types.length}`
    throw new HelperError(reason, 'INVALID_ARGUMENT', `There are ${values.length}.`)
  }
  return writeBytes(joinBytes(types.map((type, index) => packValue(type, values[index]))))
}

/**
 * The Keccak-256 hash of packed values, as `keccak256(abi.encodePacked(…))` in Solidity.
 *
 * @example
 * const hash = solidityKeccak256(['address', 'uint256'], ['0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045', 5n])
 */
export function solidityKeccak256(types: readonly string[], values: readonly unknown[]): `0x${string}` {
  return keccak256(solidityPack(types, values))
}

/**
 * The SHA-256 hash of packed values, as `sha256(abi.encodePacked(…))` in Solidity.
 *
 * @example
 * const hash = soliditySha256(['string'], ['hello'])
 */
export function soliditySha256(types: readonly string[], values: readonly unknown[]): `0x${string}` {
  return sha256(solidityPack(types, values))
}

/** One value as Solidity's `abi.encodePacked` writes it; inside an array every element takes 32 bytes. */
function packValue(type: string, value: unknown, isElement = false): Uint8Array {
  if (type === 'address') return pad(requireLength(type, value, 20), isElement)
  if (type === 'string') return encodeText(value)
  if (type === 'bytes') return readBytes(value)
  if (type === 'bool') return pad(Uint8Array.of(value ? 1 : 0), isElement)

  const number = type.match(/^(u?)int([0-9]*)$/)
  if (number) {
    const bits = readSize(number[2] || '256', 256, 8)
    if (!bits) throw refuse('invalid number type', `${type} is not from 8 to 256 bits in multiples of 8.`)
    return packInteger(readInteger(value), bits, number[1] === 'u', isElement ? 256 : bits)
  }
  const fixed = type.match(/^bytes([0-9]+)$/)
  if (fixed) {
    const size = readSize(fixed[1], 32, 1)
    if (!size) throw refuse('invalid bytes type', `${type} is not from bytes1 to bytes32.`)
    const bytes = requireLength(type, value, size)
    if (!isElement) return bytes
    const padded = new Uint8Array(32)
    padded.set(bytes)
    return padded
  }
  const array = type.match(/^(.*)\[([0-9]*)\]$/)
  if (array && Array.isArray(value)) {
    if (array[2] && Number(array[2]) !== value.length) {
      throw refuse(`invalid array length for ${type}`, `There are ${value.length} values.`)
    }
    return joinBytes(value.map((one) => packValue(array[1] ?? '', one, true)))
  }
  throw refuse('invalid type', `${show(value)} cannot be packed as ${type}.`)
}

function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let start = 0
  for (const part of parts) {
    joined.set(part, start)
    start += part.length
  }
  return joined
}

/** `undefined` where it is zero, too large, no multiple, or written with a leading zero. */
function readSize(text: string | undefined, most: number, multiple: number): number | undefined {
  const size = Number(text)
  return String(size) === text && size > 0 && size <= most && size % multiple === 0 ? size : undefined
}

function packInteger(value: bigint, bits: number, isUnsigned: boolean, width: number): Uint8Array {
  const fits = isUnsigned ? BigInt.asUintN(bits, value) === value : BigInt.asIntN(bits, value) === value
  if (!fits) throw refuse('value out of range', `${value} does not fit ${isUnsigned ? 'u' : ''}int${bits}.`)
  return readBytes(
    `0x${BigInt.asUintN(width, value)
      .toString(16)
      .padStart(width / 4, '0')}`,
  )
}

function requireLength(type: string, value: unknown, length: number): Uint8Array {
  const bytes = readBytes(value)
  if (bytes.length !== length) throw refuse(`invalid value for ${type}`, `There are ${bytes.length} bytes.`)
  return bytes
}

function pad(bytes: Uint8Array, isElement: boolean): Uint8Array {
  if (!isElement) return bytes
  const padded = new Uint8Array(32)
  padded.set(bytes, 32 - bytes.length)
  return padded
}

function refuse(reason: string, details: string): HelperError {
  return new HelperError(reason, 'INVALID_ARGUMENT', details)
}
