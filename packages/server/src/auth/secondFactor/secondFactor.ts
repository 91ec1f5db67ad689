import { refuse, type SecondFactorRecord, type UserRecord } from '@countersign/protocol'
import type { Assertion } from '@countersign/protocol/contract'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { sql } from '../../db/sql.ts'
import { writeDeviceCookie } from '../../endpoint/cookies.ts'
import { defineEndpoint } from '../../endpoint/defineEndpoint.ts'
import { respond } from '../../endpoint/respond.ts'
import { runAfter, runBeforeSignIn } from '../../hooks/runHooks.ts'
import { hashToken, newToken } from '../../keys/secrets.ts'
import { restoreAccount } from '../../users/accountDeletion.ts'
import { recordActivity } from '../../users/activity.ts'
import { notifyOwner } from '../../users/email/notifyOwner.ts'
import { notifyOfAddition } from '../../users/holders/offerRecovery.ts'
import { setAsideFactor } from '../../users/holders/setAside.ts'
import { findSecondFactor, isSecondFactorRequired, requireDemandedFactor } from '../../users/secondFactor.ts'
import { makeSensitiveChange, requireFreshProof } from '../../users/sensitiveChanges.ts'
import { confirmedBy, type ProofKind, secondStepAfter } from '../../users/sessions/admit.ts'
import { createSession } from '../../users/sessions/createSession.ts'
import { requireSession } from '../../users/sessions/sessions.ts'
import { findStamp, readTicket, stillStamped, type Ticket } from '../../users/tickets.ts'
import {
  checkTotp,
  describeTotp,
  findTotpStep,
  newTotpSecret,
  openTotp,
  sealTotp,
  underCodeLimit,
} from '../../users/totp.ts'
import { encodeUser, findUser, isLocked, lockUsers, type UserRow } from '../../users/UserRow.ts'
import { provePasskey } from '../passkeys/signInWithPasskey.ts'
import { readTypedCode, spendRecoveryCode } from '../recovery/recoveryCodes.ts'
import { returnWallet } from '../wallets/returnWallet.ts'

/** Second factor of the caller's account. */
export async function getSecondFactor(context: Context, caller: Caller): Promise<SecondFactorRecord> {
  const { userId } = requireSession(caller)
  const [factor, required, [devices]] = await Promise.all([
    findSecondFactor(context, userId),
    isSecondFactorRequired(context, userId),
    context.db.query<{ count: number }>(sql`
      select count(*)::int as count from countersign.remembered_devices
      where "user" = ${userId} and expires > ${context.clock.now()}`),
  ])
  return { ...factor, required, rememberedDevices: devices?.count ?? 0 }
}

/** A new secret for an authenticator app. One that waits for its first code is replaced; one that is on stays. */
async function startTotp(
  context: Context,
  caller: Caller,
  { ticket }: { ticket?: string | undefined },
): Promise<{ secret: string; uri: string }> {
  const given = ticket === undefined ? undefined : await readTicket(context, caller, ticket)
  const userId = given?.user ?? requireSession(caller).userId
  if (given && !given.setUp) throw refuse('signInTicketExpired')
  if (given) refuseWeak(given)
  const user = await findUser(context, userId)
  if (!user) throw refuse('objectNotFound')
  const secret = await newTotpSecret()
  const keep = async () => {
    const kept = await context.db.query(sql`
      insert into countersign.second_factors as f ("user", secret, created)
      values (${userId}, ${sealTotp(context, secret)}, ${context.clock.now()})
      on conflict ("user") do update set secret = excluded.secret where f.confirmed is null
      returning 1`)
    if (kept.length === 0) throw refuse('secondFactorOn')
  }
  if (given) await keep()
  else await makeSensitiveChange(context, caller, 'addSecondFactor', userId, keep)
  return { secret, uri: await describeTotp(context, secret, user.email ?? user.username) }
}

/** Turns the app on by the first code that it shows. */
async function confirmTotp(context: Context, caller: Caller, code: string): Promise<SecondFactorRecord> {
  const { userId } = requireSession(caller)
  await requireFreshProof(context, caller, 'addSecondFactor', userId)
  const secret = await findPendingSecret(context, userId)
  const step = await checkFirstCode(context, userId, secret, code)
  await makeSensitiveChange(context, caller, 'addSecondFactor', userId, () =>
    turnOn(context, caller, userId, secret, step),
  )
  return getSecondFactor(context, caller)
}

async function findPendingSecret(context: Context, userId: string): Promise<Buffer> {
  const [row] = await context.db.query<{ secret: Buffer | null; confirmed: Date | null }>(
    sql`select secret, confirmed from countersign.second_factors where "user" = ${userId}`,
  )
  if (row?.confirmed) throw refuse('secondFactorOn')
  if (!row?.secret) throw refuse('invalidSecondFactorCode')
  return row.secret
}

async function checkFirstCode(context: Context, userId: string, sealed: Buffer, code: string): Promise<number> {
  const secret = openTotp(context, sealed)
  return underCodeLimit(context, userId, async () =>
    secret === undefined ? undefined : findTotpStep(context, secret, code),
  )
}

/** In a transaction that holds the user. The secret must still be the one whose code was shown. */
async function turnOn(context: Context, caller: Caller, userId: string, secret: Buffer, step: number): Promise<void> {
  const now = sql.param(context.clock.now())
  const turned = await context.db.query(sql`
    update countersign.second_factors set confirmed = ${now}, last_step = ${step}
    where "user" = ${userId} and secret = ${secret} and confirmed is null
    returning 1`)
  if (turned.length === 0) throw refuse('invalidSecondFactorCode')
  await recordActivity(context, caller, userId, 'turnSecondFactorOn', { method: 'totp' })
  await notifyOfAddition(context, caller, userId, (say) => say('secondFactorOn'))
}

/** Has a passkey asked for after every other sign-in method, or no longer. */
async function updateSecondFactor(
  context: Context,
  caller: Caller,
  { passkey }: { passkey: boolean },
): Promise<SecondFactorRecord> {
  const { userId } = requireSession(caller)
  const change = passkey ? 'addSecondFactor' : 'removeSecondFactor'
  await makeSensitiveChange(context, caller, change, userId, async () => {
    if (passkey) {
      const own = await context.db.query(sql`select from countersign.passkeys where "user" = ${userId} limit 1`)
      if (own.length === 0) throw refuse('passkeyMissing')
    }
    if (!passkey) await setAsideFactor(context, userId)
    await context.db.query(sql`
      insert into countersign.second_factors as f ("user", by_passkey, created)
      values (${userId}, ${passkey}, ${context.clock.now()})
      on conflict ("user") do update set by_passkey = excluded.by_passkey,
        created = case when excluded.by_passkey and not f.by_passkey then excluded.created else f.created end`)
    await requireDemandedFactor(context, caller, userId)
    await recordActivity(context, caller, userId, passkey ? 'turnSecondFactorOn' : 'turnSecondFactorOff', {
      method: 'passkey',
    })
    if (passkey) await notifyOfAddition(context, caller, userId, (say) => say('secondFactorOn'))
    else notifyOwner(context, userId, (say) => say('secondFactorOff'))
  })
  return getSecondFactor(context, caller)
}

/** Asks for no second factor any more. */
async function removeSecondFactor(context: Context, caller: Caller): Promise<SecondFactorRecord> {
  const { userId } = requireSession(caller)
  await makeSensitiveChange(context, caller, 'removeSecondFactor', userId, () => turnOff(context, caller, userId))
  return getSecondFactor(context, caller)
}

/** In a transaction that holds the user. */
export async function turnOff(context: Context, caller: Caller, userId: string): Promise<void> {
  await setAsideFactor(context, userId)
  const gone = await context.db.query(sql`
    delete from countersign.second_factors
    where "user" = ${userId}
    returning confirmed is not null or by_passkey as on`)
  await context.db.query(sql`delete from countersign.remembered_devices where "user" = ${userId}`)
  await requireDemandedFactor(context, caller, userId)
  if (!gone.some((row) => (row as { on: boolean }).on)) return
  await recordActivity(context, caller, userId, 'turnSecondFactorOff')
  notifyOwner(context, userId, (say) => say('secondFactorOff'))
}

/** Ends remembered browsers. Needs no proof, because it opens nothing. */
async function forgetDevices(context: Context, caller: Caller): Promise<Record<never, never>> {
  const { userId } = requireSession(caller)
  await context.db.query(sql`delete from countersign.remembered_devices where "user" = ${userId}`)
  return {}
}

type SecondStep = {
  ticket: string
  code?: string | undefined
  credential?: Assertion | undefined
  rememberDevice?: boolean | undefined
}

/** The second step of a sign-in. `device` is the secret that has this browser remembered. */
export async function signInWithSecondFactor(
  context: Context,
  caller: Caller,
  { ticket: text, code, credential, rememberDevice = false }: SecondStep,
): Promise<{ user: UserRecord; device?: string }> {
  const ticket = await readTicket(context, caller, text)
  const { user: userId, createdWith, proof } = ticket
  const found = await findUser(context, userId)
  if (!found || (isLocked(found) && !ticket.restores && ticket.returns === undefined))
    throw refuse('accountLocked', undefined, { status: 401 })
  let opening = ticket
  if (ticket.setUp) opening = await setUpBy(context, caller, ticket, code)
  else if (credential !== undefined) await provePasskeyOf(context, caller, ticket, credential)
  else if (code === undefined) throw refuse('proofMissing')
  // Two recovery codes are one sheet of paper.
  else if (createdWith.authProvider === 'recovery') await checkTotp(context, userId, code)
  else await proveByCode(context, caller, userId, code)
  let row = found
  if (ticket.restores) [opening, row] = await restoreBy(context, caller, opening)
  if (ticket.returns !== undefined) {
    opening = await returnBy(context, caller, opening, ticket.returns)
    row = (await findUser(context, userId)) ?? row
  }
  await runBeforeSignIn(context, caller, encodeUser(context, row))
  const session = await createSession(context, caller, userId, {
    by: secondStepAfter(ticket.by),
    methods: [ticket.by as ProofKind, credential === undefined ? 'secondCode' : 'secondPasskey'],
    createdWith,
    proof,
    still: stillStamped(opening),
  })
  const user = { ...encodeUser(context, row), objectId: userId, sessionToken: session.token }
  await runAfter(context, caller, { hook: 'afterSignIn', className: '_User', object: user })
  const device = rememberDevice && session.isConfirmed ? await rememberThis(context, userId) : undefined
  return { user: user as UserRecord, ...(device !== undefined && { device }) }
}

/**
 * Rejects weak proofs: a stranger with a relayed legacy text, or a stolen key without a PIN, would set up their own
 * factor and lock out the owner.
 */
function refuseWeak({ by }: Ticket): void {
  if (!confirmedBy(by as ProofKind)) return
  if (by === ('passkeyTouch' satisfies ProofKind)) throw refuse('passkeyNotVerifyingUser')
  throw refuse('reauthenticationRequired', undefined, { details: 'Sign in from a page, or with a whole message.' })
}

/**
 * Turns on an app with its first code, if the operator requires one and there was none. That changes the account's
 * stamp: the ticket continues with the new one, if nothing else has changed.
 */
async function setUpBy(context: Context, caller: Caller, ticket: Ticket, code: string | undefined): Promise<Ticket> {
  const { user } = ticket
  refuseWeak(ticket)
  if (code === undefined) throw refuse('proofMissing')
  const secret = await findPendingSecret(context, user)
  const step = await checkFirstCode(context, user, secret, code)
  return context.db.transaction(async () => {
    await lockUsers(context, [user])
    if ((await findStamp(context, user)) !== ticket.stamp) throw refuse('signInTicketExpired')
    await turnOn(context, caller, user, secret, step)
    return { ...ticket, stamp: await findStamp(context, user) }
  })
}

/**
 * Restores an account that was to be deleted. That changes its stamp, too: the ticket continues with the new one, if
 * nothing else has changed.
 */
async function restoreBy(context: Context, caller: Caller, ticket: Ticket): Promise<[Ticket, UserRow]> {
  const { user } = ticket
  return context.db.transaction(async () => {
    await lockUsers(context, [user])
    if ((await findStamp(context, user)) !== ticket.stamp) throw refuse('signInTicketExpired')
    const row = await restoreAccount(context, caller, user, { isWanted: true })
    if (!row) throw refuse('accountLocked', undefined, { status: 401 })
    return [{ ...ticket, stamp: await findStamp(context, user) }, row]
  })
}

/** The same for a wallet that returns to the account. */
async function returnBy(context: Context, caller: Caller, ticket: Ticket, key: string): Promise<Ticket> {
  const { user } = ticket
  return context.db.transaction(async () => {
    await lockUsers(context, [user])
    if ((await findStamp(context, user)) !== ticket.stamp) throw refuse('signInTicketExpired')
    await returnWallet(context, caller, { key, user })
    return { ...ticket, stamp: await findStamp(context, user) }
  })
}

/**
 * A passkey may be without a check of its user here: the first proof has shown more than that somebody holds it. Where
 * that was a passkey, too, the same one twice would be one factor.
 */
async function provePasskeyOf(context: Context, caller: Caller, ticket: Ticket, credential: Assertion): Promise<void> {
  const proven = await provePasskey(context, caller, 'signIn', credential)
  if (proven.userId !== ticket.user) throw refuse('passkeyOfOtherAccount')
  if (ticket.createdWith.authProvider === 'passkey' && !proven.userVerified) throw refuse('passkeyNotVerifyingUser')
}

/** By the app or by a recovery code, whichever it is. The long ones need no limit: nobody guesses 80 bits. */
export async function proveByCode(context: Context, caller: Caller, userId: string, code: string): Promise<void> {
  const isRecoveryCode = readTypedCode(code).length > 6
  if (!isRecoveryCode) return checkTotp(context, userId, code)
  if (!(await spendRecoveryCode(context, caller, userId, code))) throw refuse('invalidSecondFactorCode')
}

const mostDevices = 20

async function rememberThis({ db, clock, config }: Context, userId: string): Promise<string | undefined> {
  const days = config.secondFactor.rememberDays
  if (days === 0) return undefined
  const device = newToken()
  const now = clock.now()
  await db.query(sql`
    with kept as (
      select hash from countersign.remembered_devices
      where "user" = ${userId}
      order by created desc
      limit ${mostDevices - 1}
    ), gone as (
      delete from countersign.remembered_devices where "user" = ${userId} and hash not in (select hash from kept)
    )
    insert into countersign.remembered_devices (hash, "user", created, expires)
    values (${hashToken(device)}, ${userId}, ${now}, ${new Date(now.getTime() + days * 24 * 3_600_000)})`)
  return device
}

export const getSecondFactorEndpoint = defineEndpoint('getSecondFactor', {
  handle: ({ context, caller }) => getSecondFactor(context, caller),
})

export const updateSecondFactorEndpoint = defineEndpoint('updateSecondFactor', {
  handle: ({ context, caller, input }) => updateSecondFactor(context, caller, input),
})

export const removeSecondFactorEndpoint = defineEndpoint('removeSecondFactor', {
  handle: ({ context, caller }) => removeSecondFactor(context, caller),
})

export const forgetDevicesEndpoint = defineEndpoint('forgetDevices', {
  handle: ({ context, caller }) => forgetDevices(context, caller),
})

export const startTotpEndpoint = defineEndpoint('startTotp', {
  handle: ({ context, caller, input }) => startTotp(context, caller, input),
})

export const confirmTotpEndpoint = defineEndpoint('confirmTotp', {
  handle: ({ context, caller, input }) => confirmTotp(context, caller, input.code),
})

export const signInWithSecondFactorEndpoint = defineEndpoint('signInWithSecondFactor', {
  async handle({ context, caller, input }) {
    const { user, device } = await signInWithSecondFactor(context, caller, input)
    return device === undefined
      ? user
      : respond(user, { headers: { 'Set-Cookie': writeDeviceCookie(context, device) } })
  },
})
