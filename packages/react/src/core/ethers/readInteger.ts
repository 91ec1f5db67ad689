import { HelperError } from './HelperError.ts'
import { show } from './show.ts'

/** A whole number: a bigint, a safe number, decimal or hexadecimal text, bytes, or a BigNumber of ethers. */
export type IntegerLike =
  | bigint
  | number
  | string
  | Uint8Array
  | { readonly toHexString: () => string }
  | { readonly type: 'BigNumber'; readonly hex: string }

export function readInteger(value: unknown): bigint {
  if (typeof value === 'bigint') return value
  if (typeof value === 'string') return readText(value)
  if (typeof value === 'number') return readNumber(value)
  if (value instanceof Uint8Array && value.length > 0) {
    return BigInt(`0x${Array.from(value, (byte) => byte.toString(16).padStart(2, '0')).join('')}`)
  }
  const text = findHex(Object(value))
  if (text !== undefined) return readText(text)
  throw new HelperError('invalid BigNumber value', 'INVALID_ARGUMENT', `${show(value)} is no whole number.`)
}

function readText(text: string): bigint {
  if (!/^-?(0x[0-9a-f]+|[0-9]+)$/i.test(text)) {
    throw new HelperError('invalid BigNumber string', 'INVALID_ARGUMENT', `${show(text)} is no whole number.`)
  }
  return text.startsWith('-') ? -BigInt(text.slice(1).toLowerCase()) : BigInt(text.toLowerCase())
}

function readNumber(value: number): bigint {
  if (Number.isNaN(value)) return readText('NaN')
  if (Number.isFinite(value) && !Number.isInteger(value)) {
    throw new HelperError('underflow', 'NUMERIC_FAULT', `${value} has a fraction; give a whole number.`)
  }
  if (!(Math.abs(value) < Number.MAX_SAFE_INTEGER)) {
    throw new HelperError('overflow', 'NUMERIC_FAULT', `${value} is not exact as a number; give a bigint or a text.`)
  }
  return BigInt(value)
}

function findHex(value: { toHexString?: unknown; _hex?: unknown; type?: unknown; hex?: unknown }): string | undefined {
  const hex =
    typeof value.toHexString === 'function'
      ? value.toHexString()
      : (value._hex ?? (value.type === 'BigNumber' ? value.hex : undefined))
  return typeof hex === 'string' && /^-?0x[0-9a-f]+$/i.test(hex) ? hex : undefined
}
