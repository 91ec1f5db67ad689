import { refuse, type UserRecord, type WireValue } from '@countersign/protocol'
import { columnNames, decodeRow, reviveRow } from '../../classes/decodeRow.ts'
import { fillFileUrls } from '../../classes/fileUrls.ts'
import { newObjectId } from '../../classes/names.ts'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { isUniqueViolation } from '../../db/databaseErrors.ts'
import { sql } from '../../db/sql.ts'
import { defineEndpoint } from '../../endpoint/defineEndpoint.ts'
import { respond } from '../../endpoint/respond.ts'
import { findHooks, runAfter, runBeforeSignIn } from '../../hooks/runHooks.ts'
import { decide } from '../../permissions/decide.ts'
import { accessOf } from '../../roles/accessOf.ts'
import { restoreAccount } from '../../users/accountDeletion.ts'
import { createUserWithoutName, type SignedInAccount } from '../../users/createUserWithoutName.ts'
import { alertNewDevice } from '../../users/email/notifyOwner.ts'
import { hasFactorSince } from '../../users/secondFactor.ts'
import { admit, type Proven, refuseWeak, walletOpensAtOnce } from '../../users/sessions/admit.ts'
import { draftOpening } from '../../users/sessions/createSession.ts'
import { encodeUser, findUser, isLockedSql } from '../../users/UserRow.ts'
import { nameKey } from '../../users/usernames.ts'
import { accountKey } from '../Account.ts'
import { restoreMergedByWallet } from '../merge/signInToMerged.ts'
import { findUnlinked, refuseUnlinked, returnWallet } from './returnWallet.ts'
import { type Proof, type ProofInput, verifyWalletProof } from './verifyWalletProof.ts'
import { addWallet } from './wallets.ts'

/** Opens a session for the owner of the wallet that signed our challenge. */
async function signInWithWallet(
  context: Context,
  caller: Caller,
  input: ProofInput & { restoreAccount?: WireValue; newAccount?: WireValue },
): Promise<SignedInAccount> {
  const proof = await verifyWalletProof(context, caller, 'signIn', input)
  const wishes = { restoreAccount: input.restoreAccount === true, newAccount: input.newAccount === true }
  return signInOrSignUp(context, caller, proof, proof.account.namespace, wishes)
}

type Wishes = {
  /** Brings back an account that is to be deleted, one that was merged away, or the one that the wallet was taken from. */
  restoreAccount?: boolean
  /** Makes a new account for a wallet that was taken from another. */
  newAccount?: boolean
}

/** Signs in the owner of a proven account; creates the user if there is none yet. */
export async function signInOrSignUp(
  context: Context,
  caller: Caller,
  proof: Proof,
  authProvider: string,
  { restoreAccount: restores = false, newAccount = false }: Wishes = {},
  /** Writes what came along into a new account. */
  fillIn?: (userId: string) => Promise<void>,
): Promise<SignedInAccount> {
  if (restores) refuseWeak(provenBy(proof, authProvider).by)
  if (restores) await restoreMergedByWallet(context, caller, accountKey(proof.account), true)
  await askOwner(context, caller, proof)
  const known = await signOwnerIn(context, caller, proof, authProvider)
  if (known) return greet(context, caller, known)
  const passed = await passOwner(context, caller, proof, authProvider)
  const shown = passed && (await signOwnerIn(context, caller, proof, authProvider, passed))
  if (shown) return greet(context, caller, shown)
  if (await restoreOwner(context, caller, proof, authProvider, restores)) {
    const open = await passOwner(context, caller, proof, authProvider)
    const restored = await signOwnerIn(context, caller, proof, authProvider, open)
    if (restored) return greet(context, caller, restored)
  }
  if (!newAccount) await restoreMergedByWallet(context, caller, accountKey(proof.account), false)
  const returned = newAccount ? undefined : await returnToFormer(context, caller, proof, authProvider, restores)
  if (returned) return greet(context, caller, returned)
  decide(context.classes.get('_User'), await accessOf(context, caller), 'create')
  let made: string | undefined
  const create = async (name: string) => {
    made = await createWalletUser(context, caller, proof, name)
    return made
  }
  const isNew = await context.db
    .transaction(() => createUserWithoutName(context, caller, create))
    .then(
      () => true,
      (error) => {
        // It has an owner by now: of two first sign-ins at once the other one made the user, or the owner is locked.
        if (isUniqueViolation(error, 'wallets_pkey')) return false
        throw error
      },
    )
  if (!isNew) await askOwner(context, caller, proof)
  else if (made !== undefined) await fillIn?.(made)
  const open = await passOwner(context, caller, proof, authProvider)
  const user = await signOwnerIn(context, caller, proof, authProvider, open)
  if (!user) throw refuse('accountLocked', undefined, { status: 401 })
  return isNew ? { user, isNew } : greet(context, caller, user)
}

async function greet(context: Context, caller: Caller, user: SignedInAccount['user']): Promise<SignedInAccount> {
  await runAfter(context, caller, { hook: 'afterSignIn', className: '_User', object: user })
  return { user, isNew: false }
}

/** The application is asked before there is a session; without hooks the owner need not be looked up for it. */
async function askOwner(context: Context, caller: Caller, { account }: Proof): Promise<void> {
  if (!findHooks(context, 'beforeSignIn', '_User')) return
  const [wallet] = await context.db.query<{ user: string }>(
    sql`select "user" from countersign.wallets where key = ${accountKey(account)}`,
  )
  const row = wallet && (await findUser(context, wallet.user))
  if (row) await runBeforeSignIn(context, caller, encodeUser(context, row))
}

/** Restores an account to be deleted if its owner asks for it; otherwise the error offers it. */
async function restoreOwner(
  context: Context,
  caller: Caller,
  proof: Proof,
  authProvider: string,
  isWanted: boolean,
): Promise<boolean> {
  const [deleted] = await context.db.query<{ user: string }>(sql.named('find-deleted-owner')`
    select d."user"
    from countersign.wallets w
    join countersign.deletions d on d."user" = w."user"
    where w.key = ${accountKey(proof.account)}`)
  if (!deleted) return false
  const first = provenBy(proof, authProvider)
  return (await restoreAccount(context, caller, deleted.user, { isWanted, first })) !== undefined
}

function provenBy({ message, signature, isRelayable }: Proof, authProvider: string): Proven {
  const by = isRelayable ? 'relayedWallet' : 'wallet'
  return { by, createdWith: { action: 'login', authProvider }, proof: { message, signature } }
}

/**
 * Returns a wallet to its former account if its owner asks for it; otherwise the error offers it. A long-standing
 * second factor is required first: a leaked wallet key must not bypass it.
 */
async function returnToFormer(
  context: Context,
  caller: Caller,
  proof: Proof,
  authProvider: string,
  isWanted: boolean,
): Promise<SignedInAccount['user'] | undefined> {
  const key = accountKey(proof.account)
  const unlinked = await findUnlinked(context, key)
  if (!unlinked) return undefined
  if (!isWanted) refuseUnlinked(unlinked)
  if (await hasFactorSince(context, unlinked.user, unlinked.reaches))
    await admit(context, caller, unlinked.user, provenBy(proof, authProvider), { returns: key })
  await returnWallet(context, caller, unlinked)
  const open = await passOwner(context, caller, proof, authProvider)
  return signOwnerIn(context, caller, proof, authProvider, open)
}

/**
 * A wallet is one factor: it proves a key, not a person. Passes if the other proofs are there or the account needs
 * none, and refuses otherwise. `undefined` without an owner, or if the owner is locked.
 */
async function passOwner(
  context: Context,
  caller: Caller,
  proof: Proof,
  authProvider: string,
): Promise<Passed | undefined> {
  const [owner] = await context.db.query<{ user: string }>(sql`
    select w."user"
    from countersign.wallets w
    join "_User" u on u."objectId" = w."user"
    where w.key = ${accountKey(proof.account)} and not ${isLockedSql}`)
  return owner && { user: owner.user, ...(await admit(context, caller, owner.user, provenBy(proof, authProvider))) }
}

/** The owner whom `admit` let through: the wallet may have another one by the time the session opens. */
type Passed = { user: string; confirmed?: Date }

/**
 * Opens a session for the owner of an account, unless locked, in one statement. Without `passed` only if the account
 * needs no second factor.
 */
async function signOwnerIn(
  context: Context,
  caller: Caller,
  proof: Proof,
  authProvider: string,
  passed?: Passed,
): Promise<SignedInAccount['user'] | undefined> {
  const { db, classes } = context
  const schema = classes.get('_User')
  const isPassed = sql`(u."objectId" = ${passed?.user ?? null}::text and not ${isLockedSql})`
  const draft = draftOpening(
    context,
    caller,
    provenBy(proof, authProvider),
    (now) => sql`
      update countersign.wallets w set last_used = ${now}::timestamptz, imported = null
      from "_User" u
      where w.key = ${accountKey(proof.account)} and u."objectId" = w."user"
        and (${isPassed} or ${walletOpensAtOnce(context)})
      returning w."user"`,
    passed?.confirmed,
  )
  const columns = columnNames(schema).map((name) => sql.column('u', name))
  const [found] = await db.query<{ row: Record<string, unknown>; ended: string[] | null }>(
    sql.named(`sign-owner-in-${schema.version}`)`
      with ${draft.ctes}
      select row_to_json(_row) as row, (select array_agg(key) from replaced) as ended from (
        select ${sql.join(columns)} from held join "_User" u on u."objectId" = held."user"
      ) _row`,
  )
  if (!found) return undefined
  db.reportChange('_Session')
  for (const key of found.ended ?? []) context.sessionCache.forgetSession(key)
  const row = reviveRow(schema, found.row)
  const user = fillFileUrls(context, schema, decodeRow(schema, row))
  alertNewDevice(context, caller, row.objectId, draft.objectId, typeof row.email === 'string')
  return { ...user, objectId: row.objectId, sessionToken: draft.token }
}

/** Creates a wallet user, who alone may read and write the record; no email address is invented. */
async function createWalletUser(context: Context, caller: Caller, proof: Proof, username: string): Promise<string> {
  const { db, clock } = context
  const objectId = newObjectId()
  const now = sql.param(clock.now())
  const own = sql.param([objectId])
  await db.query(sql`
    insert into "_User" ("objectId", "createdAt", "updatedAt", "_rperm", "_wperm", username, "_username_key")
    values (${objectId}, ${now}, ${now}, ${own}, ${own}, ${username}, ${nameKey(username)})`)
  db.reportChange('_User')
  await addWallet(context, caller, objectId, proof.account)
  return objectId
}

export const signInWithWalletEndpoint = defineEndpoint('signInWithWallet', {
  async handle({ context, caller, input }) {
    const { user, isNew } = await signInWithWallet(context, caller, input)
    return isNew ? respond(user as UserRecord, { status: 201 }) : (user as UserRecord)
  },
})
