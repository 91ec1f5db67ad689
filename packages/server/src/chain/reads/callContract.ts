import { CountersignError } from '@countersign/protocol'
import type { Abi, AbiFunction } from 'viem'
import type { BlockRef, BlockTag, Chain, Hex } from '../nodes/Chain.ts'
import { NodeError } from '../nodes/NodeError.ts'
import { readHex, toQuantity } from '../nodes/quantities.ts'
import { readAbi } from './readAbi.ts'
import { toArguments } from './toArguments.ts'

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

/** Calls a function of a contract without a transaction. `value` is what it answers, decoded; one answer stands alone. */
export async function callContract(
  chain: Chain,
  { address, abi, functionName, params = {}, block = 'latest', from }: ContractRead,
): Promise<{ value: unknown; outputs: AbiFunction['outputs']; block: BlockRef }> {
  const { encodeFunctionData, decodeFunctionResult } = await import('viem')
  const whole = await readAbi(abi)
  const wanted = await chooseFunction(whole, functionName, params)
  const args = toArguments(wanted.inputs, params)
  const own: Abi = [wanted]
  const data = attempt(
    () => encodeFunctionData({ abi: own, functionName: wanted.name, args }),
    `The parameters do not fit ${wanted.name}.`,
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
  const value = attempt(
    () => decodeFunctionResult({ abi: own, functionName: wanted.name, data: bytes }),
    'What the contract answered does not fit the ABI.',
  )
  return { value, outputs: wanted.outputs, block: at }
}

async function chooseFunction(
  abi: Abi,
  name: string,
  params: Record<string, unknown> | readonly unknown[],
): Promise<AbiFunction> {
  const { toFunctionSignature } = await import('viem')
  const functions = abi.filter((item): item is AbiFunction => item.type === 'function')
  const signature = name.replaceAll(' ', '')
  const named = functions.filter((item) => item.name === name || toFunctionSignature(item) === signature)
  const given = Array.isArray(params) ? params.length : Object.keys(params).length
  const fitting = named.length > 1 ? named.filter(({ inputs }) => inputs.length === given) : named
  if (fitting.length === 1 && fitting[0]) return fitting[0]
  if (named.length > 1)
    throw new CountersignError('InvalidValue', `Several functions are called ${name}; name one with its types.`, {
      details: named.map((item) => toFunctionSignature(item)).join(', '),
    })
  throw new CountersignError('InvalidValue', `The ABI has no function ${name.slice(0, 100)}.`, {
    details: `Functions: ${functions
      .map((item) => item.name)
      .join(', ')
      .slice(0, 500)}`,
  })
}

/** What the contract said, in its own words where the ABI has them. */
async function explainRevert(error: unknown, abi: Abi): Promise<unknown> {
  if (!(error instanceof NodeError) || error.kind !== 'revert') return error
  const { decodeErrorResult } = await import('viem')
  try {
    const { errorName, args } = decodeErrorResult({ abi, data: error.data })
    const said = errorName === 'Error' ? String(args?.[0]) : `${errorName}(${(args ?? []).map(String).join(', ')})`
    return new NodeError('revert', { message: `The contract refused the call: ${said}`, data: error.data })
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
