import { type CountersignError, refuse, type WireChanges, type WireFields } from '@countersign/protocol'
import { type Change, readRelated } from '../classes/Change.ts'
import { type ClassSchema, tableOf } from '../classes/ClassSchema.ts'
import { columns } from '../classes/columns.ts'
import { compileChanges, echoOf, writeRelated } from '../classes/compileChanges.ts'
import { withFreshClasses } from '../classes/createClasses.ts'
import { fillFileUrls } from '../classes/fileUrls.ts'
import { withLog } from '../classes/partitions/logWrites.ts'
import { withinSize } from '../classes/withinSize.ts'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { sql } from '../db/sql.ts'
import { defineEndpoint } from '../endpoint/defineEndpoint.ts'
import { hasSaveHooks } from '../hooks/runHooks.ts'
import type { Decision } from '../permissions/Decision.ts'
import { findDecision, refuseInternal } from '../permissions/decide.ts'
import { hiddenFields } from '../permissions/hiddenFields.ts'
import { writeRowFilter } from '../permissions/writeRowFilter.ts'
import { type Access, accessOf } from '../roles/accessOf.ts'
import { checkRoleChange } from '../roles/checkRole.ts'
import { refuseDuplicate } from './createObject.ts'
import { findClass } from './findClass.ts'
import { fitChange } from './fitClass.ts'
import { buildWriteFilter, lockObject } from './lockObject.ts'
import { type ObjectInput, readObject } from './readObject.ts'
import { rejectManagedClass } from './rejectManagedClass.ts'
import { keepRequired } from './requiredFields.ts'
import { saveWithHooks } from './saveWithHooks.ts'
import { whileUnchanged } from './whileUnchanged.ts'

export type Updated = { updatedAt: string } & WireFields

/** Changes an object that the caller may write: one update, with its relations. Who may not write it finds none. */
export async function updateObject(
  context: Context,
  caller: Caller,
  className: string,
  objectId: string,
  input: WireChanges,
): Promise<Updated> {
  const access = await accessOf(context, caller)
  rejectManagedClass(context, className, 'write')
  refuseInternal(access, className, 'update')
  const object = readObject(input)
  if (className === '_Role') checkRoleChange(access, object.changes)
  const updated = await changeObject(context, caller, className, objectId, object)
  if (className === '_Role') context.db.afterCommit(() => context.roleCache.forgetAll())
  return updated
}

/** The update itself, for classes whose rules were looked after already. */
export function changeObject(
  context: Context,
  caller: Caller,
  className: string,
  objectId: string,
  object: ObjectInput,
): Promise<Updated> {
  return withFreshClasses(context.classes, async () => {
    const access = await accessOf(context, caller)
    const known = await findClass(context, className)
    if (!known) throw notFound()
    const { schema, decisions } = await fitChange(context, access, known, object.changes, (before) =>
      needReach(context, access, known, objectId, before),
    )
    const write = (fitting: ClassSchema, given: ObjectInput) =>
      withinSize(context, access.isMaster, { schema: fitting, objectId }, given.changes, () =>
        updateRow(context, access, fitting, objectId, given, decisions),
      )
    if (!hasSaveHooks(context, className)) return write(schema, object)
    const getOriginal = () => lockObject(context, access, schema, objectId, decisions)
    return saveWithHooks(context, caller, { schema, object, getOriginal, write })
  })
}

async function updateRow(
  context: Context,
  access: Access,
  schema: ClassSchema,
  objectId: string,
  object: ObjectInput,
  decisions: Decision[],
): Promise<Updated> {
  const { className } = schema
  keepRequired(schema, object.changes)
  const now = context.clock.now()
  // A null that counts only for a new object asks for no column, and may have none.
  const echoed = [...new Set(object.changes.filter(isEchoed).map(({ field }) => field))].filter((name) =>
    schema.fields.has(name),
  )

  const sets = [sql`"updatedAt" = ${now}`, ...compileChanges(schema, object.changes)]
  if (object.acl) sets.push(sql`"_rperm" = ${object.acl._rperm}`, sql`"_wperm" = ${object.acl._wperm}`)
  const where = buildWriteFilter(schema, access, objectId, decisions)
  // Prevents reading a hidden value with a no-op increment.
  const reading: Decision = findDecision(schema, access, 'get') ?? { rows: 'none' }
  const readable = echoed.length === 0 ? undefined : writeRowFilter(schema, access, reading, 'read', sql`o`)
  const returning = [
    sql`o."objectId"`,
    sql`${readable ?? sql`true`} as "_readable"`,
    ...echoed.map((name) => sql.column('o', name)),
  ]
  const update = sql`
    update ${tableOf(schema)} as o set ${sql.join(sets)}
    where ${where}
    returning ${sql.join(returning)}`
  const statement = writeRelated(schema, object.changes, update)
  const withOthers = readRelated(object.changes).size > 0
  const [row] = await withLog(context.db, schema, { ids: [objectId], withOthers }, () =>
    context.db.query<Record<string, unknown>>(statement),
  ).catch(refuseDuplicate)
  if (!row) throw notFound()
  context.db.reportChange(className)
  const updatedAt = now.toISOString()
  return row._readable ? { updatedAt, ...echo(context, access, schema, object.changes, row) } : { updatedAt }
}

function isEchoed({ kind }: Change): boolean {
  return kind === 'increment' || kind === 'add' || kind === 'addUnique' || kind === 'remove' || kind === 'setOnInsert'
}

async function needReach(
  { db }: Context,
  access: Access,
  schema: ClassSchema,
  objectId: string,
  decisions: Decision[],
): Promise<void> {
  const where = buildWriteFilter(schema, access, objectId, decisions)
  const rows = await db.query(sql`select 1 from ${tableOf(schema)} as o where ${where}`)
  if (rows.length === 0) throw notFound()
}

function notFound(): CountersignError {
  return refuse('objectNotFound')
}

function echo(
  context: Context,
  access: Access,
  schema: ClassSchema,
  changes: Change[],
  row: Record<string, unknown>,
): WireFields {
  const { unaskable } = hiddenFields(context.config, schema, access)
  const after: WireFields = {}
  for (const [name, stored] of Object.entries(row)) {
    const field = schema.fields.get(name)
    if (!field || stored === null || unaskable.has(name)) continue
    after[name] = columns[field.type].decode(stored, field)
  }
  return echoOf(changes, fillFileUrls(context, schema, after))
}

export const updateObjectEndpoint = defineEndpoint('updateObject', {
  handle({ context, caller, input, params: { className, objectId } }) {
    const { ifUpdatedAt } = input
    if (ifUpdatedAt === undefined) return updateObject(context, caller, className, objectId, input)
    const { ifUpdatedAt: _, ...changes } = input
    return whileUnchanged(context, caller, { className, objectId, operation: 'update', ifUpdatedAt }, () =>
      updateObject(context, caller, className, objectId, changes),
    )
  },
})
