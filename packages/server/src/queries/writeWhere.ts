import { joinTableName } from '../classes/joinTableName.ts'
import { quote, tableOf } from '../db/createBindings.ts'
import { writeRowFilter } from '../permissions/writeRowFilter.ts'
import type { Condition, Subquery } from './Condition.ts'
import { writeBox, writeNear, writePolygon, writeSurrounds } from './geo/writeGeo.ts'
import { isJson } from './resolvePlace.ts'
import { nextAlias, type Writing } from './Writing.ts'
import { columnOf, writeSome } from './writeCandidates.ts'
import { writeCompares, writeContainedBy, writeEquals } from './writeComparison.ts'
import { writeMatches } from './writeMatches.ts'
import { writeSelect } from './writeSelect.ts'
import { writeTextSearch } from './writeTextSearch.ts'

/**
 * Conditions as SQL. Names come from the schema, every value is bound. A part may be null where a field is missing;
 * what is negated counts that as false, so the whole is true exactly where the condition holds.
 */
export function writeWhere(writing: Writing, condition: Condition, alias: string): string {
  switch (condition.kind) {
    case 'constant':
      return String(condition.holds)
    case 'all':
      return `(${condition.of.map((part) => writeWhere(writing, part, alias)).join(' and ')})`
    case 'any':
      return `(${condition.of.map((part) => writeWhere(writing, part, alias)).join(' or ')})`
    case 'not':
      return writeNot(writing, condition.of, alias)
    case 'equals':
      return writeEquals(writing, condition.place, condition.values, alias)
    case 'compares':
      return writeCompares(writing, condition, alias)
    case 'exists':
      return writeExists(writing, condition, alias)
    case 'hasValue':
      if (condition.place.path.length === 0) return `${columnOf(condition.place, alias)} is not null`
      return writeSome(writing, condition.place, alias, 'whole', (value) => `${value} <> 'null'::jsonb`)
    case 'containedBy':
      return writeContainedBy(writing, condition, alias)
    case 'pattern':
      return writeMatches(writing, condition.place, condition.pattern, alias)
    case 'text':
      return writeTextSearch(writing, condition.place, condition.search, alias)
    case 'near':
      return writeNear(writing, condition, alias)
    case 'box':
      return writeBox(writing, condition, alias)
    case 'polygon':
      return writePolygon(writing, condition, alias)
    case 'surrounds':
      return writeSurrounds(writing, condition, alias)
    case 'inQuery':
      return writeInQuery(writing, condition, alias)
    case 'select':
      return writeSelect(writing, condition, alias, (query, inner, test) => writeSubquery(writing, query, inner, test))
    case 'relation':
      return writeRelation(writing, condition, alias)
    case 'relatedTo':
      return writeRelatedTo(writing, condition, alias)
  }
}

function writeNot(writing: Writing, of: Condition, alias: string): string {
  if (of.kind === 'hasValue' && of.place.path.length === 0) return `${columnOf(of.place, alias)} is null`
  return `(${writeWhere(writing, of, alias)}) is not true`
}

/** PostgreSQL has one null where the wire has two states; fields that were set to null are listed beside. */
function writeExists(writing: Writing, { place }: Extract<Condition, { kind: 'exists' }>, alias: string): string {
  if (place.path.length > 0) return writeSome(writing, place, alias, 'whole', () => undefined)
  const column = columnOf(place, alias)
  return `(${column} is not null or ${writing.bindings.bind(place.field)} = any(${alias}."_nulls"))`
}

/** The rows that a subquery finds, of which `test` asks one thing more. */
function writeSubquery(
  writing: Writing,
  { schema, decision, condition }: Subquery,
  alias: string,
  test?: string | undefined,
): string {
  const filter = writeRowFilter(writing.bindings, schema, writing.access, decision, 'read', alias)
  const parts = [
    condition.kind === 'constant' && condition.holds ? undefined : writeWhere(writing, condition, alias),
    filter,
    test,
  ].filter((part) => part !== undefined)
  return `from ${tableOf(schema.className)} ${alias}${parts.length > 0 ? ` where ${parts.join(' and ')}` : ''}`
}

function writeInQuery(
  writing: Writing,
  { place, query }: Extract<Condition, { kind: 'inQuery' }>,
  alias: string,
): string {
  const inner = nextAlias(writing)
  if (!isJson(place)) {
    return `${columnOf(place, alias)} in (select ${inner}."objectId" ${writeSubquery(writing, query, inner)})`
  }
  const className = writing.bindings.bind(query.schema.className)
  return writeSome(writing, place, alias, 'elements', (value) => {
    const isPointer = `${value} ->> '__type' = 'Pointer' and ${value} ->> 'className' = ${className}`
    return `${isPointer} and ${value} ->> 'objectId' in (select ${inner}."objectId" ${writeSubquery(writing, query, inner)})`
  })
}

function writeRelation(
  writing: Writing,
  { className, field, ids, query }: Extract<Condition, { kind: 'relation' }>,
  alias: string,
): string {
  const [join, inner] = [nextAlias(writing), nextAlias(writing)]
  const tests = [`${join}."owningId" = ${alias}."objectId"`]
  if (ids) tests.push(`${join}."relatedId" = any(${writing.bindings.bind(ids)}::text[])`)
  if (query) tests.push(`${join}."relatedId" in (select ${inner}."objectId" ${writeSubquery(writing, query, inner)})`)
  return `exists (select from ${tableOf(joinTableName(className, field))} ${join} where ${tests.join(' and ')})`
}

/** What the owner holds is as secret as the owner: who may not read it finds nothing. */
function writeRelatedTo(
  writing: Writing,
  { owner, field }: Extract<Condition, { kind: 'relatedTo' }>,
  alias: string,
): string {
  const { schema, decision, objectId } = owner
  const [join, owning] = [nextAlias(writing), nextAlias(writing)]
  const id = writing.bindings.bind(objectId)
  const filter = writeRowFilter(writing.bindings, schema, writing.access, decision, 'read', owning)
  const readable = filter
    ? ` and exists (select from ${tableOf(schema.className)} ${owning} where ${owning}."objectId" = ${id} and ${filter})`
    : ''
  const held = `select ${join}."relatedId" from ${tableOf(joinTableName(schema.className, field))} ${join}`
  return `${alias}.${quote('objectId')} in (${held} where ${join}."owningId" = ${id}${readable})`
}
