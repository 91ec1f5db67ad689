import type { BlockWithTransactions } from '../../../chain/reads/getBlock.ts'
import { toIso } from '../describeBlockRef.ts'
import { mapTransaction } from './mapTransaction.ts'

export const mapBlock = (block: BlockWithTransactions, traces?: readonly object[][]) => ({
  timestamp: toIso(block.timestamp),
  number: String(block.number),
  hash: block.hash,
  parent_hash: block.parentHash,
  nonce: block.nonce ?? '0x0000000000000000',
  sha3_uncles: block.sha3Uncles,
  logs_bloom: block.logsBloom,
  transactions_root: block.transactionsRoot,
  state_root: block.stateRoot,
  receipts_root: block.receiptsRoot,
  miner: block.miner,
  difficulty: block.difficulty.toString(),
  // Nodes have stopped telling it; since the merge it says nothing.
  total_difficulty: (block.totalDifficulty ?? 0n).toString(),
  size: String(block.size),
  extra_data: block.extraData,
  gas_limit: block.gasLimit.toString(),
  gas_used: block.gasUsed.toString(),
  transaction_count: String(block.transactions.length),
  transactions: block.transactions.map((transaction, place) => ({
    ...mapTransaction(transaction),
    ...(traces && { internal_transactions: traces[place] }),
  })),
})
