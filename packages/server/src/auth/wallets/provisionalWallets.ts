import { refuse } from '@countersign/protocol'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { isUniqueViolation } from '../../db/databaseErrors.ts'
import { sql } from '../../db/sql.ts'
import { decrypt } from '../../keys/secrets.ts'
import { recordActivity } from '../../users/activity.ts'
import { forgetSessions } from '../../users/sessions/createSession.ts'
import { endSessions } from '../../users/sessions/sessions.ts'
import { lockUsers } from '../../users/UserRow.ts'
import { accountKey, type ProvenAccount, type Purpose, plainAccount } from '../Account.ts'
import type { Signed } from './verifyContractSignature.ts'
import type { WalletRow } from './WalletRow.ts'

// A contract account that is not deployed yet is proven by running its deployment in a call. If the address does not
// depend on the owner, anyone can present a deployment that makes it theirs. So such a proof is provisional: each
// deployment is a user of its own, the wallet opens no gate, and no other sign-in method can be added. The first to
// prove the deployed account gets it: an account opened by the same owner is kept, all others are closed.

/** Each costs a call to a node, and anyone may claim an address. */
const mostClaims = 3

type Claim = { key: string } & Signed

/**
 * Signatures for accounts at this address from before its deployment. Empty if it has an owner. Sorted by the key that
 * signs now and the caller's own, then the oldest, so later claims by strangers displace nobody.
 */
export async function listClaims(
  { db, keys }: Context,
  caller: Caller,
  { chainId, address }: { chainId: string; address: string },
  signer: string | undefined,
): Promise<Claim[]> {
  const settled = accountKey({ namespace: 'eip155', kind: 'contract', chainId, address })
  const rows = await db.query<{ key: string; proof: Buffer }>(sql`
    select key, proof from countersign.wallets
    where provisional and chain_id = ${chainId} and address = ${address} and proof is not null
      and not exists (select from countersign.wallets where key = ${settled})
    order by coalesce(signer = ${signer ?? null}::text, false) desc,
      "user" is not distinct from ${caller.session?.userId ?? null}::text desc, linked, key
    limit ${mostClaims}`)
  return rows.flatMap(({ key, proof }) => {
    const text = decrypt(keys, 'undeployed proof', proof)
    return text === undefined ? [] : [{ key, ...(JSON.parse(text) as Signed) }]
  })
}

/** Such a proof opens an account of its own and confirms its session, and does nothing else. */
export async function checkUndeployed({ db }: Context, purpose: Purpose, account: ProvenAccount): Promise<void> {
  if (purpose !== 'signIn' && purpose !== 'reauthenticate') throw refuse('accountNotDeployed')
  const { deployment: _undeployed, ...deployed } = account
  const known = await db.query(sql`select from countersign.wallets where key = ${accountKey(deployed)}`)
  // Proven deployed before: the node that was asked is behind.
  if (known.length > 0) throw refuse('invalidSignature')
}

/** Makes the provisional wallet at `claim` a settled one: its owner proved the same account deployed. */
export async function settleWallet(
  context: Context,
  caller: Caller,
  claim: string,
  account: ProvenAccount,
): Promise<void> {
  try {
    await context.db.transaction(() => settle(context, caller, claim, account))
  } catch (error) {
    // Another proof of the deployed account, at the same time, has made a user of its own. That one counts.
    if (!isUniqueViolation(error, 'wallets_pkey')) throw error
  }
}

async function settle(context: Context, caller: Caller, claim: string, proven: ProvenAccount): Promise<void> {
  const { db } = context
  const account = plainAccount(proven)
  const [found] = await db.query<{ user: string }>(
    sql`select "user" from countersign.wallets where key = ${claim} and provisional`,
  )
  if (!found) return
  await lockUsers(context, [found.user])
  // Deleted and inserted, so that all watchers of wallets are notified about a new one.
  const [wallet] = await db.query<WalletRow>(
    sql`delete from countersign.wallets where key = ${claim} and provisional returning *`,
  )
  // Another sign-in at the same time was quicker.
  if (!wallet) return
  await db.query(sql`
    insert into countersign.wallets
      (key, "objectId", "user", namespace, kind, chain_id, address, label, is_primary, linked, last_used, code_hash,
        proof)
    values (${accountKey(account)}, ${wallet.objectId}, ${wallet.user}, ${account.namespace}, ${account.kind},
      ${account.chainId}, ${account.address}, ${wallet.label}, ${wallet.is_primary}, ${wallet.linked},
      ${wallet.last_used}, ${proven.codeHash ?? null}, ${proven.proof ?? null})`)
  await endSessions(context, wallet.user, caller.session?.userId === wallet.user ? caller.session.objectId : null)
  await endClaims(context, account)
  await recordActivity(context, caller, wallet.user, 'settleWallet', { ...account })
}

/** Ends the sessions of everyone who claimed the account before it was deployed. They have no other sign-in method. */
export async function endClaims(context: Context, { chainId, address }: ProvenAccount): Promise<void> {
  const ended = await context.db.query<{ _token_hash: Buffer }>(sql`
    delete from "_Session"
    where "user" in (
      select "user" from countersign.wallets
      where provisional and chain_id = ${chainId} and address = ${address}
    )
    returning "_token_hash"`)
  forgetSessions(context, ended)
}
