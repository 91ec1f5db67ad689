import { refuse } from '@countersign/protocol'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { sql } from '../db/sql.ts'
import { hashToken } from '../keys/secrets.ts'
import { type FirstStep, writeTicket } from './tickets.ts'

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
