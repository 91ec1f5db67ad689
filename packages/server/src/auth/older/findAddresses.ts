import type { WireFields } from '@countersign/protocol'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import type { WalletRow } from '../encodeWallet.ts'
import type { Namespace } from '../Namespace.ts'
import { encodeAddress } from './encodeAddress.ts'

export type AddressQuery = { ids?: string[]; limit?: number; skip?: number }

/**
 * Addresses that the caller may see: the own ones. An older client that could read somebody else's would take it for
 * linked, and ask for no signature.
 */
export async function findAddresses(
  { db }: Context,
  caller: Caller,
  namespace: Namespace,
  query: AddressQuery,
): Promise<WireFields[]> {
  const userId = caller.session?.userId ?? null
  if (!caller.isMaster && userId === null) return []
  const ids = query.ids?.map((id) => (namespace === 'eip155' ? id.toLowerCase() : id)) ?? null
  // Key pairs alone: an address is the whole identity here, and a contract's may be somebody else's on another chain.
  const rows = await db.query<WalletRow>({
    text: `select * from countersign.wallets
           where namespace = $1 and chain_id is null and ($2 or "user" = $3) and ($4::text[] is null or address = any($4))
           order by linked, key limit $5 offset $6`,
    values: [namespace, caller.isMaster, userId, ids, query.limit ?? 100, query.skip ?? 0],
  })
  return rows.map(encodeAddress)
}
