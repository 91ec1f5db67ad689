import { CountersignError } from '@countersign/protocol'
import type { Chain, Hex } from '../nodes/Chain.ts'
import { readBlockRef } from '../nodes/quantities.ts'
import type { Transaction } from './Block.ts'
import { blockHashOf, readTransaction } from './readBlock.ts'

/** A transaction with its receipt and logs. One that waits for a block has neither, and no block. */
export async function getTransaction(chain: Chain, hash: Hex): Promise<Transaction> {
  // What a reorg undid is forgotten only when the head is seen to move.
  await chain.head()
  const [found, receipt] = await Promise.all([
    chain.request('eth_getTransactionByHash', [hash]),
    chain.request('eth_getTransactionReceipt', [hash]),
  ])
  if (!found) throw new CountersignError('ObjectNotFound', 'The chain has no such transaction.')
  const inBlock = blockHashOf(receipt)
  if (!inBlock) return readTransaction(found, undefined, undefined)
  const block = await chain.request('eth_getBlockByHash', [inBlock, false])
  if (!block) return readTransaction(found, undefined, undefined)
  return readTransaction(found, readBlockRef(block), receipt)
}
