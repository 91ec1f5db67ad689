import { refuse, type WalletRecord } from '@countersign/protocol'
import { newObjectId } from '../../classes/names.ts'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { sql } from '../../db/sql.ts'
import { defineEndpoint } from '../../endpoint/defineEndpoint.ts'
import { recordActivity } from '../../users/activity.ts'
import { refuseHidden } from '../../users/hiddenCharacters.ts'
import { requireSession } from '../../users/sessions/sessions.ts'
import { lockUsers } from '../../users/UserRow.ts'
import { accountKey, type ProvenAccount, plainAccount } from '../Account.ts'
import { endClaims } from './provisionalWallets.ts'
import { checksumAddress } from './SignInMessage.ts'
import type { WalletRow } from './WalletRow.ts'

/** A wallet as its owner sees it. */
export function encodeWallet(row: WalletRow): WalletRecord {
  return {
    objectId: row.objectId,
    namespace: row.namespace,
    kind: row.kind,
    address: row.namespace === 'eip155' ? checksumAddress(row.address) : row.address,
    ...(row.chain_id !== null && { chainId: row.chain_id }),
    ...(row.label !== null && { label: row.label }),
    ...(row.provisional && { provisional: true as const }),
    ...(row.imported && { imported: true as const }),
    primary: row.is_primary,
    linkedAt: row.linked.toISOString(),
    lastUsedAt: row.last_used.toISOString(),
  }
}

/** The caller's wallets, the primary one first. */
async function listWallets({ db }: Context, caller: Caller): Promise<{ results: WalletRecord[] }> {
  const rows = await db.query<WalletRow>(sql`
    select * from countersign.wallets
    where "user" = ${requireSession(caller).userId}
    order by is_primary desc, linked, key`)
  return { results: rows.map(encodeWallet) }
}

/** Gives a proven account to a user, in the caller's transaction. A unique violation says that it is somebody's already. */
export async function addWallet(
  context: Context,
  caller: Caller,
  userId: string,
  proven: ProvenAccount,
): Promise<string> {
  const account = plainAccount(proven)
  const { codeHash = null, proof = null, signer = null } = proven
  const isProvisional = account.deployment !== undefined
  const objectId = newObjectId()
  const { namespace, kind, chainId, address } = account
  const now = sql.param(context.clock.now())
  await context.db.query(sql`
    insert into countersign.wallets (key, "objectId", "user", namespace, kind, chain_id, address,
      is_primary, linked, last_used, code_hash, provisional, proof, signer)
    values (${accountKey(account)}, ${objectId}, ${userId}, ${namespace}, ${kind}, ${chainId}, ${address},
      not exists (select from countersign.wallets where "user" = ${userId} and namespace = ${namespace}),
      ${now}, ${now}, ${codeHash}, ${isProvisional}, ${proof}, ${signer})`)
  if (account.chainId !== null && !isProvisional) await endClaims(context, account)
  await refreshAddresses(context, userId)
  await recordActivity(context, caller, userId, 'linkWallet', { ...account })
  return objectId
}

/**
 * The addresses in a user's record are derived from proven wallets, in the transaction that changes those. They name
 * no chain, so those of contracts are not among them: the same one may be somebody else's on another chain.
 */
export async function refreshAddresses({ db, sessionCache, clock }: Context, userId: string): Promise<void> {
  await db.query(sql`
    update "_User" u set
      "accounts" = evm.list, "ethAddress" = evm.list ->> 0,
      "solAccounts" = sol.list, "solAddress" = sol.list ->> 0,
      "updatedAt" = ${clock.now()}
    from (
      select jsonb_agg(address order by is_primary desc, linked, key) as list
      from countersign.wallets
      where "user" = ${userId} and namespace = 'eip155' and chain_id is null
    ) evm, (
      select jsonb_agg(address order by is_primary desc, linked, key) as list
      from countersign.wallets
      where "user" = ${userId} and namespace = 'solana'
    ) sol
    where u."objectId" = ${userId}`)
  db.reportChange('_User')
  db.afterCommit(() => sessionCache.forgetUser(userId))
}

/** Makes the oldest wallet of each namespace primary if none is. Call it in a transaction that locks the user. */
export async function choosePrimary({ db }: Context, userId: string): Promise<void> {
  await db.query(sql`
    update countersign.wallets set is_primary = true
    where key in (
      select distinct on (namespace) key from countersign.wallets w
      where "user" = ${userId} and not exists (
        select from countersign.wallets p where p."user" = ${userId} and p.namespace = w.namespace and p.is_primary)
      order by namespace, linked, key
    )`)
}

/** Makes a wallet the primary one of its namespace. In a transaction that holds the user. */
export async function setPrimary({ db }: Context, userId: string, objectId: string): Promise<void> {
  // Two statements: the index that allows one primary only is checked row by row.
  await db.query(sql`
    update countersign.wallets set is_primary = false
    where "user" = ${userId} and is_primary and "objectId" <> ${objectId}
      and namespace = (select namespace from countersign.wallets where "objectId" = ${objectId})`)
  await db.query(
    sql`update countersign.wallets set is_primary = true where "user" = ${userId} and "objectId" = ${objectId}`,
  )
}

/** Labels one of the caller's wallets, or makes it the primary one of its namespace. */
async function updateWallet(
  context: Context,
  caller: Caller,
  objectId: string,
  { label: given, primary }: { label?: string | null; primary?: true },
): Promise<WalletRecord> {
  const { userId } = requireSession(caller)
  if (given) refuseHidden(given, 'label')
  const label = given === '' ? null : given
  const { db } = context
  return db.transaction(async () => {
    if (primary) await lockUsers(context, [userId])
    const before = await find()
    if (label !== undefined) {
      await db.query(
        sql`update countersign.wallets set label = ${label} where "objectId" = ${objectId} and "user" = ${userId}`,
      )
    }
    if (primary && !before.is_primary) {
      await setPrimary(context, userId, objectId)
      await refreshAddresses(context, userId)
      await recordActivity(context, caller, userId, 'setPrimaryWallet', {
        namespace: before.namespace,
        address: before.address,
      })
    }
    return encodeWallet(await find())
  })

  async function find(): Promise<WalletRow> {
    const [row] = await db.query<WalletRow>(
      sql`select * from countersign.wallets where "objectId" = ${objectId} and "user" = ${userId}`,
    )
    if (!row) throw refuse('walletNotFound')
    return row
  }
}

export const updateWalletEndpoint = defineEndpoint('updateWallet', {
  handle: ({ context, caller, input, params }) => updateWallet(context, caller, params.objectId, input),
})

export const listWalletsEndpoint = defineEndpoint('listWallets', {
  handle: ({ context, caller }) => listWallets(context, caller),
})
