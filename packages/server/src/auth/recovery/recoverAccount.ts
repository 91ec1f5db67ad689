import { type EndpointTypes, refuse } from '@countersign/protocol'
import type { Assertion } from '@countersign/protocol/contract'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { type Fragment, sql } from '../../db/sql.ts'
import { defineEndpoint } from '../../endpoint/defineEndpoint.ts'
import { hashToken } from '../../keys/secrets.ts'
import { recordActivity } from '../../users/activity.ts'
import { expiredLink } from '../../users/email/mailTokens.ts'
import { notifyOwner } from '../../users/email/notifyOwner.ts'
import { changeHolder } from '../../users/holders/changeHolder.ts'
import { freeForReturn, writeAddress } from '../../users/holders/returnAddress.ts'
import { removedSince, returnSetAside } from '../../users/holders/setAside.ts'
import { checkPassword, hashPassword } from '../../users/passwords/hashPassword.ts'
import { underLockout } from '../../users/passwords/lockout.ts'
import { checkPasswordPolicy } from '../../users/passwords/passwordPolicy.ts'
import { requireMethod } from '../../users/signUpRules.ts'
import { nameKey } from '../../users/usernames.ts'
import { accountKey } from '../Account.ts'
import { provePasskey } from '../passkeys/signInWithPasskey.ts'
import { verifyWalletProof } from '../wallets/verifyWalletProof.ts'
import { choosePrimary, refreshAddresses } from '../wallets/wallets.ts'

type Input = Omit<EndpointTypes['recoverAccount']['input'], 'credential'> & { credential?: Assertion | undefined }

/** A mailed link, with the account as it is now. */
type Link = {
  user: string
  email: string
  email_added: Date | null
  verified_outside: boolean
  began: Date
  reaches: Date
  username: string
  presentEmail: string | null
}

/**
 * Undoes what somebody added to an account, by the link that was mailed to its owner and a proof that is older than all
 * of it. The link alone removes nothing: its reader may hold no more than the mailbox. The proof alone is not enough
 * either: it is what a factor guards against. What was added in the window ends, a factor included, what was removed by
 * the same session returns, and so does the address. Every session ends, and the password with them: the person who
 * added something may know it.
 */
async function recoverAccount(context: Context, caller: Caller, input: Input): Promise<Record<never, never>> {
  const { db, clock } = context
  const { token, newPassword } = input
  const asked = await findLink(context, token)
  if (!asked) throw expiredLink()
  if (newPassword !== undefined) {
    requireMethod(context, 'password')
    checkPasswordPolicy(context, newPassword, asked.username)
  }
  // Outside the transaction: a wrong password stays counted.
  const holds = await proveOlder(context, caller, asked, input)
  const hash = newPassword === undefined ? null : await hashPassword(newPassword)
  await db.transaction(async () => {
    await freeForReturn(context, caller, asked.user, asked.email)
    const link = await findLink(context, token)
    // The proof took a while.
    if (!link) throw expiredLink()
    if (!(await holds())) throw refuse('olderProofRequired')
    const { user: userId, began, reaches } = link
    await changeHolder(context, userId, 'added method undone', { since: reaches })
    await returnSetAside(context, userId, removedSince(context, began))
    await returnAddress(context, link)
    await db.query(sql`
      update "_User" set "_password_hash" = ${hash}, "updatedAt" = ${clock.now()} where "objectId" = ${userId}`)
    db.reportChange('_User')
    await choosePrimary(context, userId)
    await refreshAddresses(context, userId)
    await recordActivity(context, caller, userId, 'recoverAccount')
    notifyOwner(context, userId, (say) => say('accountRecovered'))
  })
  return {}
}

async function findLink({ db, clock }: Context, token: string): Promise<Link | undefined> {
  const [link] = await db.query<Link>(sql`
    select m.*, u.username, u.email as "presentEmail"
    from countersign.added_methods m
    join "_User" u on u."objectId" = m."user"
    where m.hash = ${hashToken(token)} and m.expires > ${clock.now()}`)
  return link
}

/** An address that came after the link opens the account by a reset: a thief would use it to come back. */
async function returnAddress(context: Context, link: Link): Promise<void> {
  const { user, email, presentEmail, email_added: added, verified_outside } = link
  if (presentEmail !== null && nameKey(presentEmail) === nameKey(email)) return
  await writeAddress(context, user, { email, added, verified_outside })
}

/** Asks once more whether the proof is one that the account had before the window. */
type Holds = () => Promise<boolean>

async function proveOlder(context: Context, caller: Caller, link: Link, input: Input): Promise<Holds> {
  const { password, newPassword, message, signature, credential } = input
  if (password !== undefined) {
    // Another person may know the one that the account had.
    if (newPassword === undefined) throw refuse('passwordMissing')
    return provePassword(context, link, password)
  }
  if (message !== undefined && signature !== undefined) {
    const { account } = await verifyWalletProof(context, caller, 'signIn', { message, signature })
    return requireOlder(() => isOlderWallet(context, link, accountKey(account)))
  }
  if (credential === undefined) throw refuse('proofMissing')
  requireMethod(context, 'passkey')
  const { userId, passkeyId, userVerified } = await provePasskey(context, caller, 'signIn', credential, link.user)
  // A key that was found shows that somebody holds it, not who.
  if (!userVerified) throw refuse('passkeyNotVerifyingUser')
  return requireOlder(async () => userId === link.user && (await isOlderPasskey(context, link, passkeyId)))
}

async function requireOlder(holds: Holds): Promise<Holds> {
  if (!(await holds())) throw refuse('olderProofRequired')
  return holds
}

async function provePassword(context: Context, link: Link, password: string): Promise<Holds> {
  requireMethod(context, 'password')
  const older = await findOlderPassword(context, link)
  const check = async () => ((await checkPassword(older, password)) ? true : undefined)
  if (!(await underLockout(context, link.username, check))) throw refuse('wrongPassword', undefined, { status: 401 })
  return async () => (await findOlderPassword(context, link)) === older
}

/**
 * Hash of the password that the account had when the window began: the present one, or one that was replaced since
 * without being shown. One that its holder replaced by showing it is given up, and may have leaked.
 */
async function findOlderPassword(
  { db, clock }: Context,
  { user, began, reaches }: Link,
): Promise<string | null | undefined> {
  const changed = (before: Fragment) => sql`exists (
    select from countersign.activity
    where "user" = ${user} and action in ('addPassword', 'changePassword', 'resetPassword')
      and at >= ${reaches} and ${before})`
  const [row] = await db.query<{ hash: string | null }>(sql`
    select case when not ${changed(sql`true`)} then u."_password_hash" else (
      select r.hash from countersign.replaced_passwords r
      where r."user" = ${user} and r.replaced >= ${began} and r.expires > ${clock.now()}
        and not ${changed(sql`at < r.replaced`)}
      order by r.replaced
      limit 1
    ) end as hash
    from "_User" u
    where u."objectId" = ${user}`)
  return row?.hash
}

/** Undeployed accounts have no owner to tell apart from another. */
async function isOlderWallet(context: Context, { user, began, reaches }: Link, key: string): Promise<boolean> {
  const isOwn = sql`key = ${key} and "user" = ${user} and linked < ${reaches} and not provisional`
  const found = await context.db.query(sql`
    select from countersign.wallets where ${isOwn}
    union all
    select from countersign.unlinked_wallets where ${isOwn} and ${removedSince(context, began).wallets}`)
  return found.length > 0
}

async function isOlderPasskey(context: Context, { user, began, reaches }: Link, passkeyId: string): Promise<boolean> {
  const isOwn = sql`"objectId" = ${passkeyId} and "user" = ${user} and created < ${reaches}`
  const found = await context.db.query(sql`
    select from countersign.passkeys where ${isOwn}
    union all
    select from countersign.removed_passkeys where ${isOwn} and ${removedSince(context, began).passkeys}`)
  return found.length > 0
}

export const recoverAccountEndpoint = defineEndpoint('recoverAccount', {
  handle: ({ context, caller, input }) => recoverAccount(context, caller, input),
})
