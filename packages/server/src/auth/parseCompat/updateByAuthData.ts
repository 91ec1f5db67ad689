import { CountersignError, refuse, type WireChanges, type WireFields, type WireValue } from '@countersign/protocol'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { isUniqueViolation } from '../../db/databaseErrors.ts'
import { sql } from '../../db/sql.ts'
import { hashToken } from '../../keys/secrets.ts'
import { recordActivity } from '../../users/activity.ts'
import { notifyOwner } from '../../users/email/notifyOwner.ts'
import { notifyOfAddition } from '../../users/holders/offerRecovery.ts'
import { findSecondFactor } from '../../users/secondFactor.ts'
import { makeSensitiveChange, requireFreshProof } from '../../users/sensitiveChanges.ts'
import { decodeUser, findUser, isOnlyAnonymous } from '../../users/UserRow.ts'
import { updateUser } from '../../users/updateUser.ts'
import { answerOf } from '../providers/signInWithProviders.ts'
import { linkProviders, readProviderChange, unlinkProviders } from '../providers/updateProviders.ts'
import { changeMfa, readMfa } from '../secondFactor/olderMfa.ts'
import { requireRemainingMethod } from '../signInMethods.ts'
import { linkAccount } from '../wallets/linkWallet.ts'
import { proveByAuthData } from './proveByAuthData.ts'
import { echoAuthData, type ProviderProof, readAnonymousId, readAuthData } from './readAuthData.ts'

/** Changes a user by a body with `authData`: links what is in it and not the user's yet. */
export async function updateByAuthData(
  context: Context,
  caller: Caller,
  objectId: string,
  input: WireChanges,
  /** Carries out what happens in one transaction. Codes are checked before: a wrong one must stay counted. */
  carryOut: (work: () => Promise<WireFields>) => Promise<WireFields> = (work) => context.db.transaction(work),
): Promise<WireFields> {
  const { authData, ...fields } = input
  const given = readAuthData(authData as WireValue)
  const anonymousId = readAnonymousId(context, authData as WireValue)
  const fresh: ProviderProof[] = []
  // The older clients send sign-in methods back as they got them; those need no proof again.
  for (const proof of given) if (!(await isOwn(context, objectId, proof))) fresh.push(proof)
  if (fresh.length > 0 && caller.session?.userId !== objectId) {
    throw new CountersignError('SessionMissing', `Cannot modify user ${objectId.slice(0, 64)}.`)
  }
  // Before the signature is looked at, and again with the change: this form is no way around either.
  if (fresh.length > 0) await requireFreshProof(context, caller, 'linkWallet', objectId)
  // A guest who replaces the id with a link here has no other proof, and cannot confirm afterwards.
  const wasGuest =
    anonymousId === null && caller.session?.userId === objectId && (await isOnlyAnonymous(context, objectId))
  const providers = await readProviderChange(context, caller, objectId, authData as WireValue)
  for (const proof of fresh) {
    const { account } = await proveByAuthData(context, caller, 'link', proof)
    await linkAccount(context, caller, objectId, account)
  }
  const change = async () => {
    if (typeof anonymousId === 'string') await linkAnonymousId(context, caller, objectId, anonymousId)
    await linkProviders(context, caller, objectId, providers)
    const changed = await updateUser(context, caller, objectId, fields)
    // Last: a password that came along may be the sign-in method that stays.
    if (anonymousId === null) await unlinkAnonymousId(context, caller, objectId, wasGuest)
    return changed
  }
  // First: a refusal of it must leave the rest undone, and a wrong code must stay counted.
  const mfa = await changeMfa(context, caller, objectId, readMfa(context, authData as WireValue))
  const answer = await carryOut(() => unlinkProviders(context, caller, objectId, providers, change))
  const row = await findUser(context, objectId)
  if (!row || caller.session?.userId !== objectId) return answer
  const { totp, passkey } = await findSecondFactor(context, objectId)
  const own = echoAuthData(decodeUser(context.classes.get('_User'), row), row._anonymous !== null)
  const shown = await answerOf(context, caller, objectId, providers.proven)
  const status = (totp || passkey) && !context.authProviders.has('mfa') && { mfa: { status: 'enabled' } }
  const responses = { ...shown.authDataResponse, ...(mfa && { mfa }) }
  return {
    ...answer,
    ...shown,
    authData: { ...own, ...shown.authData, ...status },
    ...(Object.keys(responses).length > 0 && { authDataResponse: responses }),
  }
}

/** Beside a contract account of the same address, what comes with a signature may be the proof of the key pair. */
async function isOwn({ db }: Context, userId: string, { namespace, id, data }: ProviderProof): Promise<boolean> {
  const rows = await db.query(sql`
    select from countersign.wallets
    where "user" = ${userId} and namespace = ${namespace}
      and address = ${namespace === 'eip155' ? id.toLowerCase() : id} and (chain_id is null or ${data === undefined})`)
  return rows.length > 0
}

/** Takes the id off: it opens the account no longer. For a caller who may change the user. */
async function unlinkAnonymousId(context: Context, caller: Caller, userId: string, isProven: boolean): Promise<void> {
  const { db } = context
  const linked = await db.query(sql`select 1 from "_User" where "objectId" = ${userId} and "_anonymous" is not null`)
  if (linked.length === 0) return
  await requireRemainingMethod(
    context,
    caller,
    'unlinkAnonymousId',
    userId,
    async () => {
      await db.query(sql`update "_User" set "_anonymous" = null where "objectId" = ${userId}`)
      await recordActivity(context, caller, userId, 'unlinkAnonymous')
      notifyOwner(context, userId, (say) => say('guestIdRemoved'))
    },
    { isProven },
  )
  db.reportChange('_User')
  db.afterCommit(() => context.sessionCache.forgetUser(userId))
}

/** Lets an account be opened by the id, too. */
async function linkAnonymousId(context: Context, caller: Caller, userId: string, id: string): Promise<void> {
  const { db } = context
  const key = hashToken(id)
  const own = await db.query(sql`select 1 from "_User" where "objectId" = ${userId} and "_anonymous" = ${key}`)
  if (own.length > 0) return
  if (!caller.isMaster && caller.session?.userId !== userId) {
    throw new CountersignError('SessionMissing', `Cannot modify user ${userId.slice(0, 64)}.`)
  }
  await makeSensitiveChange(context, caller, 'linkAnonymousId', userId, async () => {
    const rows = await db
      .query(sql`update "_User" set "_anonymous" = ${key} where "objectId" = ${userId} returning 1`)
      .catch((error) => {
        if (!isUniqueViolation(error, '_User_anonymous')) throw error
        throw new CountersignError('AccountAlreadyLinked', 'this auth is already used')
      })
    if (rows.length === 0) throw refuse('objectNotFound')
    db.reportChange('_User')
    db.afterCommit(() => context.sessionCache.forgetUser(userId))
    await recordActivity(context, caller, userId, 'linkAnonymous')
    await notifyOfAddition(context, caller, userId, (say) => say('guestIdAdded'))
  })
}
