import type { WireDate, WireValue } from '@countersign/protocol'
import { columns } from '../classes/columns.ts'
import type { Condition, Place } from './Condition.ts'
import { isJson } from './resolvePlace.ts'
import type { Writing } from './Writing.ts'
import { columnOf, writeSome } from './writeCandidates.ts'

type Typed = { [key: string]: WireValue }

/** Types that compare as a whole, with the type that their bound values get. */
const plainTypes = new Map([
  ['String', 'text'],
  ['Pointer', 'text'],
  ['Number', 'double precision'],
  ['Boolean', 'boolean'],
  ['Date', 'timestamptz'],
  ['Bytes', 'bytea'],
  ['Polygon', 'jsonb'],
])

/** One of the values is there. None of them is null, and each is in the form in which it lies there. */
export function writeEquals(writing: Writing, place: Place, values: readonly WireValue[], alias: string): string {
  if (isJson(place)) return writeJsonEquals(writing, place, values, alias)
  const { bindings } = writing
  const column = columnOf(place, alias)
  if (place.type === 'File') {
    return `${column} ->> 'name' = any(${bindings.bind(values.map((value) => (value as Typed).name))}::text[])`
  }
  if (place.type === 'GeoPoint') {
    const [x, y] = ['longitude', 'latitude'].map((name) => bindings.bind(values.map((value) => (value as Typed)[name])))
    // Together: as many values as there are points would be more than a statement can have.
    return `exists (select from unnest(${x}::float8[], ${y}::float8[]) as p(x, y) where ${column}[0] = p.x and ${column}[1] = p.y)`
  }
  const type = plainTypes.get(place.type) ?? 'text'
  const encoded = values.map((value) => columns[place.type].encode(value))
  if (encoded.length === 1) return `${column} = ${bindings.bind(encoded[0])}::${type}`
  return `${column} = any(${bindings.bind(encoded)}${type === 'jsonb' ? '::text[]' : ''}::${type}[])`
}

/** As many as an index is asked for one by one. */
const fewValues = 10

function writeJsonEquals(writing: Writing, place: Place, values: readonly WireValue[], alias: string): string {
  const { bindings } = writing
  const column = columnOf(place, alias)
  const isColumn = place.path.length === 0
  const encoded = values.map((value) => JSON.stringify(value))
  if (isColumn && place.type === 'Object') {
    if (encoded.length === 1) return `${column} = ${bindings.bind(encoded[0])}::jsonb`
    return `${column} = any(${bindings.bind(encoded)}::text[]::jsonb[])`
  }
  const isScalar = (value: WireValue) => typeof value !== 'object'
  const isFew = isColumn && values.length <= fewValues
  // Containment is what an index knows; of an object it means a part of it, so objects are compared again.
  const contained = isFew
    ? `(${encoded.map((value) => `${column} @> ${bindings.bind(`[${value}]`)}::jsonb`).join(' or ')})`
    : undefined
  if (contained && values.every(isScalar)) return contained
  const list = `${bindings.bind(encoded)}::text[]::jsonb[]`
  const among = (value: string) => `${value} = any(${list})`
  const element = writeSome(writing, place, alias, 'elements', among)
  const elements = contained ? `(${contained} and ${element})` : element
  if (values.every((value) => !Array.isArray(value))) return elements
  const whole = isColumn ? among(column) : writeSome(writing, place, alias, 'whole', among)
  return `(${elements} or ${whole})`
}

/** Texts compare by their code points, whatever the collation of the column. */
export function writeCompares(
  writing: Writing,
  { place, operator, value }: Extract<Condition, { kind: 'compares' }>,
  alias: string,
): string {
  const { bindings } = writing
  if (isJson(place)) return writeJsonCompares(writing, place, operator, value, alias)
  const column = columnOf(place, alias)
  if (typeof value === 'object') return `${column} ${operator} ${bindings.bind(new Date(value.iso))}::timestamptz`
  if (typeof value === 'number') return `${column} ${operator} ${bindings.bind(value)}::float8`
  if (typeof value === 'boolean') return `${column} ${operator} ${bindings.bind(value)}::boolean`
  // Ids keep the collation of the database, in which their index stands.
  const collation = place.field === 'objectId' ? '' : ' collate "C"'
  return `${column} ${operator} ${bindings.bind(value)}::text${collation}`
}

function writeJsonCompares(
  writing: Writing,
  place: Place,
  operator: string,
  value: string | number | boolean | WireDate,
  alias: string,
): string {
  const bound = writing.bindings.bind(
    typeof value === 'object' ? value.iso : typeof value === 'string' ? value : JSON.stringify(value),
  )
  return writeSome(writing, place, alias, 'elements', (found) => {
    if (typeof value === 'object') {
      return `${found} ->> '__type' = 'Date' and (${found} ->> 'iso') collate "C" ${operator} ${bound}::text`
    }
    if (typeof value === 'string') {
      return `jsonb_typeof(${found}) = 'string' and (${found} #>> '{}') collate "C" ${operator} ${bound}::text`
    }
    return `jsonb_typeof(${found}) = '${typeof value}' and ${found} ${operator} ${bound}::jsonb`
  })
}

/** An array each element of which is among the values. */
export function writeContainedBy(
  writing: Writing,
  { place, values }: Extract<Condition, { kind: 'containedBy' }>,
  alias: string,
): string {
  const list = `${writing.bindings.bind(values.map((value) => JSON.stringify(value)))}::text[]::jsonb[]`
  return writeSome(
    writing,
    place,
    alias,
    'whole',
    (found) =>
      `jsonb_typeof(${found}) = 'array' and not exists (select from jsonb_path_query(${found}, '$[*]') as e(v) where not e.v = any(${list}))`,
  )
}
