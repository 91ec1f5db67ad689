import type { WireFields, WireValue } from '@countersign/protocol'
import { type Fragment, sql } from '../db/sql.ts'
import { type Change, readRelated } from './Change.ts'
import type { ClassSchema, FieldTypeName } from './ClassSchema.ts'
import { columns } from './columns.ts'
import { joinTableName } from './names.ts'

type ColumnChange = Exclude<Change, { kind: 'setOnInsert' | 'relate' | 'unrelate' }>

/** `set` clauses for the changes. Several changes inside one field become one expression. */
export function compileChanges(schema: ClassSchema, changes: Change[]): Fragment[] {
  const expressions = new Map<string, Fragment>()
  const touched = new Map<string, 'null' | 'other'>()
  const growing = new Set<string>()
  for (const change of changes) {
    // Relations have their own tables; changes for new objects only have no effect here.
    if (change.kind === 'setOnInsert' || change.kind === 'relate' || change.kind === 'unrelate') continue
    if (schema.relations.has(change.field)) continue
    const isNull = change.kind === 'set' && change.value === null && change.path.length === 0
    touched.set(change.field, isNull ? 'null' : 'other')
    const type = schema.fields.get(change.field)?.type
    // Only a null or a delete comes here without a column: there is no value to put into one.
    if (!type) continue
    if (mayGrow(change)) growing.add(change.field)
    const stored = expressions.get(change.field) ?? sql.id(change.field)
    const before = type === 'Array' && change.path.length > 0 ? presentList(stored, change) : stored
    expressions.set(
      change.field,
      change.path.length > 0 ? inside(before, change) : typed(whole(before, change, columns[type].encode), type),
    )
  }
  if (changes.length === 0) return []
  return [
    ...[...expressions].map(([field, expression]) =>
      growing.has(field)
        ? sql`${sql.id(field)} = countersign.bounded(${expression})`
        : sql`${sql.id(field)} = ${expression}`,
    ),
    sql`"_nulls" = ${listNulls(touched)}`,
  ]
}

/**
 * List that a change works inside. A missing one becomes an object neither by its first entry nor by an operation, which
 * is refused as parse-server does. Deleting an entry leaves it missing.
 */
function presentList(stored: Fragment, { kind }: ColumnChange): Fragment {
  if (kind === 'delete') return stored
  return kind === 'set' ? sql`coalesce(${stored}, '[]')` : sql`countersign.present_list(${stored})`
}

/**
 * Returns true for operations by which many requests can make a field larger than one could. Every reader holds the
 * whole field in memory.
 */
function mayGrow({ kind, path }: ColumnChange): boolean {
  return kind === 'add' || kind === 'addUnique' || ((kind === 'set' || kind === 'increment') && path.length > 0)
}

/** One expression however many fields there are: one inside another for each would be more than the database parses. */
function listNulls(touched: ReadonlyMap<string, 'null' | 'other'>): Fragment {
  const names = [...touched.keys()]
  const nulls = names.filter((name) => touched.get(name) === 'null')
  return sql`array(select n from unnest("_nulls") as n where n <> all(${names}::text[])) || ${nulls}::text[]`
}

/** With its type: what a change inside the same field works on next could be of any. */
function typed(value: Fragment, type: FieldTypeName): Fragment {
  return sql`(${value})::${columns[type].type}`
}

function whole(before: Fragment, change: ColumnChange, encode: (value: WireValue) => unknown): Fragment {
  switch (change.kind) {
    case 'set':
      return change.value === null ? sql`null` : sql`${encode(change.value)}`
    case 'delete':
      return sql`null`
    case 'increment':
      return sql`coalesce(${before}, 0) + ${change.amount}`
    default:
      return listChange(before, change.kind, change.objects)
  }
}

function inside(before: Fragment, change: ColumnChange): Fragment {
  const path = sql`${change.path}::text[]`
  switch (change.kind) {
    case 'set':
      return sql`countersign.json_put(${before}, ${path}, ${columns.Object.encode(change.value)}::jsonb)`
    case 'delete':
      // Checked first: removing a key from an array would be an error, where there is simply nothing to remove.
      return of(before, (v) => sql`case when ${v} #> ${path} is null then ${v} else ${v} #- ${path} end`)
    case 'increment':
      return of(
        before,
        (v) => sql`countersign.json_put(${v}, ${path}, countersign.json_increment(${v} #> ${path}, ${change.amount}))`,
      )
    default: {
      const { kind, objects } = change
      return of(
        before,
        (v) => sql`countersign.json_put(${v}, ${path}, ${listChange(sql`(${v} #> ${path})`, kind, objects)})`,
      )
    }
  }
}

/**
 * A value that is spoken of twice is written once, and `offset 0` keeps the database from writing it out itself.
 * Otherwise each change inside a field would double those before it.
 */
function of(before: Fragment, change: (value: Fragment) => Fragment): Fragment {
  return sql`(select ${change(sql`_b.v`)} from (select ${before} as v offset 0) as _b)`
}

function listChange(before: Fragment, kind: 'add' | 'addUnique' | 'remove', objects: WireValue[]): Fragment {
  const items = sql`${columns.Array.encode(objects)}::jsonb`
  if (kind === 'add') return sql`countersign.json_list(${before}) || ${items}`
  if (kind === 'addUnique') return sql`countersign.list_add_unique(${before}, ${items})`
  return sql`countersign.list_remove(${before}, ${items})`
}

/** Results in the response of an update: those of operations; dotted ones are nested. */
export function echoOf(changes: Change[], after: WireFields): WireFields {
  const echo: WireFields = {}
  for (const change of changes) {
    if (['set', 'delete', 'relate', 'unrelate'].includes(change.kind)) continue
    const value = change.path.reduce<WireValue | undefined>(
      (at, key) =>
        at !== null && typeof at === 'object' && Object.hasOwn(at, key)
          ? (Reflect.get(at, key) as WireValue)
          : undefined,
      after[change.field],
    )
    if (value !== undefined) put(echo, [change.field, ...change.path], value)
  }
  return echo
}

function put(target: WireFields, path: string[], value: WireValue): void {
  const [key = '', ...rest] = path
  if (rest.length === 0) {
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true })
    return
  }
  if (!Object.hasOwn(target, key)) put(target, [key], {})
  put(target[key] as WireFields, rest, value)
}

/**
 * The update of an object together with what comes into its relations and what leaves them, as one statement. It is
 * prepared once the same shape comes again.
 */
export function writeRelated(schema: ClassSchema, changes: Change[], update: Fragment): Fragment {
  const parts: Fragment[] = []
  const add = (part: Fragment) => parts.push(sql`${sql.id(`part${parts.length}`)} as (${part})`)
  for (const [field, { added, removed }] of readRelated(changes)) {
    const table = sql.table(joinTableName(schema.className, field))
    if (added.length > 0) {
      add(sql`
        insert into ${table} ("owningId", "relatedId")
        select "objectId", unnest(${added}::text[]) from changed
        on conflict do nothing`)
    }
    if (removed.length > 0) {
      add(sql`
        delete from ${table}
        where "owningId" in (select "objectId" from changed) and "relatedId" = any(${removed}::text[])`)
    }
  }
  if (parts.length === 0) return sql.prepared`${update}`
  return sql.prepared`with changed as (${update}), ${sql.join(parts)} select * from changed`
}
