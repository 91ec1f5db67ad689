import { CountersignError } from '@countersign/protocol'
import { type AbiFunction, BaseError, decodeFunctionResult, type Hex, isHex, numberToHex } from 'viem'
import type { Client } from '../client/Client.ts'
import { askNode } from '../wallet/connectors/walletLinks.ts'
import type { ReadContractInput } from './ContractInput.ts'
import { encodeCall } from './encodeCall.ts'
import { readInteger } from './ethers.ts'
import { explainRevert } from './explainRevert.ts'
import { findNode } from './findNode.ts'
import { checkChain, openChain, requireAddress } from './openChain.ts'

type RpcCall = { readonly method: string; readonly params?: readonly unknown[] }

/** Calls a function and decodes its result; nothing is sent. */
export async function callContract(
  client: Client,
  { address, abi, functionName, args, block = 'latest', ...choice }: ReadContractInput,
  signal?: AbortSignal,
): Promise<unknown> {
  const url = choice.provider ? undefined : findNode(client, choice.chainId)?.rpcUrls[0]
  const node = url === undefined ? undefined : { request: (call: RpcCall) => askNode(url, call) }
  const chain = openChain(client, node ? { ...choice, provider: node } : choice)
  const to = requireAddress('address', address)
  const { fn, data } = encodeCall(abi, functionName, args)
  const ask = chain.read(signal)
  // A node that the application configured is on the chain that it was configured for.
  if (!node) await checkChain(ask, choice.chainId)
  const at = typeof block === 'string' ? block : numberToHex(readInteger(block))
  const answer = await ask('eth_call', [{ from: chain.account, to, data }, at]).catch((error) =>
    explainRevert(error, abi),
  )
  return decodeAnswer(fn, to, answer)
}

function decodeAnswer(fn: AbiFunction, to: string, answer: unknown): unknown {
  if (answer === '0x' && fn.outputs.length > 0) {
    throw new CountersignError('OtherCause', `There is no contract with ${fn.name} at ${to} on this chain.`, {
      details: 'The answer was empty. Check the address, and which chain the wallet is on; give chainId to be sure.',
    })
  }
  try {
    const data: Hex = isHex(answer) ? answer : '0x'
    return decodeFunctionResult({ abi: [fn], data })
  } catch (error) {
    const details = error instanceof BaseError ? error.shortMessage : String(error)
    throw new CountersignError('OtherCause', `The answer of ${fn.name} does not fit the ABI.`, {
      details,
      cause: error,
    })
  }
}
