import { CountersignError, refuse, type WireChanges, type WireFields } from '@countersign/protocol'
import { relationsOf, typesOf } from '../../classes/Change.ts'
import { compileChanges, echoOf, writeRelated } from '../../classes/compileChanges.ts'
import { columnNames, decodeRow } from '../../classes/decodeRow.ts'
import { fillFileUrls } from '../../classes/fileUrls.ts'
import { readChanges } from '../../classes/readChanges.ts'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { sql } from '../../db/sql.ts'
import { requireSession, type SessionRow } from './sessions.ts'

/** Fields of a session that its owner cannot change: extending it would remove every limit. */
const fixed = [
  'sessionToken',
  'user',
  'expiresAt',
  'createdWith',
  'installationId',
  'ACL',
  'userAgent',
  'ipAddress',
  'lastUsedAt',
  'proof',
  'current',
]
const ignored = new Set(['objectId', 'createdAt', 'updatedAt'])

/** Writes fields of the application's own into a session of the caller. */
export async function updateSession(
  context: Context,
  caller: Caller,
  objectId: string,
  input: WireChanges,
): Promise<{ updatedAt: string } & WireFields> {
  const userId = caller.isMaster ? null : requireSession(caller).userId
  const forbidden = fixed.find((name) => Object.keys(input).some((key) => key === name || key.startsWith(`${name}.`)))
  if (forbidden) throw new CountersignError('InvalidKeyName', `${forbidden} of a session cannot be changed.`)
  const changes = readChanges(Object.fromEntries(Object.entries(input).filter(([key]) => !ignored.has(key))))
  const schema = await context.classes.widen('_Session', typesOf(changes), { relations: relationsOf(changes) })
  const update = sql`
    update "_Session" set ${sql.join([sql`"updatedAt" = ${context.clock.now()}`, ...compileChanges(schema, changes)])}
    where "objectId" = ${objectId} and (${userId}::text is null or "user" = ${userId})
    returning ${sql.join(columnNames(schema).map((name) => sql.id(name)))}`
  const [row] = await context.db.query<SessionRow>(writeRelated(schema, changes, update))
  if (!row) throw refuse('objectNotFound')
  context.db.reportChange('_Session')
  return {
    updatedAt: row.updatedAt.toISOString(),
    ...echoOf(changes, fillFileUrls(context, schema, decodeRow(schema, row))),
  }
}
