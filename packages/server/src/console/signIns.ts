import { type EndpointTypes, refuse, type SignInLogMethod, type SignInResult } from '@countersign/protocol'
import type { Context } from '../context/Context.ts'
import { type Fragment, sql } from '../db/sql.ts'
import { defineEndpoint } from '../endpoint/defineEndpoint.ts'
import { nameKey } from '../users/usernames.ts'

type Input = EndpointTypes['listSignIns']['input']

type Row = {
  id: string
  at: Date
  result: SignInResult
  method: SignInLogMethod
  reason: string | null
  user: string | null
  username: string | null
  ipAddress: string | null
  userAgent: string | null
  count: number
}

const day = 86_400_000

/** Accounts that one text names: a username and an email address of two accounts may be equal. */
const mostNamed = 50

/** Sign-in attempts, newest first. Successful ones are those of the accounts' activity. */
async function listSignIns(context: Context, input: Input): Promise<EndpointTypes['listSignIns']['output']> {
  const { db, clock, config, services } = context
  const days = config.signInLogDays
  if (days === 0) return { days, results: [] }
  await services.failedSignIns?.flush()
  const users = input.user?.trim() ? await findUsers(context, input.user.trim()) : undefined
  if (users?.length === 0) return { days, results: [] }
  const most = Number(input.limit ?? '50')
  const sources = [
    ...(input.result === 'succeeded' ? [] : [failed(input)]),
    ...(input.result === 'failed' || input.result === 'incomplete' ? [] : [succeeded]),
  ]
  const conditions = [sql`at >= ${new Date(clock.ms() - days * day)}`, ...readConditions(input, users)]
  const parts = sources.map(
    (source) => sql`(
      select * from (${source}) s where ${sql.join(conditions, ' and ')}
      order by at desc, id collate "C" desc
      limit ${most + 1})`,
  )
  const rows = await db.query<Row>(sql`
    select p.*, u.username from (${sql.join(parts, ' union all ')}) p
    left join "_User" u on u."objectId" = p."user"
    order by p.at desc, p.id collate "C" desc
    limit ${most + 1}`)
  const page = rows.slice(0, most)
  const last = page.at(-1)
  return {
    days,
    results: page.map(encode),
    ...(rows.length > most && last && { next: `${last.at.toISOString()}_${last.id}` }),
  }
}

const failed = ({ result }: Input) => sql`
  select 'f' || id as id, at, case when is_incomplete then 'incomplete' else 'failed' end as result,
    case method when 'olderClient' then 'legacyClient' else method end as method, reason, "user", "ipAddress",
    "userAgent", count
  from countersign.failed_sign_ins
  where ${result === undefined ? sql`true` : sql`is_incomplete = ${result === 'incomplete'}::boolean`}`

/** Of accounts that exist: nothing is shown about a deleted one. */
const succeeded = sql`
  select a.id, a.at, 'succeeded' as result,
    case a.details ->> 'authProvider'
      when 'password' then 'password' when 'eip155' then 'wallet' when 'solana' then 'wallet'
      when 'passkey' then 'passkey' when 'emailCode' then 'emailCode' when 'recovery' then 'recoveryCode'
      when 'farcaster' then 'farcaster' when 'anonymous' then 'guest' when 'masterkey' then 'operator'
      when 'operator' then 'operator' else 'provider' end as method,
    null as reason, a."user", a."ipAddress", a."userAgent", 1 as count
  from countersign.activity a
  where a.action in ('signIn', 'signUp') and a.details ? 'session'
    and exists (select from "_User" u where u."objectId" = a."user")`

function readConditions({ method, address, from, until, after }: Input, users: string[] | undefined): Fragment[] {
  const conditions: Fragment[] = []
  if (users) conditions.push(sql`"user" = any(${users}::text[])`)
  if (method) conditions.push(sql`method = ${method}`)
  if (address?.trim()) conditions.push(sql`starts_with("ipAddress", ${address.trim().toLowerCase()})`)
  if (from !== undefined) conditions.push(sql`at >= ${new Date(from)}`)
  if (until !== undefined) conditions.push(sql`at < ${new Date(until)}`)
  if (after !== undefined) {
    const cut = after.indexOf('_')
    const [time, id] = [after.slice(0, cut), after.slice(cut + 1)]
    if (Number.isNaN(Date.parse(time)))
      throw refuse('invalidInput', { field: 'after', problem: 'is not a cursor of this list' })
    const at = sql.param(new Date(time))
    conditions.push(sql`(at < ${at} or (at = ${at} and id collate "C" < ${id}::text))`)
  }
  return conditions
}

async function findUsers({ db }: Context, wanted: string): Promise<string[]> {
  const key = nameKey(wanted)
  const rows = await db.query<{ objectId: string }>(sql`
    select "objectId" from "_User"
    where "objectId" = ${wanted} or "_username_key" = ${key} or "_email_key" = ${key}
      or "objectId" in (
        select "user" from countersign.wallets where address = any(${[wanted, wanted.toLowerCase()]}::text[]))
    limit ${mostNamed}`)
  return rows.map(({ objectId }) => objectId)
}

function encode({ id, at, result, method, reason, user, username, ipAddress, userAgent, count }: Row) {
  return {
    objectId: id,
    at: at.toISOString(),
    result,
    method,
    ...(reason !== null && { reason }),
    ...(user !== null && username !== null && { user: { objectId: user, username } }),
    ...(ipAddress !== null && { ipAddress }),
    ...(userAgent !== null && { userAgent }),
    count,
  }
}

/** Refused attempts since a time. */
export async function countFailedSignIns({ db, services }: Context, since: Date): Promise<number> {
  await services.failedSignIns?.flush()
  const [row] = await db.query<{ count: number }>(sql`
    select coalesce(sum(count), 0)::float8 as count from countersign.failed_sign_ins
    where at > ${since} and not is_incomplete`)
  return row?.count ?? 0
}

export const listSignInsEndpoint = defineEndpoint('listSignIns', {
  handle: ({ context, input }) => listSignIns(context, input),
})
