import { refuse, type WireFields } from '@countersign/protocol'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { sql } from '../../db/sql.ts'
import { requireSession } from '../../users/sessions/sessions.ts'
import type { Namespace } from '../Account.ts'
import { unlinkWallet } from '../wallets/unlinkWallet.ts'
import type { WalletRow } from '../wallets/WalletRow.ts'

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
  const ids = query.ids?.map((id) => (namespace === 'eip155' ? id.toLowerCase() : id))
  const isSeen = caller.isMaster ? sql`true` : sql`"user" = ${userId}`
  const isNamed = ids === undefined ? sql`true` : sql`address = any(${ids})`
  // Key pairs alone: an address is the whole identity here, and a contract's may be somebody else's on another chain.
  const rows = await db.query<WalletRow>(sql`
    select * from countersign.wallets
    where namespace = ${namespace} and chain_id is null and ${isSeen} and ${isNamed}
    order by linked, key
    limit ${query.limit ?? 100} offset ${query.skip ?? 0}`)
  return rows.map(encodeAddress)
}

/** A wallet as a row of the older clients' class of addresses: the address is its id. */
function encodeAddress(row: WalletRow): WireFields {
  return {
    objectId: row.address,
    createdAt: row.linked.toISOString(),
    updatedAt: row.last_used.toISOString(),
    user: { __type: 'Pointer', className: '_User', objectId: row.user },
    ACL: { [row.user]: { read: true, write: true } },
  }
}

/** Unlinks the caller's wallet with this address, by the rules of any unlinking: a recent proof, and never the last sign-in method. */
export async function unlinkAddress(
  context: Context,
  caller: Caller,
  namespace: Namespace,
  id: string,
): Promise<Record<never, never>> {
  const { userId } = requireSession(caller)
  const address = namespace === 'eip155' ? id.toLowerCase() : id
  await context.db.transaction(async () => {
    const wallets = await context.db.query<{ objectId: string }>(sql`
      select "objectId" from countersign.wallets
      where "user" = ${userId} and namespace = ${namespace} and address = ${address} and chain_id is null`)
    if (wallets.length === 0) throw refuse('objectNotFound')
    for (const { objectId } of wallets) await unlinkWallet(context, caller, objectId)
  })
  return {}
}
