import { decodeTransfers } from '../../../chain/index/decodeTransfers.ts'
import type { Chain, Hex } from '../../../chain/nodes/Chain.ts'
import { readBig } from '../../../chain/nodes/quantities.ts'
import type { LogPage } from '../listLogPage.ts'
import type { OlderTransfer } from './mapTransfer.ts'

/** The transfers that a page of logs tells of. */
export function readTransfers(rows: LogPage['rows']): OlderTransfer[] {
  return rows.flatMap((log) =>
    decodeTransfers([
      {
        ...log,
        blockNumber: String(log.blockNumber),
        transactionIndex: String(log.transactionIndex),
        logIndex: String(log.logIndex),
      },
    ]).map((transfer) => ({
      ...transfer,
      operator: transfer.operator ?? null,
      tokenId: transfer.tokenId ?? null,
      blockTime: new Date(log.block.timestamp * 1000),
    })),
  )
}

/** What transactions paid in the chain's own currency; undefined where the node cannot tell. */
export async function readPayments(
  chain: Chain,
  rows: readonly { transaction: string }[],
): Promise<Map<string, bigint>> {
  const hashes = [...new Set(rows.map(({ transaction }) => transaction as Hex))]
  const outcomes = await chain.batch(hashes.map((hash) => ({ method: 'eth_getTransactionByHash', params: [hash] })))
  const payments = new Map<string, bigint>()
  for (const [place, outcome] of outcomes.entries()) {
    const paid = 'result' in outcome ? (outcome.result as { value?: unknown } | null)?.value : undefined
    const hash = hashes[place]
    if (hash && paid !== undefined) payments.set(hash, readBig(paid))
  }
  return payments
}
