import { type CreatedWith, refuse } from '@countersign/protocol'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { type Fragment, sql } from '../db/sql.ts'
import { decrypt, encrypt } from '../keys/secrets.ts'
import { hashToken } from '../keys/tokens.ts'
import { countInWindow } from './countInWindow.ts'
import { notifyOwner } from './email/notifyOwner.ts'

/** SQL: whether the account of `u` asks for a second factor. */
export const hasSecondFactor = sql`exists (
  select from countersign.second_factors f
  where f."user" = u."objectId" and (f.confirmed is not null
    or f.by_passkey and exists (select from countersign.passkeys p where p."user" = f."user"))
)`

export type SecondFactor = { totp: boolean; passkey: boolean }

/** Second factor of an account; both false if it has none. */
export async function findSecondFactor({ db }: Context, userId: string): Promise<SecondFactor> {
  const user = sql.param(userId)
  const [row] = await db.query<SecondFactor & { byPasskey: boolean }>(
    sql.named('find-second-factor')`
      select confirmed is not null as totp, by_passkey as "byPasskey",
        exists (select from countersign.passkeys p where p."user" = ${user}) as passkey
      from countersign.second_factors f
      where f."user" = ${user}`,
  )
  if (!row) return { totp: false, passkey: false }
  const { totp, passkey, byPasskey } = row
  return totp || (byPasskey && passkey) ? { totp, passkey } : { totp: false, passkey: false }
}

/** Returns true if the account has a second factor from before that time. */
export async function hasFactorSince(context: Context, userId: string, before: Date): Promise<boolean> {
  const { totp, passkey } = await findSecondFactor(context, userId)
  if (!totp && !passkey) return false
  const rows = await context.db.query(
    sql`
      select from countersign.second_factors
      where "user" = ${userId} and (confirmed < ${before} or by_passkey and created < ${before})`,
  )
  return rows.length > 0
}

/** Returns true if a password alone does not open the account: it needs a second factor or an additional provider. */
export async function asksForMore(context: Context, userId: string): Promise<boolean> {
  const { totp, passkey } = await findSecondFactor(context, userId)
  if (totp || passkey) return true
  return (await findAdditional(context, userId)).length > 0
}

/** Names of the additional providers that are set up in an account. */
export async function findAdditional({ db, authProviders }: Context, userId: string): Promise<string[]> {
  const names = [...authProviders.values()].filter(({ policy }) => policy === 'additional').map(({ name }) => name)
  if (names.length === 0) return []
  const rows = await db.query<{ provider: string }>(sql`
    select provider from countersign.identities
    where "user" = ${userId} and provider = any(${names})
    order by provider`)
  return rows.map(({ provider }) => provider)
}

/** Returns true if the operator requires a second factor of this user: of everyone, or of members of a role. */
export async function isSecondFactorRequired({ config, db }: Context, userId: string): Promise<boolean> {
  const { required } = config.secondFactor
  if (required === false || required === 'everyone') return required === 'everyone'
  const rows = await db.query(sql`
    with recursive held as (
      select "owningId" as id from public."_Join:users:_Role" where "relatedId" = ${userId}
      union
      select j."owningId" from held join public."_Join:roles:_Role" j on j."relatedId" = held.id
    )
    select from held join public."_Role" r on r."objectId" = held.id where r.name = any(${required.roles})
    union all
    select from countersign.operators o where o."user" = ${userId} and o.role = any(${required.roles})
    limit 1`)
  return rows.length > 0
}

/** A required factor can be replaced but not removed. The master key may, for an owner who lost it. */
export async function requireDemandedFactor(context: Context, caller: Caller, userId: string): Promise<void> {
  if (caller.isMaster || !(await isSecondFactorRequired(context, userId))) return
  const { totp, passkey } = await findSecondFactor(context, userId)
  if (!totp && !passkey) throw refuse('secondFactorDemanded')
}

/** Proof of the first step of a sign-in. */
export type FirstStep = {
  /** The kind of proof, as `sessions/admit.ts` names it. */
  by: string
  createdWith: CreatedWith
  proof?: { message: string; signature: string } | undefined
  /** The account is to be deleted, and comes back by the second step. */
  restores?: true | undefined
  /** Key of a wallet that returns to the account by the second step. */
  returns?: string | undefined
}

/**
 * Passes the first step of a sign-in if the account has no second factor, or the browser is remembered; otherwise
 * refuses with a ticket for the second step. Returns true if the browser replaced the factor. Writes nothing: a refusal
 * may roll back its transaction. Part of `sessions/admit.ts`.
 */
export async function passSecondFactor(
  context: Context,
  caller: Caller,
  userId: string,
  first: FirstStep,
): Promise<boolean> {
  const factor = await findSecondFactor(context, userId)
  const isOn = factor.totp || factor.passkey
  if (!isOn && !(await isSecondFactorRequired(context, userId))) return false
  if (isOn && (await isRemembered(context, caller, userId))) return true
  const ticket = await writeTicket(context, caller, { ...first, user: userId, setUp: !isOn })
  if (!isOn) throw refuse('secondFactorSetUpRequired', { ticket })
  throw refuse('secondFactorRequired', { ticket, ...factor })
}

async function isRemembered({ db, clock }: Context, caller: Caller, userId: string): Promise<boolean> {
  if (!caller.device) return false
  const rows = await db.query(sql`
    select from countersign.remembered_devices
    where hash = ${hashToken(caller.device)} and "user" = ${userId} and expires > ${clock.now()}`)
  return rows.length > 0
}

/** Seconds between the first step of a sign-in and the second. */
const ticketLength = 300

type TicketContent = FirstStep & {
  user: string
  /** True if the operator requires a factor and there is none yet. */
  setUp: boolean
}

export type Ticket = TicketContent & { stamp: string; expires: number; binding: string | undefined }

/**
 * Encrypts the proof of the first step for the second. Contains a stamp of the account's sign-in methods: the ticket
 * ends once the password, a wallet or the second factor changes.
 */
async function writeTicket(context: Context, caller: Caller, content: TicketContent): Promise<string> {
  const { proof, ...rest } = content
  const ticket: Ticket = {
    ...rest,
    // Shown to the owner later; one of a large contract account does not fit.
    ...(proof && proof.message.length + proof.signature.length < 6_000 && { proof }),
    stamp: await findStamp(context, content.user),
    expires: context.clock.ms() + ticketLength * 1000,
    binding: caller.binding && hashToken(caller.binding).toString('base64'),
  }
  return encrypt(context.keys, 'sign-in ticket', JSON.stringify(ticket)).toString('base64url')
}

export async function readTicket(context: Context, caller: Caller, text: string): Promise<Ticket> {
  const json = decrypt(context.keys, 'sign-in ticket', Buffer.from(text, 'base64url'))
  const ticket = json === undefined ? undefined : (JSON.parse(json) as Ticket)
  if (!ticket || ticket.expires <= context.clock.ms()) throw refuse('signInTicketExpired')
  if (ticket.binding && ticket.binding !== (caller.binding && hashToken(caller.binding).toString('base64')))
    throw refuse('challengeOfOtherBrowser')
  if ((await findStamp(context, ticket.user)) !== ticket.stamp) throw refuse('signInTicketExpired')
  return ticket
}

/** SQL: a hash over all that opens the account. */
function stampOf(userId: string): Fragment {
  const user = sql.param(userId)
  return sql`
    select encode(sha256(convert_to(concat_ws('|',
      u."objectId", u."_password_hash", u."_email_key", u."emailVerified", encode(u."_anonymous", 'hex'),
      u."_rperm"::text,
      (select string_agg(key, ',' order by key) from countersign.wallets where "user" = ${user}),
      (select string_agg("objectId", ',' order by "objectId") from countersign.passkeys where "user" = ${user}),
      (select string_agg(provider || ' ' || id, ',' order by provider, id)
        from countersign.identities where "user" = ${user}),
      (select concat(confirmed, ' ', by_passkey)
        from countersign.second_factors where "user" = ${user} and (confirmed is not null or by_passkey))
    ), 'UTF8')), 'hex') as stamp
    from "_User" u
    where u."objectId" = ${user}`
}

/** Hash of the account's current sign-in methods. */
export async function findStamp({ db }: Context, userId: string): Promise<string> {
  const [row] = await db.query<{ stamp: string }>(stampOf(userId))
  return row?.stamp ?? ''
}

/** SQL: finds what the ticket was given for, as long as that opens the account. */
export function stillStamped({ user, stamp }: Ticket): Fragment {
  return sql`select from (${stampOf(user)}) now where now.stamp = ${stamp}`
}

const period = 30
const digits = 6

/** Loaded at first use: a server whose users have no second factor does without it. */
const loadTotp = () => import('otpauth')

/** A new secret of 160 bits. */
export async function newTotpSecret(): Promise<string> {
  const { Secret } = await loadTotp()
  return new Secret({ size: 20 }).base32
}

export async function describeTotp({ config }: Context, secret: string, account: string): Promise<string> {
  const { TOTP, Secret } = await loadTotp()
  return new TOTP({ issuer: config.appName, label: account, secret: Secret.fromBase32(secret) }).toString()
}

/** The 30 seconds that a code is for, one more or less than now for clocks that differ; `undefined` where it is wrong. */
export async function findTotpStep({ clock }: Context, secret: string, code: string): Promise<number | undefined> {
  const { TOTP, Secret } = await loadTotp()
  const token = code
    .normalize('NFKC')
    .replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 15))
  const plain = token.replace(/\s/g, '')
  if (!/^\d{6}$/.test(plain)) return undefined
  const totp = new TOTP({ secret: Secret.fromBase32(secret), period, digits })
  const delta = totp.validate({ token: plain, timestamp: clock.ms(), window: 1 })
  return delta === null ? undefined : Math.floor(clock.ms() / 1000 / period) + delta
}

const day = 24 * 60 * 60_000

/** Wrong codes in a day for one account. Who enters them has shown the first factor already. */
const mostWrong = 20

/**
 * Runs a check of a code. It is counted as wrong before it runs, so that a burst of guesses cannot outrun the count, and
 * taken back where it fits.
 */
export async function underCodeLimit<Result>(
  context: Context,
  userId: string,
  check: () => Promise<Result | undefined>,
): Promise<Result> {
  const { db, clock } = context
  const key = `TOTP ${userId}`
  const { count, since } = await countInWindow(context, key, day)
  if (count > mostWrong) {
    const minutes = Math.ceil((since.getTime() + day - clock.ms()) / 60_000)
    throw refuse('tooManyFailedSignIns', { minutes })
  }
  const result = await check()
  if (result !== undefined) {
    await db.query(sql`update countersign.email_code_counts set count = count - 1 where key = ${key} and count > 0`)
    return result
  }
  if (count === mostWrong) notifyOwner(context, userId, (say) => say('secondFactorGuessed'))
  throw refuse('invalidSecondFactorCode')
}

/** Checks a code of the account's authenticator app and uses it up. Counts what is wrong. */
export async function checkTotp(context: Context, userId: string, code: string): Promise<void> {
  await underCodeLimit(context, userId, async () => {
    const [row] = await context.db.query<{ secret: Buffer | null }>(
      sql`select secret from countersign.second_factors where "user" = ${userId} and confirmed is not null`,
    )
    const secret = row?.secret ? openTotp(context, row.secret) : undefined
    const step = secret === undefined ? undefined : await findTotpStep(context, secret, code)
    return step !== undefined && (await useStep(context, userId, step)) ? true : undefined
  })
}

/** Consumes a code: of two concurrent uses one succeeds, and a code seen over a shoulder is worthless. */
async function useStep({ db }: Context, userId: string, step: number): Promise<boolean> {
  const used = await db.query(sql`
    update countersign.second_factors set last_step = ${step}
    where "user" = ${userId} and last_step < ${step}
    returning 1`)
  return used.length > 0
}

export const sealTotp = ({ keys }: Context, secret: string) => encrypt(keys, 'totp', secret)
export const openTotp = ({ keys }: Context, sealed: Buffer) => decrypt(keys, 'totp', sealed)
