import { CountersignError, longest } from '@countersign/protocol'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import type { Database } from '../db/Database.ts'
import { sql } from '../db/sql.ts'
import type { Body } from '../endpoint/Endpoint.ts'
import { hashToken } from '../keys/secrets.ts'
import { type CountedMethod, signInEndpoints } from '../users/signInEndpoints.ts'
import { findTicketUser } from '../users/tickets.ts'
import { nameKey } from '../users/usernames.ts'
import { hashLink } from './emailCode/emailCodes.ts'
import { parseMessage } from './wallets/SignInMessage.ts'

declare module '../context/Context.ts' {
  interface Services {
    failedSignIns?: FailedSignIns
  }
}

/** Time (ms) between two writes. */
const every = 5_000

/** Rows of one write. Further attempts share one row for each method and reason, so that a flood stays small. */
const mostAtOnce = 100

/** Rows that are kept. */
export const mostKept = 50_000

/** Rows of one account in its export. */
const mostExported = 1_000

/** Rows written by this process after which the table is cut to `mostKept`. */
const cutAfter = 1_000

/** Endpoints that check a sign-in secret without opening a session: guesses there are attempts, too. */
const attempts: ReadonlyMap<string, CountedMethod> = new Map([...signInEndpoints, ['verifyPassword', 'password']])

/** Refusals after a right proof: the account asks for more. */
const incomplete = new Set(['secondFactorRequired', 'accountDeletionPending', 'reauthenticationRequired'])

/** Account that an attempt names. In memory until the next write alone: never stored. */
type Claim = { user?: string; name?: string; wallets?: string[]; passkey?: string; mailed?: Buffer }

type Attempt = {
  at: Date
  method: CountedMethod
  reason: string
  claim: Claim
  ipAddress: string | null
  userAgent: string | null
  count: number
}

export type RefusedRequest = {
  /** Name of the endpoint. */
  endpoint: string
  body: Body
  from: Pick<Caller, 'ipAddress' | 'userAgent'>
  error: unknown
}

export type FailedSignIns = {
  /** Notes a refused request if it was a sign-in. Nobody waits for it, and its time does not depend on the account. */
  note(request: RefusedRequest): void
  flush(): Promise<void>
  stop(): Promise<void>
}

/** Collects refused sign-in attempts, and writes them every few seconds in one statement. */
export function startFailedSignIns(context: Context): FailedSignIns {
  const { clock, log, config } = context
  let waiting = new Map<string, Attempt>()
  let written = 0
  let writing: Promise<void> = Promise.resolve()

  const note: FailedSignIns['note'] = ({ endpoint, body, from, error }) => {
    const method = attempts.get(endpoint)
    if (!method || config.signInLogDays === 0) return
    const reason = error instanceof CountersignError ? error.reason : 'internalServerError'
    const attempt: Attempt = {
      ...{ at: clock.now(), method, reason, claim: readClaim(context, endpoint, body), count: 1 },
      ipAddress: from.ipAddress,
      userAgent: from.userAgent?.slice(0, 512) ?? null,
    }
    const key = JSON.stringify([method, reason, from.ipAddress, attempt.claim])
    const isSeparate = waiting.has(key) || waiting.size < mostAtOnce
    const shared = isSeparate ? key : `${method} ${reason}`
    const same = waiting.get(shared)
    if (same) Object.assign(same, { at: attempt.at, count: same.count + 1 })
    else waiting.set(shared, isSeparate ? attempt : { ...attempt, claim: {}, ipAddress: null, userAgent: null })
  }

  const flush = () => {
    const attempts = [...waiting.values()]
    waiting = new Map()
    if (attempts.length === 0) return writing
    writing = writing
      .then(async () => {
        // An account that is deleted between the search and the insert fails the statement once.
        await write(context, attempts).catch(() => write(context, attempts))
        written += attempts.length
        if (written < cutAfter) return
        written = 0
        await cutFailedSignIns(context.db)
      })
      .catch((error) => log.warn({ err: error }, 'failed sign-ins could not be recorded'))
    return writing
  }
  const timer = setInterval(flush, every)
  timer.unref()

  const failedSignIns: FailedSignIns = {
    note,
    flush,
    async stop() {
      clearInterval(timer)
      await flush()
    },
  }
  context.services.failedSignIns = failedSignIns
  return failedSignIns
}

/** Reads which account an attempt names. The body was refused, so it may be anything. */
function readClaim(context: Context, endpoint: string, body: Body): Claim {
  const read = (value: unknown, most: number) =>
    typeof value === 'string' && value !== '' && value.length <= most ? value : undefined
  const name = read(body.username, longest.username) ?? read(body.email, longest.email)
  switch (attempts.get(endpoint)) {
    case 'password':
    case 'recoveryCode':
      return name === undefined ? {} : { name: nameKey(name) }
    case 'wallet': {
      const message = parseMessage(read(body.message, longest.message) ?? '')
      if (!message) return {}
      const { namespace, chainId } = message
      const address = namespace === 'eip155' ? message.address.toLowerCase() : message.address
      return { wallets: [`${namespace}:${address}`, `${namespace}:${chainId}:${address}`] }
    }
    case 'passkey': {
      const passkey = read(Object(body.credential).id, longest.token)
      return passkey === undefined ? {} : { passkey }
    }
    case 'emailCode': {
      const handle = read(body.handle, longest.token)
      const token = read(body.token, longest.token)
      if (handle !== undefined) return { mailed: hashToken(handle) }
      return token === undefined ? {} : { mailed: hashLink(token) }
    }
    case 'secondFactor': {
      const user = findTicketUser(context, read(body.ticket, longest.signInTicket) ?? '')
      return user === undefined ? {} : { user }
    }
    default:
      return {}
  }
}

async function write({ db }: Context, rows: readonly Attempt[]): Promise<void> {
  const column = <Value>(read: (attempt: Attempt) => Value) => rows.map(read)
  // No text holds a zero byte: one would fail the whole statement, and with it the attempts of others.
  const text = (read: (attempt: Attempt) => string | null | undefined) =>
    rows.map((attempt) => read(attempt)?.replaceAll('\0', '') ?? null)
  await db.query(sql.named('write-failed-sign-ins')`
    insert into countersign.failed_sign_ins (at, method, is_incomplete, reason, "user", "ipAddress", "userAgent", count)
    select g.at, g.method, g.incomplete, g.reason, (
      select u."objectId" from "_User" u where u."objectId" = coalesce(
        g."user",
        (select w."user" from countersign.wallets w where w.key in (g.wallet, g.contract) limit 1),
        (select p."user" from countersign.passkeys p where p.credential = g.passkey),
        (select n."objectId" from "_User" n where n."_username_key" = g.name),
        (select n."objectId" from "_User" n where n."_email_key" = g.name),
        (
          select n."objectId" from countersign.email_codes c join "_User" n on n."_email_key" = c.email_key
          where c.handle = g.mailed or c.link = g.mailed limit 1
        ))
    ), g.address, g.agent, g.count
    from unnest(
      ${column(({ at }) => at)}::timestamptz[],
      ${text(({ method }) => method)}::text[],
      ${column(({ reason }) => incomplete.has(reason))}::boolean[],
      ${text(({ reason }) => reason)}::text[],
      ${text(({ ipAddress }) => ipAddress)}::text[],
      ${text(({ userAgent }) => userAgent)}::text[],
      ${column(({ count }) => count)}::int[],
      ${text(({ claim }) => claim.user)}::text[],
      ${text(({ claim }) => claim.name)}::text[],
      ${text(({ claim }) => claim.wallets?.[0])}::text[],
      ${text(({ claim }) => claim.wallets?.[1])}::text[],
      ${text(({ claim }) => claim.passkey)}::text[],
      ${column(({ claim }) => claim.mailed ?? null)}::bytea[]
    ) as g (at, method, incomplete, reason, address, agent, count, "user", name, wallet, contract, passkey, mailed)`)
}

/** Attempts that named an account, for its owner: without addresses, which are those of other people. */
export async function listFailedSignInsOf({ db, services }: Context, userId: string): Promise<object[]> {
  await services.failedSignIns?.flush()
  const rows = await db.query<{ at: Date; method: string; reason: string; count: number }>(sql`
    select at, method, reason, count from countersign.failed_sign_ins
    where "user" = ${userId} order by id desc limit ${mostExported}`)
  return rows.map(({ at, ...row }) => ({ at: at.toISOString(), ...row }))
}

/** Keeps the newest rows. Successful sign-ins are elsewhere, so a flood of failed ones removes none of them. */
export async function cutFailedSignIns(db: Database): Promise<void> {
  await db.query(sql`
    delete from countersign.failed_sign_ins where id <= (
      select id from countersign.failed_sign_ins order by id desc offset ${mostKept} limit 1)`)
}

/** Removes rows that are older than the setting allows. */
export async function sweepFailedSignIns(db: Database, now: Date, days: number): Promise<void> {
  await db.query(sql`delete from countersign.failed_sign_ins where at < ${new Date(now.getTime() - days * 86_400_000)}`)
  await cutFailedSignIns(db)
}
