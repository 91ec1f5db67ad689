import type { AbiFunction, AbiParameter } from 'viem'
import { toFunctionSignature } from 'viem'
import { ValidationError } from '../errors/ValidationError.ts'
import { readInteger } from '../ethers/readInteger.ts'
import { writeBytes } from '../ethers/writeBytes.ts'

/** Arguments in their order or by their names, in the form that they are encoded from. All that are missing are named. */
export function readArguments(fn: AbiFunction, args: unknown): unknown[] {
  const { inputs } = fn
  const given = args ?? []
  const signature = `The function is ${toFunctionSignature(fn)}.`
  if (Array.isArray(given) && given.length > inputs.length) {
    throw new ValidationError(`Too many arguments: ${given.length} instead of ${inputs.length}`, signature)
  }
  const values = inputs.map((input, index) =>
    Array.isArray(given) ? given[index] : (given as Record<string, unknown>)[input.name ?? ''],
  )
  const missing = inputs.flatMap((input, index) => (isMissing(values[index], input) ? [nameOf(input, index)] : []))
  if (missing.length > 0) throw new ValidationError(missing.map((name) => `${name} is required`).join(', '), signature)
  return inputs.map((input, index) => readValue(input, values[index], nameOf(input, index)))
}

/** An empty text is a value where a text is wanted, and a forgotten field of a form everywhere else. */
function isMissing(value: unknown, { type }: AbiParameter): boolean {
  return value === undefined || value === null || (value === '' && type !== 'string')
}

function nameOf({ name }: AbiParameter, index: number): string {
  return name || `Argument ${index + 1}`
}

function readValue(parameter: AbiParameter, value: unknown, path: string): unknown {
  const array = parameter.type.match(/^(.*)\[[0-9]*\]$/)
  if (array) {
    if (!Array.isArray(value)) throw new ValidationError(`${path} can only be an array`)
    return value.map((one, index) => readValue({ ...parameter, type: array[1] ?? '' }, one, `${path}[${index}]`))
  }
  if ('components' in parameter && parameter.type === 'tuple') return readTuple(parameter.components, value, path)
  if (value instanceof Uint8Array && parameter.type.startsWith('bytes')) return writeBytes(value)
  if (!/^u?int/.test(parameter.type)) return value
  try {
    return readInteger(value)
  } catch (cause) {
    throw new ValidationError(`${path} can only be a whole number`, cause instanceof Error ? cause.message : undefined)
  }
}

function readTuple(components: readonly AbiParameter[], value: unknown, path: string): unknown {
  const fields = Object(value)
  const read = components.map((component, index) => {
    const name = component.name ?? ''
    const field = Array.isArray(value) ? value[index] : fields[name]
    const inner = `${path}.${nameOf(component, index)}`
    if (isMissing(field, component)) throw new ValidationError(`${inner} is required`)
    return [name, readValue(component, field, inner)] as const
  })
  // Without names the order is all there is.
  return read.every(([name]) => name) ? Object.fromEntries(read) : read.map(([, field]) => field)
}
