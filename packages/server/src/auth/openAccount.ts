import { randomUUID } from 'node:crypto'
import { refuse, type WireFields } from '@countersign/protocol'
import { columnNames, decodeRow } from '../classes/decodeRow.ts'
import { newObjectId } from '../classes/newObjectId.ts'
import { reviveRow } from '../classes/reviveRow.ts'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { fillFileUrls } from '../context/fillFileUrls.ts'
import { isUniqueViolation } from '../db/databaseErrors.ts'
import { findHooks } from '../hooks/findHooks.ts'
import { runAfter } from '../hooks/runAfter.ts'
import { runBeforeSignIn } from '../hooks/runBeforeSignIn.ts'
import { decide } from '../permissions/decide.ts'
import { accessOf } from '../roles/accessOf.ts'
import { restoreAccount } from '../users/accountDeletion.ts'
import { alertNewDevice } from '../users/alertNewDevice.ts'
import { draftSession, sessionColumns, sessionParameters, sessionValues } from '../users/createSession.ts'
import { findUser } from '../users/findUser.ts'
import { nameKey } from '../users/nameKey.ts'
import { encodeUser, isLockedSql } from '../users/UserRow.ts'
import { accountKey } from './Account.ts'
import { addWallet } from './addWallet.ts'
import { makeNewcomer } from './makeNewcomer.ts'
import type { Proof } from './proveAccount.ts'

export type OpenedAccount = { user: WireFields & { objectId: string; sessionToken: string }; isNew: boolean }

/** Signs the owner of a proven account in; makes the user where there is none yet. */
export async function openAccount(
  context: Context,
  caller: Caller,
  proof: Proof,
  authProvider: string,
  /** Whether an account that is to be deleted comes back by this. */
  restores = false,
): Promise<OpenedAccount> {
  await askOwner(context, caller, proof)
  const known = await signOwnerIn(context, caller, proof, authProvider)
  if (known) return greet(context, caller, known)
  if (await restoreOwner(context, caller, proof, restores)) {
    const restored = await signOwnerIn(context, caller, proof, authProvider)
    if (restored) return greet(context, caller, restored)
  }
  decide(context.classes.get('_User'), await accessOf(context, caller), 'create')
  const isNew = await context.db
    .transaction(() => makeNewcomer(context, caller, (name) => createWalletUser(context, caller, proof, name)))
    .then(
      () => true,
      (error) => {
        // It has an owner by now: of two first sign-ins at once the other one made the user, or the owner is locked.
        if (isUniqueViolation(error, 'wallets_pkey')) return false
        throw error
      },
    )
  if (!isNew) await askOwner(context, caller, proof)
  const user = await signOwnerIn(context, caller, proof, authProvider)
  if (!user) throw refuse('accountLocked', undefined, { status: 401 })
  return isNew ? { user, isNew } : greet(context, caller, user)
}

async function greet(context: Context, caller: Caller, user: OpenedAccount['user']): Promise<OpenedAccount> {
  await runAfter(context, caller, { hook: 'afterSignIn', className: '_User', object: user })
  return { user, isNew: false }
}

/** The application is asked before there is a session; without hooks the owner need not be looked up for it. */
async function askOwner(context: Context, caller: Caller, { account }: Proof): Promise<void> {
  if (!findHooks(context, 'beforeSignIn', '_User')) return
  const [wallet] = await context.db.query<{ user: string }>({
    text: 'select "user" from countersign.wallets where key = $1',
    values: [accountKey(account)],
  })
  const row = wallet && (await findUser(context, wallet.user))
  if (row) await runBeforeSignIn(context, caller, encodeUser(context, row))
}

/** An account that is to be deleted comes back where its owner asks for it, and says so otherwise. */
async function restoreOwner(context: Context, caller: Caller, { account }: Proof, isWanted: boolean): Promise<boolean> {
  const [deleted] = await context.db.query<{ user: string }>({
    name: 'find-deleted-owner',
    text: 'select d."user" from countersign.wallets w join countersign.deletions d on d."user" = w."user" where w.key = $1',
    values: [accountKey(account)],
  })
  return deleted !== undefined && (await restoreAccount(context, caller, deleted.user, isWanted)) !== undefined
}

/** Opens a session for the owner of an account, unless the owner is locked: all of it in one statement. */
async function signOwnerIn(
  context: Context,
  caller: Caller,
  { account, message, signature }: Proof,
  authProvider: string,
): Promise<OpenedAccount['user'] | undefined> {
  const { db, classes } = context
  const schema = classes.get('_User')
  const draft = draftSession(context)
  const values = sessionValues(context, draft, { action: 'login', authProvider }, caller, { message, signature })
  const [found] = await db.query<{ row: Record<string, unknown>; ended: string[] | null }>({
    name: `sign-owner-in-${schema.version}`,
    text: `with used as (
             update countersign.wallets w set last_used = $2::timestamptz from "_User" u
             where w.key = $13 and u."objectId" = w."user" and not ${isLockedSql}
             returning w."user"
           ), replaced as (
             delete from "_Session" s using used where s."user" = used."user" and s."installationId" = $7::text
             returning encode(s."_token_hash", 'base64') as key
           ), made as (
             insert into "_Session" (${sessionColumns}, "user") select ${sessionParameters}, "user" from used
           ), noted as (
             insert into countersign.activity (id, "user", action, details, "ipAddress", "userAgent", at)
             select $14, "user", 'signIn', $6::jsonb || jsonb_build_object('session', $1::text), $9::text, $8::text, $2::timestamptz from used
           )
           select row_to_json(_row) as row, (select array_agg(key) from replaced) as ended from (
             select ${columnNames(schema)
               .map((name) => `u."${name}"`)
               .join(', ')} from used join "_User" u on u."objectId" = used."user"
           ) _row`,
    values: [...values, accountKey(account), randomUUID()],
  })
  if (!found) return undefined
  for (const key of found.ended ?? []) context.sessionCache.forgetSession(key)
  const row = reviveRow(schema, found.row)
  const user = fillFileUrls(context, schema, decodeRow(schema, row))
  alertNewDevice(context, caller, row.objectId, draft.objectId)
  return { ...user, objectId: row.objectId, sessionToken: draft.token }
}

/** R20: a user who comes by wallet may be read and written by nobody else; no e-mail address is invented. */
async function createWalletUser(context: Context, caller: Caller, proof: Proof, username: string): Promise<string> {
  const { db, clock } = context
  const objectId = newObjectId()
  await db.query({
    text: `insert into "_User" ("objectId", "createdAt", "updatedAt", "_rperm", "_wperm", username, "_username_key") values ($1, $2, $2, $3, $3, $4, $5)`,
    values: [objectId, clock.now(), [objectId], username, nameKey(username)],
  })
  await addWallet(context, caller, objectId, proof.account, { text: proof.message, signature: proof.signature })
  return objectId
}
