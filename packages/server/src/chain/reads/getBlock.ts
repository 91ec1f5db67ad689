import { CountersignError, refuse } from '@countersign/protocol'
import type { Chain, Hex } from '../nodes/Chain.ts'
import { NodeError } from '../nodes/NodeError.ts'
import { toQuantity } from '../nodes/quantities.ts'
import type { Block, Transaction } from './Block.ts'
import { blockHashOf, readBlock, readTransaction } from './readBlock.ts'

export type BlockWithTransactions = Block & { transactions: Transaction[] }

/** A block by number, hash or as the head, with its transactions, receipts and logs. */
export async function getBlock(chain: Chain, wanted: number | 'latest' | Hex): Promise<BlockWithTransactions> {
  for (let tries = 0; ; tries++) {
    const found = await readOnce(chain, wanted)
    // The block was undone between two questions: another one has its number now.
    if (found) return found
    if (tries === 2) throw new CountersignError('ConnectionFailed', 'The chain changes too fast to read that block.')
    await chain.head({ fresh: true })
  }
}

async function readOnce(chain: Chain, wanted: number | Hex | 'latest'): Promise<BlockWithTransactions | undefined> {
  const raw = await requestBlock(chain, wanted)
  if (!raw) throw refuse('blockNotFound')
  const block = readBlock(raw)
  const transactions = (raw as { transactions: unknown[] }).transactions
  const receipts = transactions.length === 0 ? [] : await requestReceipts(chain, block)
  if (!receipts || receipts.length !== transactions.length) return undefined
  if (receipts.some((receipt) => blockHashOf(receipt) !== block.hash)) return undefined
  const { number, hash, timestamp } = block
  return {
    ...block,
    transactions: transactions.map((each, place) =>
      readTransaction(each, { number, hash, timestamp }, receipts[place]),
    ),
  }
}

async function requestBlock(chain: Chain, wanted: number | Hex | 'latest'): Promise<unknown> {
  if (typeof wanted === 'string' && wanted !== 'latest') return chain.request('eth_getBlockByHash', [wanted, true])
  const number = wanted === 'latest' ? (await chain.head()).number : wanted
  return chain.request('eth_getBlockByNumber', [toQuantity(number), true])
}

async function requestReceipts(
  chain: Chain,
  { hash, number, transactionHashes }: Block,
): Promise<unknown[] | undefined> {
  try {
    const receipts = await chain.request('eth_getBlockReceipts', [toQuantity(number)])
    if (Array.isArray(receipts) && blockHashOf(receipts[0]) === hash) return receipts
  } catch (error) {
    if (!(error instanceof NodeError) || error.kind === 'down' || error.kind === 'busy') throw error
  }
  const outcomes = await chain.batch(
    transactionHashes.map((each) => ({ method: 'eth_getTransactionReceipt', params: [each] })),
  )
  const receipts: unknown[] = []
  for (const outcome of outcomes) {
    if ('error' in outcome) throw outcome.error
    if (!outcome.result) return undefined
    receipts.push(outcome.result)
  }
  return receipts
}
