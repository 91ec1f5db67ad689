import type { FieldTypeName } from '../classes/ClassSchema.ts'
import type { Condition, Place, Subquery } from './Condition.ts'
import { isJson } from './resolvePlace.ts'
import { nextAlias, type Writing } from './Writing.ts'
import { columnOf, writeSome } from './writeCandidates.ts'

type WriteSubquery = (query: Subquery, alias: string, test: string) => string

/** Equal to a key of a result of the subquery. Values of two types are never equal. */
export function writeSelect(
  writing: Writing,
  { place, key, query }: Extract<Condition, { kind: 'select' }>,
  alias: string,
  writeSubquery: WriteSubquery,
): string {
  const inner = nextAlias(writing)
  const matching = (test: string) => `exists (select ${writeSubquery(query, inner, test)})`
  if (!isJson(place) && !isJson(key)) {
    if (place.type !== key.type || place.targetClass !== key.targetClass) return 'false'
    const [one, other] = [columnOf(place, alias), columnOf(key, inner)]
    if (place.type === 'GeoPoint') return matching(`${other}[0] = ${one}[0] and ${other}[1] = ${one}[1]`)
    if (place.type === 'File') return matching(`${other} ->> 'name' = ${one} ->> 'name'`)
    const collation = place.type === 'String' ? ' collate "C"' : ''
    return `${one} in (select ${other}${collation} ${writeSubquery(query, inner, `${other} is not null`)})`
  }
  return writeEachValue(writing, place, alias, (value) =>
    matching(writeEachValue(writing, key, inner, (other) => `${value} = ${other}`)),
  )
}

/** Whether a value at the place, as JSON, is as `test` says. */
function writeEachValue(writing: Writing, place: Place, alias: string, test: (value: string) => string): string {
  if (isJson(place)) {
    const isObject = place.type === 'Object' && place.path.length === 0
    return writeSome(writing, place, alias, isObject ? 'whole' : 'elements', test)
  }
  const asJson = jsonForms[place.type]
  if (!asJson) return 'false'
  const found = nextAlias(writing)
  const column = columnOf(place, alias)
  return `exists (select from (select ${asJson(column, writing, place)} as v where ${column} is not null) ${found} where ${test(`${found}.v`)})`
}

type JsonForm = (column: string, writing: Writing, place: Place) => string
const plainForm: JsonForm = (column) => `to_jsonb(${column})`

/** How a column's value would stand in an array or object. */
const jsonForms: { [type in FieldTypeName]?: JsonForm } = {
  String: plainForm,
  Number: plainForm,
  Boolean: plainForm,
  Date: (column) =>
    `jsonb_build_object('__type', 'Date', 'iso', to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`,
  Pointer: (column, { bindings }, place) =>
    `jsonb_build_object('__type', 'Pointer', 'className', ${bindings.bind(place.targetClass ?? '')}::text, 'objectId', ${column})`,
}
