import { CountersignError } from '@countersign/protocol'
import { parseJson } from '../../encoding/parseJson.ts'
import { isFitting } from '../events/decodeEvent.ts'
import type { Abi, AbiFunction, AbiParameter } from '../evm.ts'
import type { BlockRef, BlockTag, Chain, Hex } from '../nodes/Chain.ts'
import { NodeError } from '../nodes/NodeError.ts'
import { readHex, toQuantity } from '../nodes/quantities.ts'
import { readAbi } from './abi.ts'

export type ContractRead = {
  address: Hex
  /** JSON, as compilers write it. */
  abi: unknown
  /** A name, or a signature where several functions share the name: `balanceOf(address,uint256)`. */
  functionName: string
  /** By name or in order. */
  params?: Record<string, unknown> | readonly unknown[]
  block?: BlockTag
  from?: Hex
}

/**
 * Calls a function of a contract without a transaction. `value` is the decoded result; a single one is not in a list.
 */
export async function callContract(
  chain: Chain,
  { address, abi, functionName, params = {}, block = 'latest', from }: ContractRead,
): Promise<{ value: unknown; outputs: AbiFunction['outputs']; block: BlockRef }> {
  const { encodeFunctionData, decodeFunctionResult } = await import('../evm.ts')
  const whole = await readAbi(abi)
  const wanted = await chooseFunction(whole, functionName, params)
  const args = toArguments(wanted.inputs, params)
  const own: Abi = [wanted]
  const data = attempt(
    () => encodeFunctionData({ abi: own, functionName: wanted.name, args }),
    `The parameters do not match ${wanted.name}.`,
  )
  const at = await chain.block(block)
  const answer = await chain
    .request('eth_call', [{ to: address, data, ...(from && { from }) }, toQuantity(at.number)])
    .catch(async (error: unknown) => {
      throw await explainRevert(error, whole)
    })
  const bytes = readHex(answer)
  if (bytes === '0x' && wanted.outputs.length > 0)
    throw new CountersignError('InvalidValue', `There is no contract with ${wanted.name} at ${address}.`)
  const misfit = 'The response of the contract does not match the ABI.'
  if (!isFitting(wanted.outputs, bytes)) throw new CountersignError('InvalidValue', misfit)
  const value = attempt(() => decodeFunctionResult({ abi: own, functionName: wanted.name, data: bytes }), misfit)
  return { value, outputs: wanted.outputs, block: at }
}

async function chooseFunction(
  abi: Abi,
  name: string,
  params: Record<string, unknown> | readonly unknown[],
): Promise<AbiFunction> {
  const { toFunctionSignature } = await import('../evm.ts')
  const functions = abi.filter((item): item is AbiFunction => item.type === 'function')
  const signature = name.replaceAll(' ', '')
  const named = functions.filter((item) => item.name === name || toFunctionSignature(item) === signature)
  const given = Array.isArray(params) ? params.length : Object.keys(params).length
  const fitting = named.length > 1 ? named.filter(({ inputs }) => inputs.length === given) : named
  if (fitting.length === 1 && fitting[0]) return fitting[0]
  if (named.length > 1)
    throw new CountersignError(
      'InvalidValue',
      `Several functions are called ${name}. Add the types, such as ${name}(address).`,
      {
        details: named.map((item) => toFunctionSignature(item)).join(', '),
      },
    )
  throw new CountersignError('InvalidValue', `The ABI has no function ${name.slice(0, 100)}.`, {
    details: `Functions: ${functions
      .map((item) => item.name)
      .join(', ')
      .slice(0, 500)}`,
  })
}

const longestRevert = 2_000

/** Explains a revert with the contract's own error, if the ABI has it. */
async function explainRevert(error: unknown, abi: Abi): Promise<unknown> {
  if (!(error instanceof NodeError) || error.kind !== 'revert') return error
  // Longer data is useless to readers, and a stranger's revert can grow a thousandfold when decoded.
  if (error.data.length > longestRevert) return error
  const { decodeErrorResult } = await import('../evm.ts')
  try {
    const { errorName, args } = decodeErrorResult({ abi, data: error.data })
    const said = errorName === 'Error' ? String(args?.[0]) : `${errorName}(${(args ?? []).map(String).join(', ')})`
    return new NodeError('revert', { message: `The contract call reverted: ${said}`, data: error.data })
  } catch {
    return error
  }
}

function attempt<T>(work: () => T, message: string): T {
  try {
    return work()
  } catch (error) {
    const { shortMessage: reason } = error as { shortMessage?: string }
    throw new CountersignError('InvalidValue', message, { ...(reason && { details: reason.slice(0, 500) }) })
  }
}

/** Parameters as JSON has them, in the order and with the types of the ABI: numbers may be text, structures have names. */
function toArguments(inputs: readonly AbiParameter[], params: Record<string, unknown> | readonly unknown[]): unknown[] {
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
  new CountersignError('InvalidValue', `The parameter ${name || ''} must be ${type}. Send large numbers as strings.`)

function parseList(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}
