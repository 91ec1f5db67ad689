import { type AbiFunction, type AbiParameter, BaseError, encodeFunctionData, type Hex, toFunctionSignature } from 'viem'
import { ValidationError } from '../errors/errors.ts'
import { readInteger, writeBytes } from './ethers.ts'

/** The function that is meant, and the bytes that call it. */
export function encodeCall(
  abi: unknown,
  functionName: unknown,
  args: unknown,
): { readonly fn: AbiFunction; readonly data: Hex } {
  const fn = findFunction(abi, functionName)
  const values = readArguments(fn, args)
  try {
    return { fn, data: encodeFunctionData({ abi: [fn], args: values }) }
  } catch (error) {
    const reason = error instanceof BaseError ? error.shortMessage : String(error)
    throw new ValidationError(`The arguments of ${fn.name} do not match`, reason)
  }
}

/** Arguments in their order or by their names, in the form that they are encoded from. All that are missing are named. */
function readArguments(fn: AbiFunction, args: unknown): unknown[] {
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

/** The function of an ABI, by its name or, where there are several of the name, by `name(type,type)`. */
export function findFunction(abi: unknown, functionName: unknown): AbiFunction {
  if (!Array.isArray(abi)) throw new ValidationError('abi is required', 'Pass the ABI of the contract, as an array.')
  if (typeof functionName !== 'string' || functionName === '') throw new ValidationError('functionName is required')
  const all = abi.filter((item): item is AbiFunction => item?.type === 'function' && typeof item.name === 'string')
  const [name = ''] = functionName.split('(')
  const named = all.filter((item) => item.name === name)
  const possible = named.map((item) => toFunctionSignature(item))
  if (named.length === 0) {
    throw new ValidationError('Function does not exist in abi', `The ABI has no function called ${name}.`)
  }
  const options = `Possible functionNames: ${possible.join(', ')}`
  if (functionName.includes('(')) {
    const found = named[possible.indexOf(functionName.replaceAll(/\s/g, ''))]
    if (found) return found
    throw new ValidationError('Function with the provided topic does not exist in abi', options)
  }
  const [only] = named
  if (only && named.length === 1) return only
  const message = 'Multiple function definitions found in the abi. Please include the topic in the functionName'
  throw new ValidationError(message, options)
}
