import { type IntegerLike, requireProvider } from '@countersign/react/adapter'
import { callContract, findFunction, sendCall } from '@countersign/react/adapterChain'
import type { Client } from '@countersign/react/core'
import type { Loose } from '../Loose.ts'
import { createTransactionResponse } from './createTransactionResponse.ts'
import { toEthersAnswer } from './toEthersValue.ts'

export type ExecuteFunctionInput = {
  contractAddress?: string
  abi?: object
  functionName?: string
  params?: Record<string, unknown>
  /** In wei. */
  msgValue?: IntegerLike
}

/** Reads from a contract, or has the wallet send a call to it, as its ABI says. */
export async function executeFunction(client: Client, input: ExecuteFunctionInput): Promise<Loose> {
  requireProvider(client)
  const { contractAddress = '', abi, functionName = '', params = {}, msgValue } = input
  const fn: Loose = findFunction(abi, functionName)
  const call = { address: contractAddress, abi: abi as readonly unknown[], functionName, args: params }
  // Before stateMutability, ABIs had constant.
  if (fn.constant || fn.stateMutability === 'view' || fn.stateMutability === 'pure') {
    return toEthersAnswer(fn.outputs ?? [], await callContract(client, call as Loose))
  }
  const value = msgValue === undefined ? {} : { value: msgValue }
  const { hash } = await sendCall(client, { ...call, ...value } as Loose, undefined)
  return createTransactionResponse(client, hash, { abi })
}
