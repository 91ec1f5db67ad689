import { isJson } from '@countersign/protocol'
import { type FieldTypeName, tableOf } from '../classes/ClassSchema.ts'
import { joinTableName } from '../classes/names.ts'
import { type Fragment, sql } from '../db/sql.ts'
import { writeRowFilter } from '../permissions/writeRowFilter.ts'
import type { Condition, Subquery } from './Condition.ts'
import type { Place } from './Place.ts'
import type { Pattern } from './patterns/Pattern.ts'
import { writePattern } from './patterns/writePattern.ts'
import {
  columnOf,
  nextAlias,
  type SqlWriter,
  writeBox,
  writeCompares,
  writeContainedBy,
  writeEquals,
  writeNear,
  writePath,
  writePolygon,
  writeSome,
  writeSurrounds,
  writeTextSearch,
} from './writeComparison.ts'

type WriteSubquery = (query: Subquery, alias: Fragment, test: Fragment) => Fragment

/** Equal to a key of a result of the subquery. Values of two types are never equal. */
function writeSelect(
  writer: SqlWriter,
  { place, key, query }: Extract<Condition, { kind: 'select' }>,
  alias: Fragment,
  writeSubquery: WriteSubquery,
): Fragment {
  const inner = nextAlias(writer)
  const matching = (test: Fragment) => sql`exists (select ${writeSubquery(query, inner, test)})`
  const isAcross = writer.isSpread || query.schema.distributed
  if (!isJson(place) && !isJson(key)) {
    if (place.type !== key.type || place.targetClass !== key.targetClass) return sql`false`
    const [one, other] = [columnOf(place, alias), columnOf(key, inner)]
    const among = (write: (column: Fragment) => Fragment) =>
      sql`(${write(one)}) in (select ${write(other)} ${writeSubquery(query, inner, sql`${other} is not null`)})`
    if (isAcross && place.type === 'GeoPoint') return among((column) => sql`${column}[0], ${column}[1]`)
    if (isAcross && place.type === 'File') return among((column) => sql`${column} ->> 'name'`)
    if (place.type === 'GeoPoint') return matching(sql`${other}[0] = ${one}[0] and ${other}[1] = ${one}[1]`)
    if (place.type === 'File') return matching(sql`${other} ->> 'name' = ${one} ->> 'name'`)
    const collation = place.type === 'String' ? sql` collate "C"` : sql``
    return sql`${one} in (select ${other}${collation} ${writeSubquery(query, inner, sql`${other} is not null`)})`
  }
  if (isAcross) {
    const values = writeValues(key, inner)
    const found = writeValues(place, alias)
    if (!values || !found) return sql`false`
    const among = sql`
      select coalesce(array_agg(c.v), '{}') from (
        select jsonb_path_query(${values.base}, ${values.steps}::jsonpath) as v ${writeSubquery(query, inner, sql`true`)}
      ) c`
    return sql`countersign.some_value(${found.base}, ${found.steps}::jsonpath, (${among}))`
  }
  return writeEachValue(writer, place, alias, (value) =>
    matching(writeEachValue(writer, key, inner, (other) => sql`${value} = ${other}`)),
  )
}

/** The values at a place as a JSON value and a path in it: what a function takes, for statements across shards. */
function writeValues(place: Place, alias: Fragment): { base: Fragment; steps: string } | undefined {
  if (isJson(place)) {
    const [base, steps] = writePath(place, alias, isWhole(place) ? 'whole' : 'elements')
    return { base, steps }
  }
  const asJson = jsonForms[place.type]
  const column = columnOf(place, alias)
  return asJson && { base: sql`case when ${column} is not null then ${asJson(column, place)} end`, steps: '$' }
}

const isWhole = (place: Place) => place.type === 'Object' && place.path.length === 0

/** Applies `test` to each value at the place, as JSON. */
function writeEachValue(
  writer: SqlWriter,
  place: Place,
  alias: Fragment,
  test: (value: Fragment) => Fragment,
): Fragment {
  if (isJson(place)) {
    return writeSome(writer, place, alias, isWhole(place) ? 'whole' : 'elements', test)
  }
  const asJson = jsonForms[place.type]
  if (!asJson) return sql`false`
  const found = nextAlias(writer)
  const column = columnOf(place, alias)
  return sql`exists (
    select from (select ${asJson(column, place)} as v where ${column} is not null) ${found}
    where ${test(sql`${found}.v`)})`
}

type JsonForm = (column: Fragment, place: Place) => Fragment

const plainForm: JsonForm = (column) => sql`to_jsonb(${column})`

/** A column's value as an array or object would hold it. */
const jsonForms: { [type in FieldTypeName]?: JsonForm } = {
  String: plainForm,
  Number: plainForm,
  Boolean: plainForm,
  Date: (column) =>
    sql`jsonb_build_object('__type', 'Date',
      'iso', to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`,
  Pointer: (column, place) =>
    sql`jsonb_build_object('__type', 'Pointer', 'className', ${place.targetClass ?? ''}::text, 'objectId', ${column})`,
}

/**
 * Conditions as SQL. Names come from the schema, every value is bound. A part may be null where a field is missing; a
 * negation counts that as false, so the whole is true exactly if the condition is.
 */
export function writeWhere(writer: SqlWriter, condition: Condition, alias: Fragment): Fragment {
  switch (condition.kind) {
    case 'constant':
      return condition.holds ? sql`true` : sql`false`
    case 'all':
    case 'any': {
      const parts = condition.of.map((part) => writeWhere(writer, part, alias))
      return sql`(${sql.join(parts, condition.kind === 'all' ? ' and ' : ' or ')})`
    }
    case 'not':
      return writeNot(writer, condition.of, alias)
    case 'equals':
      return writeEquals(writer, condition.place, condition.values, alias)
    case 'compares':
      return writeCompares(writer, condition, alias)
    case 'exists':
      return writeExists(writer, condition, alias)
    case 'hasValue':
      if (condition.place.path.length === 0) return sql`${columnOf(condition.place, alias)} is not null`
      return writeSome(writer, condition.place, alias, 'whole', (value) => sql`${value} <> 'null'::jsonb`)
    case 'containedBy':
      return writeContainedBy(writer, condition, alias)
    case 'pattern':
      return writeMatches(writer, condition.place, condition.pattern, alias)
    case 'text':
      return writeTextSearch(condition.place, condition.search, alias)
    case 'near':
      return writeNear(condition, alias)
    case 'box':
      return writeBox(condition, alias)
    case 'polygon':
      return writePolygon(condition, alias)
    case 'surrounds':
      return writeSurrounds(condition, alias)
    case 'inQuery':
      return writeInQuery(writer, condition, alias)
    case 'select':
      return writeSelect(writer, condition, alias, (query, inner, test) => writeSubquery(writer, query, inner, test))
    case 'relation':
      return writeRelation(writer, condition, alias)
    case 'relatedTo':
      return writeRelatedTo(writer, condition, alias)
  }
}

function writeNot(writer: SqlWriter, of: Condition, alias: Fragment): Fragment {
  if (of.kind === 'hasValue' && of.place.path.length === 0) return sql`${columnOf(of.place, alias)} is null`
  return sql`(${writeWhere(writer, of, alias)}) is not true`
}

/** PostgreSQL has one null where the wire has two states; fields that were set to null are listed beside. */
function writeExists(writer: SqlWriter, { place }: Extract<Condition, { kind: 'exists' }>, alias: Fragment): Fragment {
  if (place.path.length > 0) return writeSome(writer, place, alias, 'whole', () => undefined)
  const column = columnOf(place, alias)
  return sql`(${column} is not null or ${place.field} = any(${alias}."_nulls"))`
}

/** The rows that a subquery finds, of which `test` asks one thing more. */
function writeSubquery(
  writer: SqlWriter,
  { schema, decision, condition }: Subquery,
  alias: Fragment,
  test?: Fragment,
): Fragment {
  const filter = writeRowFilter(schema, writer.access, decision, 'read', alias)
  const parts = [
    condition.kind === 'constant' && condition.holds ? undefined : writeWhere(writer, condition, alias),
    filter,
    test,
  ].filter((part) => part !== undefined)
  return sql`from ${tableOf(schema)} ${alias}${parts.length > 0 ? sql` where ${sql.join(parts, ' and ')}` : sql``}`
}

function writeInQuery(
  writer: SqlWriter,
  { place, query }: Extract<Condition, { kind: 'inQuery' }>,
  alias: Fragment,
): Fragment {
  const inner = nextAlias(writer)
  if (!isJson(place)) {
    return sql`${columnOf(place, alias)} in (select ${inner}."objectId" ${writeSubquery(writer, query, inner)})`
  }
  const className = sql.param(query.schema.className)
  if (writer.isSpread || query.schema.distributed) {
    const [base, steps] = writePath(place, alias, 'elements')
    const ids = sql`select coalesce(array_agg(${inner}."objectId"), '{}') ${writeSubquery(writer, query, inner)}`
    return sql`countersign.some_pointer(${base}, ${steps}::jsonpath, ${className}::text, (${ids}))`
  }
  return writeSome(writer, place, alias, 'elements', (value) => {
    const isPointer = sql`${value} ->> '__type' = 'Pointer' and ${value} ->> 'className' = ${className}`
    const ids = sql`select ${inner}."objectId" ${writeSubquery(writer, query, inner)}`
    return sql`${isPointer} and ${value} ->> 'objectId' in (${ids})`
  })
}

function writeRelation(
  writer: SqlWriter,
  { className, field, ids, query }: Extract<Condition, { kind: 'relation' }>,
  alias: Fragment,
): Fragment {
  const [join, inner] = [nextAlias(writer), nextAlias(writer)]
  const tests = [sql`${join}."owningId" = ${alias}."objectId"`]
  if (ids) tests.push(sql`${join}."relatedId" = any(${ids}::text[])`)
  if (query) tests.push(sql`${join}."relatedId" in (select ${inner}."objectId" ${writeSubquery(writer, query, inner)})`)
  const table = sql.table(joinTableName(className, field))
  // The tables of relations are local: Citus fetches a list of ids from one, but joins it with no distributed table.
  if (writer.isSpread || query?.schema.distributed) {
    const [, ...others] = tests
    const where = others.length > 0 ? sql` where ${sql.join(others, ' and ')}` : sql``
    return sql`${alias}."objectId" in (select ${join}."owningId" from ${table} ${join}${where})`
  }
  return sql`exists (select from ${table} ${join} where ${sql.join(tests, ' and ')})`
}

/** The members of a relation are as secret as its owner: a caller who may not read the owner finds nothing. */
function writeRelatedTo(
  writer: SqlWriter,
  { owner, field }: Extract<Condition, { kind: 'relatedTo' }>,
  alias: Fragment,
): Fragment {
  const { schema, decision, objectId, condition } = owner
  const [join, owning] = [nextAlias(writer), nextAlias(writer)]
  const id = sql.param(objectId)
  const filter = writeRowFilter(schema, writer.access, decision, 'read', owning)
  const isOpen = condition.kind === 'constant' && condition.holds
  const parts = [filter, isOpen ? undefined : writeWhere(writer, condition, owning)].filter(
    (part) => part !== undefined,
  )
  const test = sql.join([sql`${owning}."objectId" = ${id}`, ...parts], ' and ')
  const readable =
    parts.length > 0 ? sql` and exists (select 1 from ${tableOf(schema)} ${owning} where ${test})` : sql``
  const held = sql`select ${join}."relatedId" from ${sql.table(joinTableName(schema.className, field))} ${join}`
  return sql`${alias}."objectId" in (${held} where ${join}."owningId" = ${id}${readable})`
}

/** Text that matches the pattern. Plain text is compared without a pattern. */
function writeMatches(writer: SqlWriter, place: Place, pattern: Pattern, alias: Fragment): Fragment {
  const test = (text: Fragment) => writeTest(pattern, text)
  if (!isJson(place)) return test(columnOf(place, alias))
  return writeSome(
    writer,
    place,
    alias,
    'elements',
    (value) => sql`jsonb_typeof(${value}) = 'string' and ${test(sql`(${value} #>> '{}')`)}`,
  )
}

function writeTest({ plain, tree }: Pattern, text: Fragment): Fragment {
  if (!plain) return sql`${text} collate "C" ~ ${writePattern(tree)}::text`
  const bound = sql`${sql.param(plain.text)}::text`
  switch (plain.at) {
    case 'start':
      return sql`${text} collate "C" ^@ ${bound}`
    case 'end':
      return sql`right(${text}, char_length(${bound})) collate "C" = ${bound}`
    case 'whole':
      return sql`${text} collate "C" = ${bound}`
    case 'anywhere':
      return sql`strpos(${text} collate "C", ${bound}) > 0`
  }
}
