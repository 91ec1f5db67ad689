import { type Abi, decodeErrorResult, type Hex } from 'viem'
import type { Revert } from '../errors/RevertError.ts'
import { standardErrors } from './standardErrors.ts'

const panics = new Map<unknown, string>([
  [0x01n, 'one of its own assertions failed'],
  [0x11n, 'a number went below zero or above its type (overflow)'],
  [0x12n, 'it divided by zero'],
  [0x21n, 'a value is none of its enumeration'],
  [0x22n, 'its storage is not written as it should be'],
  [0x31n, 'it took an element from an empty array'],
  [0x32n, 'it looked beyond the end of an array'],
  [0x41n, 'it ran out of memory'],
  [0x51n, 'it called a function that is not set'],
])

/** What a contract answered when it refused, in plain words. */
export function describeRevert(data: Hex, abi: unknown): Revert {
  if (data === '0x') return { reason: 'it gave no reason', data }
  const decoded = decode(data, abi)
  if (!decoded) return { reason: `with an error that its ABI does not name (${data.slice(0, 10)})`, data }
  const { errorName, args = [], abiItem } = decoded
  if (errorName === 'Error') return { reason: clip(String(args[0])), data }
  if (errorName === 'Panic') return { reason: panics.get(args[0]) ?? `it failed (panic ${args[0]})`, data }
  const { inputs = [] } = abiItem
  const shown = args.map((value, index) => {
    const name = inputs[index]?.name
    return name ? `${name}: ${write(value)}` : write(value)
  })
  return { reason: clip(`${errorName}(${shown.join(', ')})`), errorName, args, data }
}

type Decoded = {
  readonly errorName: string
  readonly args?: readonly unknown[]
  readonly abiItem: { readonly inputs?: readonly { readonly name?: string }[] }
}

function decode(data: Hex, abi: unknown): Decoded | undefined {
  const own: Abi = Array.isArray(abi) ? abi.filter((item) => item?.type === 'error') : []
  try {
    return decodeErrorResult({ abi: [...own, ...standardErrors], data }) as Decoded
  } catch {
    return undefined
  }
}

function write(value: unknown): string {
  return JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? one.toString() : one))?.replaceAll('"', '') ?? ''
}

/** A contract writes what it likes: a text of many lines could pose as the page's own words. */
function clip(text: string): string {
  const line = text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ').trim()
  return line.length > 200 ? `${line.slice(0, 200)}…` : line || 'it gave no reason'
}
