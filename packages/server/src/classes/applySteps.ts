import { type ClassPermissions, CountersignError } from '@countersign/protocol'
import type { Database } from '../db/Database.ts'
import { isUniqueViolation } from '../db/databaseErrors.ts'
import { type Fragment, json, sql } from '../db/sql.ts'
import {
  type ClassIndex,
  type ClassRow,
  type ClassSchema,
  classColumns,
  decodeClass,
  encodeClass,
  type FieldType,
  type FieldTypeName,
  tableOf,
} from './ClassSchema.ts'
import { columns, textVector } from './columns.ts'
import { joinTableName, shortenName } from './names.ts'
import { abandonMove } from './partitions/abandonMove.ts'
import { findWantedLayout, listPartFields, refuseMonths } from './partitions/Layout.ts'
import { changeAll } from './partitions/logWrites.ts'
import { createReadView, dropReadView } from './partitions/readView.ts'
import { runInTurn } from './partitions/spreadTable.ts'
import { addParts, guardIds, layoutClause } from './partitions/writeTable.ts'

/** One change of a class. Whatever changes a class, by whatever way, is made of these. */
export type ClassStep =
  | { kind: 'createClass' }
  | { kind: 'dropClass' }
  /** Not shown while it is empty, or shown again. For classes that the server cannot do without. */
  | { kind: 'markDropped'; dropped: boolean }
  | { kind: 'addField'; name: string; field: FieldType }
  /** Another default, or required from now on. The type stays. */
  | { kind: 'changeField'; name: string; field: FieldType }
  | { kind: 'dropField'; name: string }
  | { kind: 'addRelation'; name: string; targetClass: string }
  | { kind: 'dropRelation'; name: string }
  | { kind: 'addIndex'; name: string; index: ClassIndex }
  | { kind: 'dropIndex'; name: string }
  | { kind: 'setPermissions'; permissions: ClassPermissions | undefined }

const jsonTypes = new Set<FieldTypeName>(['Array', 'Object', 'File', 'Polygon'])

const defaultTypes = new Map<string, FieldTypeName>([
  ['objectId', 'String'],
  ['createdAt', 'Date'],
  ['updatedAt', 'Date'],
])

/** PostgreSQL ends at 1,600 columns; a caller who invents field names must meet our limit before that one. */
const mostFields = 500

/** Steps that change the columns of the table. */
const shaping = new Set<ClassStep['kind']>(['createClass', 'dropClass', 'addField', 'dropField'])

type Draft = ClassSchema & {
  fields: Map<string, NonNullable<ReturnType<ClassSchema['fields']['get']>>>
  relations: Map<string, string>
  indexes: Map<string, NonNullable<ReturnType<ClassSchema['indexes']['get']>>>
}

/**
 * Runs the steps in the open transaction, in which the class is locked, and stores the new schema. Returns `undefined`
 * once the class is deleted.
 */
export async function applySteps(
  db: Database,
  className: string,
  current: ClassSchema | undefined,
  steps: ClassStep[],
): Promise<ClassSchema | undefined> {
  const draft: Draft = {
    className,
    fields: new Map(current?.fields),
    relations: new Map(current?.relations),
    ...(current?.permissions && { permissions: current.permissions }),
    indexes: new Map(current?.indexes),
    ...(current?.dropped && { dropped: true }),
    ...(current?.distributed && { distributed: true }),
    version: current?.version ?? 0,
  }
  const isShaped = steps.some(({ kind }) => shaping.has(kind))
  if (draft.distributed) await runInTurn(db)
  if (draft.distributed && isShaped) await dropReadView(db, className)
  const columnsToAdd = steps.filter((step) => step.kind === 'addField')
  const count = draft.fields.size + draft.relations.size
  if (count + steps.filter(({ kind }) => kind === 'addField' || kind === 'addRelation').length > mostFields) {
    throw new CountersignError('ExceededQuota', `Class ${className} can have at most ${mostFields} fields.`)
  }
  for (const step of steps) {
    // All columns in one statement: each would lock the table again.
    if (step.kind !== 'addField') await applyStep(db, draft, step)
    else if (step === columnsToAdd[0]) await addColumns(db, draft, columnsToAdd)
  }
  const dropped = steps.some(({ kind }) => kind === 'dropClass')
  if (draft.distributed && isShaped && !dropped) await explain(className, () => createReadView(db, className))
  return saveClass(db, className, dropped ? undefined : draft)
}

async function applyStep(db: Database, draft: Draft, step: Exclude<ClassStep, { kind: 'addField' }>): Promise<void> {
  const { className } = draft
  const table = tableOf(draft)
  switch (step.kind) {
    case 'createClass':
      return createTable(db, draft)
    case 'dropClass':
      await abandonMove(db, className)
      for (const name of draft.relations.keys()) await run(db, className, dropJoinTable(className, name))
      return run(db, className, sql`drop table ${table}`)
    case 'markDropped':
      if (step.dropped) draft.dropped = true
      else delete draft.dropped
      return
    case 'changeField':
      draft.fields.set(step.name, step.field)
      return
    case 'dropField': {
      await run(db, className, sql`alter table ${table} drop column ${sql.id(step.name)}`)
      // A field that comes again later must not find its old nulls.
      await forgetNulls(db, draft, step.name)
      db.reportChange(className)
      draft.fields.delete(step.name)
      for (const [name, index] of draft.indexes) if (index.fields.has(step.name)) draft.indexes.delete(name)
      return
    }
    case 'addRelation':
      await refuseMonths(db, className, 'can have no relations')
      await run(db, className, createJoinTable(draft, step.name))
      draft.relations.set(step.name, step.targetClass)
      return
    case 'dropRelation':
      await run(db, className, dropJoinTable(className, step.name))
      draft.relations.delete(step.name)
      return
    case 'addIndex': {
      const statement = indexStatement(draft, step.name, step.index)
      if (step.index.unique) await refuseAcrossParts(db, draft, step.name, step.index)
      await run(db, className, statement)
      draft.indexes.set(step.name, step.index)
      return
    }
    case 'dropIndex':
      await run(
        db,
        className,
        sql`drop index if exists ${draft.distributed ? sql`countersign_shards` : sql`public`}.${sql.id(indexName(className, step.name))}`,
      )
      draft.indexes.delete(step.name)
      return
    case 'setPermissions':
      if (step.permissions) draft.permissions = step.permissions
      else delete draft.permissions
  }
}

async function addColumns(db: Database, draft: Draft, steps: Extract<ClassStep, { kind: 'addField' }>[]) {
  const additions = steps.map(({ name, field }) => sql`add column ${sql.id(name)} ${columns[field.type].type}`)
  await run(db, draft.className, sql`alter table ${tableOf(draft)} ${sql.join(additions)}`)
  for (const { name, field } of steps) draft.fields.set(name, field)
}

async function forgetNulls(db: Database, draft: Draft, name: string): Promise<void> {
  const removed = sql`update ${tableOf(draft)} set "_nulls" = array_remove("_nulls", ${name})`
  const condition = sql`${name} = any("_nulls")`
  if (!draft.distributed) await db.query(sql`${removed} where ${condition}`)
  else await changeAll(db, draft, condition, (ids) => db.query(sql`${removed} where "objectId" = any(${ids}::text[])`))
}

function dropJoinTable(className: string, field: string): Fragment {
  return sql`drop table if exists ${sql.table(joinTableName(className, field))}`
}

/** Runs a statement. Database errors that the caller can fix become clear ones. */
function run(db: Database, className: string, statement: Fragment): Promise<void> {
  return explain(className, () => db.query(statement))
}

async function explain(className: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    const { code } = error as { code?: unknown }
    if (code === '42P07') {
      throw new CountersignError(
        'InvalidClassName',
        `The database has a table for ${className} that is not a class of this application. Rename or drop it.`,
        { cause: error },
      )
    }
    if (code === '54011') {
      throw new CountersignError(
        'ExceededQuota',
        `Class ${className} reached its lifetime field limit. Delete and recreate the class.`,
      )
    }
    if (isUniqueViolation(error)) {
      throw new CountersignError(
        'DuplicateValue',
        `A unique index on ${className} can’t be created: some objects have the same values.`,
        { cause: error },
      )
    }
    throw error
  }
}

/** Indexes and tables share one namespace; the colons keep these apart from every class. */
const ownIndex = (table: string, name: string) => sql.id(shortenName(`${table}::${name}`))

/** The table of a class that has no fields yet, in the layout that the configuration asks for. */
async function createTable(db: Database, draft: Draft): Promise<void> {
  const { className } = draft
  const layout = await findWantedLayout(db, className)
  if (layout.by === 'shards') draft.distributed = true
  const table = tableOf(draft)
  const key = sql`, constraint ${ownIndex(className, 'pkey')} primary key ("objectId")`
  await run(
    db,
    className,
    sql`
    create table ${table} (
      "objectId" text not null,
      "createdAt" timestamptz(3) not null,
      "updatedAt" timestamptz(3) not null,
      "_rperm" text[],
      "_wperm" text[],
      "_nulls" text[]
      ${layout.by === 'month' ? sql`` : key}
    )${layoutClause(layout)};
    create index ${ownIndex(className, 'rperm')} on ${table} using gin ("_rperm");
    -- Rows without a list are everyone's, and an index of that kind does not know them.
    create index ${ownIndex(className, 'public')} on ${table} ("objectId") where "_rperm" is null`,
  )
  await addParts(db, draft.distributed ? 'countersign_shards' : 'public', className, layout)
  if (layout.by === 'month') await guardIds(db, className)
}

/**
 * The table of a relation. It follows the owning object into deletion; what it leads to may vanish on its own. That of a
 * distributed class is local, and nothing local can refer to a distributed table: there, the deletion removes its rows.
 */
function createJoinTable({ className, distributed }: ClassSchema, field: string): Fragment {
  const name = joinTableName(className, field)
  const reference = sql` references ${sql.table(className)} ("objectId") on delete cascade`
  return sql`
    create table ${sql.table(name)} (
      "owningId" text not null${distributed ? sql`` : reference},
      "relatedId" text not null,
      constraint ${ownIndex(name, 'pkey')} primary key ("owningId", "relatedId")
    );
    create index ${ownIndex(name, 'related')} on ${sql.table(name)} ("relatedId")`
}

/** The index in the database. One colon: two are the server's own. */
function indexName(className: string, name: string): string {
  return shortenName(`${className}:${name}`)
}

/** The statement that makes an index; the kind of index follows from the types of the fields. */
function indexStatement(schema: ClassSchema, name: string, index: ClassIndex): Fragment {
  const on = sql`index ${sql.id(indexName(schema.className, name))} on ${tableOf(schema)}`
  const entries = [...index.fields]
  if (entries.some(([, direction]) => direction === 'text')) return sql`create ${on} ${textIndex(schema, name, index)}`
  const types = entries.map(([field]) => typeOf(schema, name, field))
  const special = types.findIndex((type) => type === 'GeoPoint' || jsonTypes.has(type))
  if (special < 0) {
    const columns = entries.map(([field, direction]) => {
      // As the order of queries has it, which ends with the id and states nothing of absent ones.
      if (field === 'objectId') return direction === 1 ? sql.id(field) : sql`${sql.id(field)} desc`
      // Absent values come first, as in the order of queries; read backwards the same index serves the other way.
      return direction === 1 ? sql`${sql.id(field)} nulls first` : sql`${sql.id(field)} desc nulls last`
    })
    return sql`create ${index.unique ? sql`unique ` : sql``}${on} (${sql.join(columns)})`
  }
  const [field = '', type] = [entries[special]?.[0], types[special]]
  if (entries.length > 1) refuse(name, `${field} is of type ${type}, which cannot share an index with other fields`)
  if (index.unique) refuse(name, `${field} is of type ${type}, which cannot be unique`)
  if (type === 'GeoPoint') return sql`create ${on} using gist (${sql.id(field)})`
  return sql`create ${on} using gin (${sql.id(field)} jsonb_path_ops)`
}

/** Each part keeps its own values apart: a unique index holds for all parts only if it contains what decides on them. */
async function refuseAcrossParts(
  db: Database,
  schema: ClassSchema,
  name: string,
  { fields }: ClassIndex,
): Promise<void> {
  const missing = (await listPartFields(db, schema)).filter((field) => !fields.has(field))
  if (missing.length === 0) return
  const { className, distributed } = schema
  refuse(
    name,
    `${className} is ${distributed ? 'distributed' : 'partitioned'} by ${missing.join(', ')}, which a unique index of it must contain`,
  )
}

function textIndex(schema: ClassSchema, name: string, { fields, unique }: ClassIndex): Fragment {
  if (unique) refuse(name, 'an index for text search cannot be unique')
  const vectors = [...fields].map(([field, direction]) => {
    if (direction !== 'text') refuse(name, 'text search and order cannot share an index')
    if (typeOf(schema, name, field) !== 'String') refuse(name, `${field} is not of type String`)
    return sql`(${textVector(sql.id(field))})`
  })
  return sql`using gin (${sql.join(vectors)})`
}

function typeOf(schema: ClassSchema, name: string, field: string): FieldTypeName {
  const type = schema.fields.get(field)?.type ?? defaultTypes.get(field)
  if (!type) refuse(name, `${field} is not a field of ${schema.className} that can be indexed`)
  return type
}

function refuse(name: string, reason: string): never {
  throw new CountersignError('InvalidQuery', `The index ${name} cannot be created: ${reason}.`)
}

/** Every server listens here for classes that changed. */
export const classesChannel = 'countersign_classes'

/** Writes down what the class is now, under a version that no class ever had, and notifies every server. */
async function saveClass(
  db: Database,
  className: string,
  schema: ClassSchema | undefined,
): Promise<ClassSchema | undefined> {
  if (!schema) {
    await db.query(sql`
      with gone as (delete from countersign.classes where "className" = ${className})
      select pg_notify(${classesChannel}, ${className})`)
    return undefined
  }
  const { fields, indexes } = encodeClass(schema)
  const [saved] = await db.query<{ version: number }>(sql`
    with saved as (
      insert into countersign.classes ("className", fields, permissions, indexes, dropped, distributed, version)
      values (${className}, ${json(fields)}, ${schema.permissions ? json(schema.permissions) : null},
        ${json(indexes)}, ${schema.dropped ?? false}, ${schema.distributed ?? false},
        nextval('countersign.class_versions'))
      on conflict ("className") do update set fields = excluded.fields, permissions = excluded.permissions,
        indexes = excluded.indexes, dropped = excluded.dropped, distributed = excluded.distributed,
        version = excluded.version
      returning version
    )
    select version, pg_notify(${classesChannel}, ${className}) from saved`)
  return { ...schema, version: saved?.version ?? 0 }
}

/** Locks the class until the open transaction ends, whether it exists or not, and reads what it is now. */
export async function lockClass(db: Database, className: string): Promise<ClassSchema | undefined> {
  // One server at a time: two that add the same column at once would both fail.
  await db.query(sql`select pg_advisory_xact_lock(hashtext('countersign:class'), hashtext(${className}))`)
  return findClass(db, className)
}

/** The class as the database has it now. */
export async function findClass(db: Database, className: string): Promise<ClassSchema | undefined> {
  const [row] = await db.query<ClassRow>(
    sql`select ${classColumns} from countersign.classes where "className" = ${className}`,
  )
  return row && decodeClass(row)
}
