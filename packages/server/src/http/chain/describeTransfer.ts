import type { TransferRecord } from '@countersign/protocol'
import type { TransferRow } from '../../chain/index/queries/listTransfers.ts'

export const describeTransfer = (row: TransferRow): TransferRecord => ({
  kind: row.kind,
  token: row.token,
  from: row.from,
  to: row.to,
  ...(row.operator !== null && { operator: row.operator }),
  ...(row.tokenId !== null && { tokenId: row.tokenId }),
  amount: row.amount,
  block: { number: row.block, hash: row.blockHash, timestamp: row.blockTime.toISOString() },
  transaction: row.transaction,
  transactionIndex: row.transactionIndex,
  logIndex: row.logIndex,
})
