import { isJson, type WireDate, type WireGeoPoint, type WireValue } from '@countersign/protocol'
import { columns, textVector } from '../classes/columns.ts'
import { type Fragment, sql } from '../db/sql.ts'
import type { Access } from '../roles/accessOf.ts'
import type { Condition, TextSearch } from './Condition.ts'
import { type Box, boxesAround, boxesBetween } from './geo.ts'
import type { Place } from './Place.ts'

/** A statement that is being written. */
export type SqlWriter = {
  readonly access: Access
  aliases: number
  /** The statement reads a distributed class: Citus knows fewer forms of subqueries. */
  readonly isSpread: boolean
}

/** A name for one more table of the statement. */
export function nextAlias(writer: SqlWriter): Fragment {
  return sql.id(`q${++writer.aliases}`)
}

type Typed = { [key: string]: WireValue }

/** Types that compare as a whole, with the type that their bound values get. */
const plainTypes = new Map([
  ['String', sql`text`],
  ['Pointer', sql`text`],
  ['Number', sql`double precision`],
  ['Boolean', sql`boolean`],
  ['Date', sql`timestamptz`],
  ['Bytes', sql`bytea`],
  ['Polygon', sql`jsonb`],
])

/** One of the values is there. None of them is null, and each is in the form in which it lies there. */
export function writeEquals(writer: SqlWriter, place: Place, values: readonly WireValue[], alias: Fragment): Fragment {
  if (isJson(place)) return writeJsonEquals(writer, place, values, alias)
  const column = columnOf(place, alias)
  if (place.type === 'File') {
    return sql`${column} ->> 'name' = any(${values.map((value) => (value as Typed).name)}::text[])`
  }
  if (place.type === 'GeoPoint') {
    const [x, y] = ['longitude', 'latitude'].map((name) => sql.param(values.map((value) => (value as Typed)[name])))
    // Together: as many values as there are points would be more than a statement can have.
    return sql`exists (
      select from unnest(${x}::float8[], ${y}::float8[]) as p(x, y) where ${column}[0] = p.x and ${column}[1] = p.y)`
  }
  const type = plainTypes.get(place.type) ?? sql`text`
  const encoded = values.map((value) => columns[place.type].encode(value))
  if (encoded.length === 1) return sql`${column} = ${encoded[0]}::${type}`
  return sql`${column} = any(${encoded}${place.type === 'Polygon' ? sql`::text[]` : sql``}::${type}[])`
}

/** As many as an index is asked for one by one. */
const fewValues = 10

function writeJsonEquals(writer: SqlWriter, place: Place, values: readonly WireValue[], alias: Fragment): Fragment {
  const column = columnOf(place, alias)
  const isColumn = place.path.length === 0
  const encoded = values.map((value) => JSON.stringify(value))
  if (isColumn && place.type === 'Object') {
    if (encoded.length === 1) return sql`${column} = ${encoded[0]}::jsonb`
    return sql`${column} = any(${encoded}::text[]::jsonb[])`
  }
  const isScalar = (value: WireValue) => typeof value !== 'object'
  const isFew = isColumn && values.length <= fewValues
  // Containment is what an index knows; of an object it means a part of it, so objects are compared again.
  const contained = isFew
    ? sql`(${sql.join(
        encoded.map((value) => sql`${column} @> ${`[${value}]`}::jsonb`),
        ' or ',
      )})`
    : undefined
  if (contained && values.every(isScalar)) return contained
  const list = sql`${sql.param(encoded)}::text[]::jsonb[]`
  const among = (value: Fragment) => sql`${value} = any(${list})`
  const element = writeSome(writer, place, alias, 'elements', among)
  const elements = contained ? sql`(${contained} and ${element})` : element
  if (values.every((value) => !Array.isArray(value))) return elements
  const whole = isColumn ? among(column) : writeSome(writer, place, alias, 'whole', among)
  return sql`(${elements} or ${whole})`
}

const comparisons = { '<': sql`<`, '<=': sql`<=`, '>': sql`>`, '>=': sql`>=` } as const

/** Texts compare by their code points, whatever the collation of the column. */
export function writeCompares(
  writer: SqlWriter,
  { place, operator, value }: Extract<Condition, { kind: 'compares' }>,
  alias: Fragment,
): Fragment {
  if (isJson(place)) return writeJsonCompares(writer, place, comparisons[operator], value, alias)
  const compared = comparisons[operator]
  const column = columnOf(place, alias)
  if (typeof value === 'object') return sql`${column} ${compared} ${new Date(value.iso)}::timestamptz`
  if (typeof value === 'number') return sql`${column} ${compared} ${value}::float8`
  if (typeof value === 'boolean') return sql`${column} ${compared} ${value}::boolean`
  // Ids keep the collation of the database, in which their index stands.
  const collation = place.field === 'objectId' ? sql`` : sql` collate "C"`
  return sql`${column} ${compared} ${value}::text${collation}`
}

function writeJsonCompares(
  writer: SqlWriter,
  place: Place,
  operator: Fragment,
  value: string | number | boolean | WireDate,
  alias: Fragment,
): Fragment {
  const bound = sql.param(
    typeof value === 'object' ? value.iso : typeof value === 'string' ? value : JSON.stringify(value),
  )
  return writeSome(writer, place, alias, 'elements', (found) => {
    if (typeof value === 'object') {
      return sql`${found} ->> '__type' = 'Date' and (${found} ->> 'iso') collate "C" ${operator} ${bound}::text`
    }
    if (typeof value === 'string') {
      return sql`jsonb_typeof(${found}) = 'string' and (${found} #>> '{}') collate "C" ${operator} ${bound}::text`
    }
    return sql`jsonb_typeof(${found}) = '${sql.raw(typeof value)}' and ${found} ${operator} ${bound}::jsonb`
  })
}

/** Matches arrays with no other elements than the values. */
export function writeContainedBy(
  writer: SqlWriter,
  { place, values }: Extract<Condition, { kind: 'containedBy' }>,
  alias: Fragment,
): Fragment {
  const list = sql`${values.map((value) => JSON.stringify(value))}::text[]::jsonb[]`
  if (writer.isSpread) {
    return writeSome(writer, place, alias, 'whole', (found) => sql`countersign.list_within(${found}, ${list})`)
  }
  return writeSome(
    writer,
    place,
    alias,
    'whole',
    (found) =>
      sql`jsonb_typeof(${found}) = 'array' and not exists (
        select from jsonb_path_query(${found}, '$[*]') as e(v) where not e.v = any(${list}))`,
  )
}

/** PostgreSQL's own search. The vector is written as the index of the class has it, so that the two meet. */
export function writeTextSearch(place: Place, search: TextSearch, alias: Fragment): Fragment {
  const query = writeTextQuery(search)
  if (query === undefined) return sql`false`
  const found = sql`${textVector(columnOf(place, alias), search.language)} @@ ${query}`
  const exact = writeExact(place, search, alias)
  return exact ? sql`(${found} and ${exact})` : found
}

/** Rank of a text for the search: the order of `$score`. */
export function writeTextScore(place: Place, search: TextSearch, alias: Fragment): Fragment {
  const query = writeTextQuery(search)
  if (query === undefined) return sql`0::float8`
  return sql`ts_rank(${textVector(columnOf(place, alias), search.language)}, ${query})::float8`
}

function writeTextQuery(search: TextSearch): Fragment | undefined {
  const { language, words, phrases, without } = search
  const parsed = (parser: Fragment, text: string) =>
    sql`${parser}('${sql.raw(language)}'::regconfig, countersign.fold_text(${text}))`
  const single = words.map((word) => parsed(sql`plainto_tsquery`, word))
  const wanted = [
    ...(single.length > 0 ? [sql`(${sql.join(single, ' || ')})`] : []),
    ...phrases.map((phrase) => parsed(sql`phraseto_tsquery`, phrase)),
  ]
  if (wanted.length === 0) return undefined
  const unwanted = without.map((word) => sql`!!${parsed(sql`phraseto_tsquery`, word)}`)
  return sql`(${sql.join([...wanted, ...unwanted], ' && ')})`
}

/** The search itself knows neither case nor diacritics; where they count, the words must stand there as written. */
function writeExact(place: Place, search: TextSearch, alias: Fragment): Fragment | undefined {
  const { caseSensitive, diacriticSensitive, words, phrases } = search
  if (!caseSensitive && !diacriticSensitive) return undefined
  const form = (text: Fragment) => {
    const folded = diacriticSensitive ? text : sql`countersign.fold_text(${text})`
    return caseSensitive ? folded : sql`lower(${folded})`
  }
  const holds = (text: string) => sql`strpos(${form(columnOf(place, alias))}, ${form(sql`${text}::text`)}) > 0`
  const wanted = [...(words.length > 0 ? [sql`(${sql.join(words.map(holds), ' or ')})`] : []), ...phrases.map(holds)]
  return sql.join(wanted, ' and ')
}

export function columnOf(place: Place, alias: Fragment): Fragment {
  return sql`${alias}.${sql.id(place.field)}`
}

/**
 * Applies `test` to the values at a place in JSON. A path without numbers is a JSON path, which looks into arrays; one
 * with numbers is exact. Both are bound values, never text of the statement.
 */
export function writeSome(
  writer: SqlWriter,
  place: Place,
  alias: Fragment,
  which: 'whole' | 'elements',
  test: (value: Fragment) => Fragment | undefined,
): Fragment {
  const [base, steps] = writePath(place, alias, which)
  const found = nextAlias(writer)
  const condition = test(sql`${found}.v`)
  const where = condition ? sql` where ${condition}` : sql``
  return sql`exists (select from jsonb_path_query(${base}, ${steps}::jsonpath) as ${found}(v)${where})`
}

/** The JSON value of a place, and the path of the values in it. */
export function writePath(place: Place, alias: Fragment, which: 'whole' | 'elements'): [base: Fragment, steps: string] {
  const [base, path] = locate(place, alias)
  return [base, `$${path.map((key) => `.${JSON.stringify(key)}`).join('')}${which === 'elements' ? '[*]' : ''}`]
}

function locate(place: Place, alias: Fragment): [base: Fragment, path: readonly string[]] {
  const column = columnOf(place, alias)
  if (!place.path.some((key) => /^\d+$/.test(key))) return [column, place.path]
  return [sql`(${column} #> ${place.path}::text[])`, []]
}

type Of<Kind extends Condition['kind']> = Extract<Condition, { kind: Kind }>

/** The great circle between the point and the column, in radians (haversine). A point is (longitude, latitude). */
export function writeDistance(place: Place, point: WireGeoPoint, alias: Fragment): Fragment {
  const column = columnOf(place, alias)
  const latitude = sql`${sql.param(point.latitude)}::float8`
  const longitude = sql`${sql.param(point.longitude)}::float8`
  const half = (difference: Fragment) => sql`power(sind((${difference}) / 2), 2)`
  const [north, east] = [half(sql`${column}[1] - ${latitude}`), half(sql`${column}[0] - ${longitude}`)]
  const chord = sql`${north} + cosd(${latitude}) * cosd(${column}[1]) * ${east}`
  return sql`(2 * asin(sqrt(least(1, ${chord}))))`
}

/** The box first, which an index can serve; the distance only inside it. */
export function writeNear({ place, point, maxDistance }: Of<'near'>, alias: Fragment): Fragment {
  if (maxDistance === undefined) return sql`${columnOf(place, alias)} is not null`
  const boxes = writeBoxes(place, boxesAround(point, maxDistance), alias)
  return sql`(${boxes} and ${writeDistance(place, point, alias)} <= ${maxDistance}::float8)`
}

export function writeBox({ place, southWest, northEast }: Of<'box'>, alias: Fragment): Fragment {
  return writeBoxes(place, boxesBetween(southWest, northEast), alias)
}

function writeBoxes(place: Place, boxes: Box[], alias: Fragment): Fragment {
  const tests = boxes.map(({ south, north, west, east }) => {
    return sql`${columnOf(place, alias)} <@ ${`((${west},${south}),(${east},${north}))`}::box`
  })
  return tests.length === 1 ? (tests[0] as Fragment) : sql`(${sql.join(tests, ' or ')})`
}

export function writePolygon({ place, points }: Of<'polygon'>, alias: Fragment): Fragment {
  const corners = points.map(({ latitude, longitude }) => `(${longitude},${latitude})`)
  return sql`${columnOf(place, alias)} <@ ${`(${corners.join(',')})`}::polygon`
}

/** A Polygon is stored in wire order: latitude first. */
export function writeSurrounds({ place, point }: Of<'surrounds'>, alias: Fragment): Fragment {
  const polygon = sql`translate(${columnOf(place, alias)}::text, '[]', '()')::polygon`
  return sql`${`(${point.latitude},${point.longitude})`}::point <@ ${polygon}`
}
