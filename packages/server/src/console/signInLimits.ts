import { type EndpointTypes, refuse, type SignInLockoutRecord } from '@countersign/protocol'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { sql } from '../db/sql.ts'
import { defineEndpoint } from '../endpoint/defineEndpoint.ts'
import { isOperator } from '../users/operators.ts'
import { forgetFailures, readLockoutKey } from '../users/passwords/lockout.ts'
import { createGathering, type Gathering } from '../work/createGathering.ts'

/** A rate limit without anything left for an address. */
export type UsedUpRule = {
  id: string
  address: string
  path: string
  methods?: string[]
  requests: number
  until: string
}

declare module '../context/Context.ts' {
  interface Services {
    /** Used-up rate limits of every worker; at most so many of each. */
    usedUpRules?: Gathering<number, UsedUpRule[]>
  }
}

const mostListed = 100

/** Reports the used-up rate limits of this worker to the others. Returns a function that ends it. */
export function shareUsedUpRules(context: Context, list: (most: number) => UsedUpRule[]): () => void {
  const usedUpRules = createGathering('usedUpRules', list)
  context.services.usedUpRules = usedUpRules
  return usedUpRules.close
}

const channel = 'countersign_lifted'

/** Forgets rate limits that an operator has lifted on any server. */
export function watchLifted({ db, limits }: Context): Promise<() => Promise<void>> {
  return db.listen(channel, (id) => limits.forget(id))
}

type Row = { id: string; name_key: string; failures: number; locked_until: Date }

async function listLocked({ db, clock }: Context, id?: string): Promise<Row[]> {
  return db.query<Row>(sql`
    select * from (
      select encode(sha256(convert_to(name_key, 'UTF8')), 'hex') as id, name_key, failures, locked_until
      from countersign.login_failures where locked_until > ${clock.now()}
    ) locked
    where ${id === undefined ? sql`true` : sql`id = ${id}`}
    order by locked_until desc, id
    limit ${mostListed}`)
}

/** Lockouts with their accounts. A name without an account is not shown: it may be a password in the wrong field. */
async function describeLocked(context: Context, rows: Row[]): Promise<SignInLockoutRecord[]> {
  const keys = rows.map(({ name_key }) => readLockoutKey(name_key))
  const users = await context.db.query<{ objectId: string; username: string; names: (string | null)[] }>(sql`
    select "objectId", username, array["_username_key", "_email_key"] as names from "_User"
    where "objectId" = any(${keys.flatMap(({ userId }) => userId ?? [])}::text[])
      or "_username_key" = any(${keys.map(({ name }) => name)}::text[])
      or "_email_key" = any(${keys.map(({ name }) => name)}::text[])`)
  return rows.map(({ id, failures, locked_until }, place) => {
    const { secret, userId, name } = keys[place] as (typeof keys)[number]
    const user = users.find(({ objectId, names }) =>
      userId === undefined ? names.includes(name) : objectId === userId,
    )
    return {
      objectId: id,
      secret,
      ...(user && { user: { objectId: user.objectId, username: user.username } }),
      isKnownBrowser: userId !== undefined,
      failures,
      until: locked_until.toISOString(),
    }
  })
}

async function listSignInLimits(context: Context): Promise<EndpointTypes['listSignInLimits']['output']> {
  const [lockouts, lists] = await Promise.all([
    listLocked(context).then((rows) => describeLocked(context, rows)),
    context.services.usedUpRules?.ask(mostListed) ?? [],
  ])
  const rules = new Map(lists.flat().map(({ id, ...rule }) => [id, { objectId: id, ...rule }]))
  return { lockouts, rateLimits: [...rules.values()].slice(0, mostListed) }
}

/**
 * Lifts a lockout, or a rate limit on all servers. Support lifts lockouts of users alone: one of an operator keeps
 * others from guessing an administrator's password, and a rate limit protects all accounts.
 */
async function liftSignInLimit(context: Context, caller: Caller, id: string): Promise<{ objectId?: string }> {
  const { db } = context
  if (!/^[0-9a-f]{64}$/.test(id)) {
    if (caller.operator === 'support') throw refuse('operatorForbidden')
    const known = ((await context.services.usedUpRules?.ask(mostListed)) ?? []).flat()
    if (!known.some((rule) => rule.id === id)) throw refuse('objectNotFound')
    await db.query(sql`delete from countersign.limit_windows where key = ${id}`)
    context.limits.forget(id)
    await db.query(sql`select pg_notify(${channel}, ${id})`)
    return {}
  }
  const rows = await listLocked(context, id)
  const [described] = await describeLocked(context, rows)
  if (!described) throw refuse('objectNotFound')
  const { user } = described
  if (caller.operator === 'support' && user && (await isOperator(context, user.objectId)))
    throw refuse('operatorForbidden')
  await forgetFailures(
    context,
    rows.map(({ name_key }) => name_key),
  )
  return { ...(user && { objectId: user.objectId }) }
}

export const listSignInLimitsEndpoint = defineEndpoint('listSignInLimits', {
  handle: ({ context }) => listSignInLimits(context),
})

export const liftSignInLimitEndpoint = defineEndpoint('liftSignInLimit', {
  handle: ({ context, caller, params }) => liftSignInLimit(context, caller, params.limit),
})
