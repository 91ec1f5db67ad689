import { CountersignError } from '@countersign/protocol'
import type { Abi } from 'viem'
import { parseJson } from '../../context/parseJson.ts'

const kinds = new Set(['function', 'event', 'error', 'constructor', 'fallback', 'receive'])

/** An ABI as callers send it: a list of JSON items, one item, or text of either. */
export async function readAbi(value: unknown): Promise<Abi> {
  const given = typeof value === 'string' ? parse(value) : value
  const items = Array.isArray(given) ? given : [given]
  const good = items.length > 0 && items.length <= 2_000 && items.every(isItem)
  if (!good)
    throw new CountersignError(
      'InvalidValue',
      'abi must be the JSON of a contract: a list of its functions and events.',
    )
  // What older compilers leave out.
  return items.map((item) => ({ type: 'function', inputs: [], outputs: [], ...item })) as unknown as Abi
}

const nameOfItem = /^[A-Za-z_$][\w$]{0,199}$/
/** Deeper than any contract goes: what reads types calls itself for each level. */
const deepest = 16
const typeOf = /^[a-z][a-z0-9]{0,31}(\[\d{0,9}\]){0,16}$/

function isItem(item: unknown): boolean {
  if (typeof item !== 'object' || item === null) return false
  const { type = 'function', name, inputs = [], outputs = [] } = item as Record<string, unknown>
  if (typeof type !== 'string' || !kinds.has(type)) return false
  const named = type === 'function' || type === 'event' || type === 'error'
  return (
    (!named || (typeof name === 'string' && nameOfItem.test(name))) && areParameters(inputs) && areParameters(outputs)
  )
}

const areParameters = (list: unknown, depth = 0): boolean =>
  Array.isArray(list) &&
  depth < deepest &&
  list.every((each) => {
    const { type, name = '', components } = (each ?? {}) as Record<string, unknown>
    if (typeof type !== 'string' || !typeOf.test(type) || typeof name !== 'string') return false
    return type.startsWith('tuple') ? areParameters(components, depth + 1) : true
  })

function parse(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}
