import { CountersignError } from '@countersign/protocol'
import { parseAbi } from 'viem'
import type { Client } from '../client/Client.ts'
import { ValidationError } from '../errors/errors.ts'
import type { SendOptions, SendTransferInput, SentTransaction } from './ChainOptions.ts'
import { requireAddress } from './openChain.ts'
import { sendCall } from './sendCall.ts'
import { findSender, readAmount, readTransaction, submitTransaction } from './submitTransaction.ts'

const abis = {
  // Some old coins return nothing, against the standard.
  erc20: parseAbi(['function transfer(address to, uint256 value)']),
  erc721: parseAbi(['function safeTransferFrom(address from, address to, uint256 tokenId)']),
  erc1155: parseAbi(['function safeTransferFrom(address from, address to, uint256 id, uint256 value, bytes data)']),
}

/** Sends coins or tokens. */
export async function sendTransfer(
  client: Client,
  input: SendTransferInput,
  signal: AbortSignal | undefined,
): Promise<SentTransaction> {
  const { type = 'native', to, address, amount, tokenId, ...choice }: Everything = input
  refuseMissing(type, { to, address, amount, tokenId })
  const receiver = requireAddress('to', to)
  if (type === 'native') {
    const { rest, transaction } = readTransaction({ ...choice, to: receiver, value: readAmount('amount', amount) })
    return submitTransaction(client, rest, transaction, {}, signal)
  }
  const contract = requireAddress('address', address)
  if (type === 'erc20') {
    const args = [receiver, readAmount('amount', amount)]
    const call = { ...choice, address: contract, abi: abis.erc20, functionName: 'transfer', args }
    return sendCall(client, call, signal, refuseFalse)
  }
  const from = await findSender(client, choice, signal)
  const id = readTokenId(tokenId)
  const args: unknown[] = [from, receiver, id]
  if (type === 'erc1155') args.push(readAmount('amount', amount), '0x')
  const call = { ...choice, address: contract, abi: abis[type], functionName: 'safeTransferFrom', args, account: from }
  return sendCall(client, call, signal)
}

type Everything = SendOptions & { readonly type?: keyof typeof needed } & {
  readonly [Name in 'to' | 'address' | 'amount' | 'tokenId']?: unknown
}

const needed = {
  native: ['to', 'amount'],
  erc20: ['to', 'address', 'amount'],
  erc721: ['to', 'address', 'tokenId'],
  erc1155: ['to', 'address', 'tokenId', 'amount'],
} as const

function refuseMissing(type: keyof typeof needed, given: { readonly [name: string]: unknown }): void {
  if (!Object.hasOwn(needed, type)) {
    throw new ValidationError('Unsupported type', `The type must be one of ${Object.keys(needed).join(', ')}.`)
  }
  const missing = needed[type].filter((name) => given[name] === undefined || given[name] === null || given[name] === '')
  if (missing.length > 0) throw new ValidationError(missing.map((name) => `${name} is required`).join(', '))
}

function readTokenId(tokenId: unknown): string {
  try {
    return readAmount('tokenId', tokenId)
  } catch {
    throw new ValidationError('Invalid token Id', 'It must be a whole number, as a bigint or string.')
  }
}

/** Detects a refusal of old coins, which return `false` and keep the fee. */
function refuseFalse(answer: string): CountersignError | undefined {
  if (!/^0x0+$/.test(answer)) return undefined
  return new CountersignError('OtherCause', 'The token contract rejected the transfer.', {
    details: 'Nothing was sent.',
  })
}
