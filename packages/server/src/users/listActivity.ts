import type { ActivityRecord, EndpointTypes, WireFields } from '@countersign/protocol'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { compile, sql } from '../db/sql.ts'
import { needSession } from './needSession.ts'

type ActivityRow = {
  id: string
  action: string
  details: WireFields
  ipAddress: string | null
  userAgent: string | null
  at: Date
}

/** What happened to the caller's account, newest first. Nobody sees another account's entries. */
export async function listActivity(
  { db }: Context,
  caller: Caller,
  { before, limit = 50, actions, userAgents }: EndpointTypes['listActivity']['input'],
): Promise<{ results: ActivityRecord[] }> {
  const { userId } = needSession(caller)
  // Entries of one instant come on one page: the next page starts before that instant and would miss the rest.
  const rows = await db.query<ActivityRow>(
    compile(sql`
      select * from (
        select id, action, details, "ipAddress", "userAgent", at from countersign.activity
        where "user" = ${userId} and at < coalesce(${before ?? null}::timestamptz, 'infinity')
          and (${actions ?? null}::text[] is null or action = any(${actions ?? null}))
          and (${userAgents ?? null}::text[] is null or "userAgent" = any(${userAgents ?? null}))
        order by at desc fetch first ${limit} rows with ties
      ) page order by at desc, id`),
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
