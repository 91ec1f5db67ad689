import { CountersignError } from '@countersign/protocol'
import { numberToHex } from 'viem'
import type { Ask } from './openChain.ts'
import type { Sent } from './waitForReceipt.ts'

type Known = {
  readonly hash: string
  readonly from: string
  readonly to: string | null
  readonly nonce: string
  readonly input: string
  readonly value: string
}
type Block = { readonly number: string; readonly transactions: readonly Known[] }

const blockLimit = 10

/**
 * Wallets let their owner speed a transaction up or cancel it: another one takes its number, and the first hash never
 * gets onto the chain. Answers the hash of the one that is otherwise the same, and throws where it is not.
 */
export async function findReplacement(ask: Ask, sent: Sent): Promise<string | undefined> {
  const latest = (await ask('eth_getBlockByNumber', ['latest', true])) as Block | null
  if (!latest) return undefined
  // Looked for by its content in the newest blocks: once it is replaced, many nodes no longer know the first.
  const own = (await ask('eth_getTransactionByHash', [sent.hash])) as Known | null
  const nonce = own ? BigInt(own.nonce) : sent.nonce === undefined ? undefined : BigInt(sent.nonce)
  let block: Block | null = latest
  for (let depth = 0; block && depth < blockLimit; depth++) {
    for (const other of block.transactions) {
      if (!isSame(other.from, sent.from) || isSame(other.hash, sent.hash)) continue
      if (nonce === undefined || BigInt(other.nonce) !== nonce) continue
      if (isSameCall(other, sent)) return other.hash
      throw refuse(sent, other)
    }
    const number = BigInt(block.number)
    if (number === 0n) return undefined
    block = (await ask('eth_getBlockByNumber', [numberToHex(number - 1n), true])) as Block | null
  }
  return undefined
}
