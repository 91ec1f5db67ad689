import { CountersignError } from '@countersign/protocol'
import type { Abi } from 'viem'

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
  return items as unknown as Abi
}

function isItem(item: unknown): boolean {
  if (typeof item !== 'object' || item === null) return false
  const { type = 'function', name, inputs = [], outputs = [] } = item as Record<string, unknown>
  if (typeof type !== 'string' || !kinds.has(type)) return false
  const named = type === 'function' || type === 'event' || type === 'error'
  return (!named || (typeof name === 'string' && name.length <= 200)) && areParameters(inputs) && areParameters(outputs)
}

const areParameters = (list: unknown): boolean =>
  Array.isArray(list) &&
  list.every((each) => {
    const { type, components } = (each ?? {}) as { type?: unknown; components?: unknown }
    return typeof type === 'string' && (components === undefined || areParameters(components))
  })

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
