import { docsUrlOf } from '@countersign/protocol'
import { ValidationError } from '../errors/errors.ts'
import type { Eip1193Provider } from '../state/Connector.ts'

export type EthersCode = 'INVALID_ARGUMENT' | 'NUMERIC_FAULT' | 'NETWORK_ERROR'

/**
 * Rejected input of a helper, with the errors of ethers 5: `reason` is its sentence, `ethersCode` its `code`.
 *
 * @example
 * if (error instanceof HelperError && error.ethersCode === 'INVALID_ARGUMENT') showToast(error.reason)
 */
export class HelperError extends ValidationError {
  override readonly name: string = 'HelperError'
  override readonly reason: string
  readonly ethersCode: EthersCode

  constructor(reason: string, ethersCode: EthersCode, fix: string) {
    super(reason, `${ethersCode}: ${fix}`)
    this.reason = reason
    this.ethersCode = ethersCode
  }

  /** `reason` is a sentence here, as ethers has it. */
  override get docsUrl(): string {
    return docsUrlOf('validationError')
  }
}

/** A value that was given, short enough for an error. */
export function show(value: unknown): string {
  const text = typeof value === 'string' ? `"${value}"` : String(value)
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}

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
  throw new HelperError('invalid BigNumber value', 'INVALID_ARGUMENT', `${show(value)} is not a whole number.`)
}

function readText(text: string): bigint {
  if (!/^-?(0x[0-9a-f]+|[0-9]+)$/i.test(text)) {
    throw new HelperError('invalid BigNumber string', 'INVALID_ARGUMENT', `${show(text)} is not a whole number.`)
  }
  return text.startsWith('-') ? -BigInt(text.slice(1).toLowerCase()) : BigInt(text.toLowerCase())
}

function readNumber(value: number): bigint {
  if (Number.isNaN(value)) return readText('NaN')
  if (Number.isFinite(value) && !Number.isInteger(value)) {
    throw new HelperError('underflow', 'NUMERIC_FAULT', `${value} has a fraction; pass a whole number.`)
  }
  if (!(Math.abs(value) < Number.MAX_SAFE_INTEGER)) {
    throw new HelperError('overflow', 'NUMERIC_FAULT', `${value} is not exact as a number; pass a bigint or a string.`)
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

/** Bytes as hexadecimal text. */
export function writeBytes(bytes: Uint8Array): `0x${string}` {
  return `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

type Answer = { readonly result?: unknown; readonly error?: { readonly message?: string } }

type Send = (call: object, callback: (error: unknown, answer?: Answer) => void) => void

/** JSON-RPC provider: EIP-1193, or an older one with `sendAsync` or `send`. */
export type ProviderLike = Eip1193Provider | { readonly sendAsync: Send } | { readonly send: Send }

/**
 * A provider that an application was given, as EIP-1193 has it.
 *
 * @example
 * const provider = toEip1193Provider(window.ethereum)
 */
export function toEip1193Provider(provider: ProviderLike): Eip1193Provider {
  if (provider === undefined || provider === null) {
    throw new HelperError('missing provider', 'INVALID_ARGUMENT', 'Pass an EIP-1193 provider.')
  }
  const given: { request?: unknown; sendAsync?: unknown; send?: unknown } = Object(provider)
  if (typeof given.request === 'function') return provider as Eip1193Provider
  const send = given.sendAsync ?? given.send
  if (typeof send !== 'function') {
    const fix = 'It has no request function (EIP-1193), nor sendAsync or send.'
    throw new HelperError('unsupported provider', 'INVALID_ARGUMENT', fix)
  }
  let count = 0
  return {
    request: ({ method, params = [] }) =>
      new Promise((resolve, reject) => {
        send.call(given, { jsonrpc: '2.0', id: ++count, method, params }, (error: unknown, answer?: Answer) => {
          if (error) reject(error)
          else if (answer?.error) reject(Object.assign(new Error(answer.error.message), answer.error))
          else resolve(answer?.result)
        })
      }),
  }
}
