import { type CountersignError, refuse, type WireChanges, type WireFields } from '@countersign/protocol'
import type { Change } from '../classes/Change.ts'
import type { ClassSchema } from '../classes/ClassSchema.ts'
import { columns } from '../classes/columns.ts'
import { compileChanges, echoOf } from '../classes/compileChanges.ts'
import { withFreshClasses } from '../classes/withFreshClasses.ts'
import { writeRelated } from '../classes/writeRelated.ts'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { fillFileUrls } from '../context/fillFileUrls.ts'
import { createBindings, quote, tableOf } from '../db/createBindings.ts'
import { nameStatement } from '../db/nameStatement.ts'
import { compile, sql } from '../db/sql.ts'
import type { Decision } from '../permissions/Decision.ts'
import { findDecision } from '../permissions/findDecision.ts'
import { hiddenFields } from '../permissions/hiddenFields.ts'
import { refuseInternal } from '../permissions/refuseInternal.ts'
import { writeRowFilter } from '../permissions/writeRowFilter.ts'
import type { Access } from '../roles/Access.ts'
import { accessOf } from '../roles/accessOf.ts'
import { checkRoleChange } from '../roles/checkRole.ts'
import { keepRequired } from './fillFields.ts'
import { findClass } from './findClass.ts'
import { fitChange } from './fitClass.ts'
import { lockObject } from './lockObject.ts'
import { type ObjectInput, readObject } from './readObject.ts'
import { refuseDuplicate } from './refuseDuplicate.ts'
import { refuseOwnWays } from './refuseOwnWays.ts'
import { hasSaveHooks, saveWithHooks } from './saveWithHooks.ts'
import { writeReach } from './writeReach.ts'

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
  refuseOwnWays(className)
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
      updateRow(context, access, fitting, objectId, given, decisions)
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
  const { text, values } = compile(sql`update ${sql.raw(tableOf(className))} as o set ${sql.join(sets)}`)
  const bindings = createBindings(values)
  const where = writeReach(bindings, schema, access, objectId, decisions)
  // Who may write an object but not read it does not learn its values by adding nothing to them.
  const reading: Decision = findDecision(schema, access, 'get') ?? { rows: 'none' }
  const readable = echoed.length === 0 ? undefined : writeRowFilter(bindings, schema, access, reading, 'read', 'o')
  const returning = [
    'o."objectId"',
    `${readable ?? 'true'} as "_readable"`,
    ...echoed.map((name) => `o.${quote(name)}`),
  ]
  const update = `${text} where ${where} returning ${returning.join(', ')}`
  const [row] = await context.db
    .query<Record<string, unknown>>(
      nameStatement(writeRelated(bindings, schema, object.changes, update), bindings.values),
    )
    .catch(refuseDuplicate)
  if (!row) throw notFound()
  const answer: Updated = { updatedAt: now.toISOString() }
  return row._readable ? { ...echo(context, access, schema, object.changes, row), ...answer } : answer
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
  const bindings = createBindings()
  const where = writeReach(bindings, schema, access, objectId, decisions)
  const rows = await db.query({
    text: `select 1 from ${tableOf(schema.className)} as o where ${where}`,
    values: bindings.values,
  })
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
