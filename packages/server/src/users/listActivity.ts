import { type ActivityRecord, CountersignError, type WireFields, type WireValue } from '@countersign/protocol'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { needSession } from './needSession.ts'

type ActivityRow = {
  id: string
  action: string
  details: WireFields
  ipAddress: string | null
  userAgent: string | null
  at: Date
}

const mostEntries = 100

/** What happened to the caller's account, newest first. Nobody sees another account's entries. */
export async function listActivity(
  { db }: Context,
  caller: Caller,
  input: { before?: WireValue; limit?: WireValue; actions?: WireValue; userAgents?: WireValue },
): Promise<{ results: ActivityRecord[] }> {
  const { userId } = needSession(caller)
  // Entries of one instant come on one page: the next page starts before that instant and would miss the rest.
  const rows = await db.query<ActivityRow>({
    text: `select * from (
             select id, action, details, "ipAddress", "userAgent", at from countersign.activity
             where "user" = $1 and at < coalesce($2::timestamptz, 'infinity')
               and ($4::text[] is null or action = any($4)) and ($5::text[] is null or "userAgent" = any($5))
             order by at desc fetch first $3 rows with ties
           ) page order by at desc, id`,
    values: [
      userId,
      readTime(input.before),
      readLimit(input.limit),
      readTexts('actions', input.actions),
      readTexts('userAgents', input.userAgents),
    ],
  })
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

function readTime(value: WireValue | undefined): Date | null {
  if (value === undefined || value === null) return null
  if (typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T/.test(value)) {
    const time = new Date(value)
    if (!Number.isNaN(time.getTime())) return time
  }
  throw new CountersignError('InvalidValue', 'before must be an ISO time, such as 2030-01-31T12:00:00.000Z.')
}

function readLimit(value: WireValue | undefined): number {
  if (value === undefined || value === null) return 50
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1) return Math.min(value, mostEntries)
  throw new CountersignError('InvalidValue', `limit must be a whole number from 1 to ${mostEntries}.`)
}

function readTexts(name: string, value: WireValue | undefined): string[] | null {
  if (value === undefined || value === null) return null
  if (Array.isArray(value) && value.length <= mostEntries) {
    const texts = value.filter((item) => typeof item === 'string')
    if (texts.length === value.length) return texts
  }
  throw new CountersignError('InvalidValue', `${name} must be a list of at most ${mostEntries} texts.`)
}
