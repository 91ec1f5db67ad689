import { CountersignError } from '@countersign/protocol'
import { type AbiFunction, BaseError, decodeFunctionResult, type Hex, isHex, numberToHex } from 'viem'
import type { Client } from '../client/Client.ts'
import { batchCall, isShareable } from './batchCalls.ts'
import type { ReadContractInput } from './ContractInput.ts'
import { encodeCall } from './encodeCall.ts'
import { readInteger } from './ethers.ts'
import { explainRevert } from './explainRevert.ts'
import { requireAddress } from './openChain.ts'
import { findReader } from './openReader.ts'

/** Calls a function and decodes its result; nothing is sent. */
export async function callContract(
  client: Client,
  { address, abi, functionName, args, block = 'latest', account: chosen, ...choice }: ReadContractInput,
  signal?: AbortSignal,
): Promise<unknown> {
  const to = requireAddress('address', address)
  const { fn, data } = encodeCall(abi, functionName, args)
  const at = typeof block === 'string' ? block : numberToHex(readInteger(block))
  const reader = findReader(client, choice)
  const account = chosen === null ? undefined : (chosen ?? reader.chain.account)
  const canShare = isShareable(fn, chosen ?? undefined, account)
  const call = { to, data, block: at, account, chainId: choice.chainId, canShare }
  const answer = await batchCall(client, reader, call, signal).catch((error) => explainRevert(error, abi))
  return decodeAnswer(fn, to, answer)
}

function decodeAnswer(fn: AbiFunction, to: string, answer: unknown): unknown {
  if (answer === '0x' && fn.outputs.length > 0) {
    throw new CountersignError('OtherCause', `There is no contract with ${fn.name} at ${to} on this chain.`, {
      details: 'The response was empty. Check the address and the chain of the wallet, or pass chainId.',
    })
  }
  try {
    const data: Hex = isHex(answer) ? answer : '0x'
    return decodeFunctionResult({ abi: [fn], data })
  } catch (error) {
    const details = error instanceof BaseError ? error.shortMessage : String(error)
    throw new CountersignError('OtherCause', `The result of ${fn.name} does not match the ABI.`, {
      details,
      cause: error,
    })
  }
}
