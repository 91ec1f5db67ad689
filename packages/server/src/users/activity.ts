import { randomUUID } from 'node:crypto'
import type { ActivityRecord, EndpointTypes, WireFields } from '@countersign/protocol'
import { actorOf, type Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { sql } from '../db/sql.ts'
import { defineEndpoint } from '../endpoint/defineEndpoint.ts'
import { requireSession } from './sessions/sessions.ts'

/** Writes down what happened to an account, in the transaction of the change. */
export async function recordActivity(
  { db, clock }: Context,
  caller: Caller,
  userId: string,
  action: string,
  details: object = {},
): Promise<void> {
  // An operator's act is not the user's own, in the console or in a session opened for the user.
  const isOwn = !caller.operator && caller.session?.openedBy === undefined
  const { grant } = caller.token ?? {}
  const byToken = grant ? { ...details, token: grant.id, name: grant.name } : details
  const noted = isOwn ? byToken : { ...byToken, actor: actorOf(caller) }
  await db.query(sql.named('note-activity')`
    insert into countersign.activity (id, "user", action, details, "ipAddress", "userAgent", at)
    values (${randomUUID()}, ${userId}, ${action}, ${noted}, ${caller.ipAddress},
      ${caller.userAgent?.slice(0, 512) ?? null}, ${clock.now()})`)
}

type ActivityRow = {
  id: string
  action: string
  details: WireFields
  ipAddress: string | null
  userAgent: string | null
  at: Date
}

/** Events of the caller's account, newest first. Never those of another account. */
export async function listActivity(
  context: Context,
  caller: Caller,
  input: EndpointTypes['listActivity']['input'],
): Promise<{ results: ActivityRecord[] }> {
  return listActivityOf(context, requireSession(caller).userId, input)
}

/** The same for any account, for code that has checked the caller. */
export async function listActivityOf(
  { db }: Context,
  userId: string,
  { before, limit = 50, actions, userAgents }: EndpointTypes['listActivity']['input'],
): Promise<{ results: ActivityRecord[] }> {
  // Entries of one instant come on one page: the next page starts before that instant and would miss the rest.
  const rows = await db.query<ActivityRow>(
    sql`
      select * from (
        select id, action, details, "ipAddress", "userAgent", at from countersign.activity
        where "user" = ${userId} and at < coalesce(${before ?? null}::timestamptz, 'infinity')
          and (${actions ?? null}::text[] is null or action = any(${actions ?? null}))
          and (${userAgents ?? null}::text[] is null or "userAgent" = any(${userAgents ?? null}))
        order by at desc fetch first ${limit} rows with ties
      ) page order by at desc, id`,
  )
  return { results: rows.map(encode) }
}

function encode({ ipAddress, userAgent, at, ...row }: ActivityRow): ActivityRecord {
  return {
    ...row,
    ...(ipAddress !== null && { ipAddress }),
    ...(userAgent !== null && { userAgent }),
    at: at.toISOString(),
  }
}

export const listActivityEndpoint = defineEndpoint('listActivity', {
  handle: ({ context, caller, input }) => listActivity(context, caller, input),
})
