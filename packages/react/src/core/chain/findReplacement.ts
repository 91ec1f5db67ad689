import { CountersignError } from '@countersign/protocol'
import { type Hex, hexToBigInt, numberToHex } from 'viem'
import type { Ask } from './openChain.ts'
import type { Sent } from './waitForReceipt.ts'

type Known = {
  readonly hash: string
  readonly from: string
  readonly to: string | null
  readonly nonce: Hex
  readonly input: string
  readonly value: Hex
}
type Block = { readonly number: Hex; readonly transactions: readonly Known[] }

const blockLimit = 10

/**
 * Wallets let their owner speed a transaction up or cancel it: another one takes its number, and the first never gets
 * onto the chain. Answers the hash of one that is the same but for its price, and throws where it is another.
 */
export async function findReplacement(ask: Ask, sent: Sent & { readonly nonce: Hex }): Promise<string | undefined> {
  const nonce = hexToBigInt(sent.nonce)
  const count = (await ask('eth_getTransactionCount', [sent.from, 'latest'])) as Hex
  if (hexToBigInt(count) <= nonce) return undefined
  let block = (await ask('eth_getBlockByNumber', ['latest', true])) as Block | null
  for (let depth = 1; block; depth++) {
    const taken = block.transactions.find((one) => isSame(one.from, sent.from) && hexToBigInt(one.nonce) === nonce)
    if (taken) return isSame(taken.hash, sent.hash) ? undefined : adopt(sent, taken)
    const number = hexToBigInt(block.number)
    if (number === 0n || depth === blockLimit) return undefined
    block = (await ask('eth_getBlockByNumber', [numberToHex(number - 1n), true])) as Block | null
  }
  return undefined
}

function adopt(sent: Sent, taken: Known): string {
  const isSameCall = isSame(taken.to ?? undefined, sent.to) && isSame(taken.input, sent.data ?? '0x')
  if (isSameCall && hexToBigInt(taken.value) === hexToBigInt(sent.value ?? '0x0')) return taken.hash
  const isCancelled = isSame(taken.to ?? undefined, sent.from) && hexToBigInt(taken.value) === 0n
  const message = isCancelled
    ? 'The transaction was cancelled in the wallet.'
    : 'The transaction was replaced by another one in the wallet.'
  throw new CountersignError('OtherCause', message, { details: `In place of ${sent.hash} there is ${taken.hash}.` })
}

function isSame(one: string | undefined, other: string | undefined): boolean {
  return one?.toLowerCase() === other?.toLowerCase()
}
