import { requireProvider } from '@countersign/react/adapter'
import { sendTransfer } from '@countersign/react/adapterChain'
import { type Client, type SendTransferInput, ValidationError } from '@countersign/react/core'
import type { Loose } from '../Loose.ts'
import { createTransactionResponse } from './createTransactionResponse.ts'

export type Web3TransferInput = {
  type?: 'native' | 'erc20' | 'erc721' | 'erc1155'
  receiver?: string
  contractAddress?: string
  contract_address?: string
  amount?: Loose
  tokenId?: Loose
  token_id?: Loose
  system?: 'evm'
}

/** Sends coins or tokens. */
export async function transfer(client: Client, input: Web3TransferInput): Promise<Loose> {
  requireProvider(client)
  const { type = 'native', receiver, amount } = input
  const address = input.contractAddress ?? input.contract_address
  const tokenId = input.tokenId ?? input.token_id
  refuseMissing(type, { receiver, contractAddress: address, amount, tokenId })
  const wanted = { type, to: receiver, address, amount, tokenId } as unknown as SendTransferInput
  const { hash } = await sendTransfer(client, wanted, undefined)
  return createTransactionResponse(client, hash)
}

const needed: Record<string, readonly string[]> = {
  native: ['receiver', 'amount'],
  erc20: ['receiver', 'contractAddress', 'amount'],
  erc721: ['receiver', 'contractAddress', 'tokenId'],
  erc1155: ['receiver', 'contractAddress', 'amount', 'tokenId'],
}

/** By the names that the caller used. */
function refuseMissing(type: string, given: Record<string, unknown>): void {
  const missing = (needed[type] ?? []).filter((name) => given[name] == null || given[name] === '')
  if (missing.length > 0) throw new ValidationError(missing.map((name) => `${name} is required`).join(', '))
}
