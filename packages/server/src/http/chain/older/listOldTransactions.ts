import { listTransactions } from '../../../chain/index/queries/listTransactions.ts'
import type { Chain } from '../../../chain/nodes/Chain.ts'
import type { Context } from '../../../context/Context.ts'
import type { Sent } from '../../Endpoint.ts'
import { needCoverage } from '../needCoverage.ts'
import { mapKeptTransaction } from './mapTransaction.ts'

/**
 * Whether a helper from before the data API calls, which has the same name: it goes through the general way of calling
 * functions, which sends text, while the data API sends JSON.
 */
export const meansOldHelper = (sent: Sent | undefined) =>
  sent?.headers['content-type']?.startsWith('text/plain') === true

/** What that helper answers: a plain list. */
export async function listOldTransactions(context: Context, chain: Chain, address: string) {
  await needCoverage(context, chain, [{ kind: 'transactions', address }])
  const { rows } = await listTransactions(context, { chain: chain.id, address, limit: 500 })
  return rows.map(mapKeptTransaction)
}
