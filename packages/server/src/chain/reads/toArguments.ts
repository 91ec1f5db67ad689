import { CountersignError } from '@countersign/protocol'
import type { AbiParameter } from 'viem'
import { parseJson } from '../../context/parseJson.ts'

/** Parameters as JSON has them, in the order and with the types of the ABI: numbers may be text, structures have names. */
export function toArguments(
  inputs: readonly AbiParameter[],
  params: Record<string, unknown> | readonly unknown[],
): unknown[] {
  return inputs.map((input, place) => {
    const byName = params as Record<string, unknown>
    const value = Array.isArray(params) ? params[place] : (byName[input.name ?? ''] ?? byName[String(place)])
    if (value === undefined)
      throw new CountersignError('InvalidValue', `The parameter ${input.name || place} (${input.type}) is missing.`)
    return convert(input, value)
  })
}

function convert(input: AbiParameter, value: unknown): unknown {
  const array = /^(.*)\[\d*\]$/.exec(input.type)
  if (array) {
    const list = typeof value === 'string' ? parseList(value) : value
    if (!Array.isArray(list)) throw wrong(input)
    return list.map((each) => convert({ ...input, type: array[1] ?? '' }, each))
  }
  if (input.type.startsWith('tuple')) {
    const { components = [] } = input as { components?: readonly AbiParameter[] }
    if (typeof value !== 'object' || value === null) throw wrong(input)
    return components.some(({ name }) => !name)
      ? toArguments(components, value as Record<string, unknown>)
      : Object.fromEntries(
          toArguments(components, value as Record<string, unknown>).map((each, place) => [
            components[place]?.name,
            each,
          ]),
        )
  }
  if (/^u?int/.test(input.type)) return toInteger(input, value)
  if (input.type === 'bool') return value === true || value === 'true' || value === 1 || value === '1'
  if (input.type === 'address') return typeof value === 'string' ? value.toLowerCase() : value
  return value
}

function toInteger(input: AbiParameter, value: unknown): bigint {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value)
  if (typeof value === 'string' && /^(-?\d{1,80}|0x[0-9a-fA-F]{1,64})$/.test(value)) return BigInt(value)
  throw wrong(input)
}

const wrong = ({ name, type }: AbiParameter) =>
  new CountersignError('InvalidValue', `The parameter ${name || ''} must be ${type}; large numbers are sent as text.`)

function parseList(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}
