import type { BlockRef, Hex } from './Chain.ts'
import { NodeError } from './NodeError.ts'

/** A number as JSON-RPC writes it. */
export const toQuantity = (number: number | bigint): Hex => `0x${number.toString(16)}`

/** A number of JSON-RPC that fits a JavaScript number; anything else is nonsense of the node. */
export function readNumber(value: unknown): number {
  const number = typeof value === 'string' && /^0x[0-9a-f]+$/i.test(value) ? Number(value) : Number.NaN
  if (!Number.isSafeInteger(number)) throw nonsense('a number')
  return number
}

/** A number of JSON-RPC of any size. */
export function readBig(value: unknown): bigint {
  if (typeof value !== 'string' || !/^0x[0-9a-f]+$/i.test(value) || value.length > 66) throw nonsense('a number')
  return BigInt(value)
}

/** Bytes of JSON-RPC, in lower case. */
export function readHex(value: unknown): Hex {
  if (typeof value !== 'string' || !/^0x([0-9a-f]{2})*$/i.test(value)) throw nonsense('bytes')
  return value.toLowerCase() as Hex
}

export function readBlockRef(block: unknown): BlockRef {
  if (typeof block !== 'object' || block === null) throw nonsense('a block')
  const { number, hash, timestamp } = block as Record<string, unknown>
  return { number: readNumber(number), hash: readHex(hash), timestamp: readTime(timestamp) }
}

/** Seconds; of a year that can be written. */
function readTime(value: unknown): number {
  const seconds = readNumber(value)
  if (seconds > 253_402_300_799) throw nonsense('a time')
  return seconds
}

export const nonsense = (wanted: string): NodeError =>
  new NodeError('nonsense', { message: `The node of this chain did not return ${wanted}.` })
