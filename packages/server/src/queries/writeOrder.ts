import type { ClassSchema, FieldTypeName } from '../classes/ClassSchema.ts'
import { type Fragment, sql } from '../db/sql.ts'
import type { Condition } from './Condition.ts'
import type { Sort } from './Sort.ts'
import { columnOf, writeDistance, writeTextScore } from './writeComparison.ts'

/** A part of an order in SQL. */
export type WrittenSort = {
  expression: () => Fragment
  type: string
  isNullable: boolean
  /** The order states where absent values go, as the index of the field does: PostgreSQL uses it for that order alone. */
  placesNulls: boolean
  descending: boolean
}

const types: { [type in FieldTypeName]: string } = {
  String: 'text',
  Pointer: 'text',
  Number: 'float8',
  Boolean: 'boolean',
  Date: 'timestamptz',
  Bytes: 'bytea',
  Object: 'jsonb',
  Array: 'jsonb',
  File: 'jsonb',
  Polygon: 'jsonb',
  GeoPoint: 'text',
}
const neverNull = new Set(['objectId', 'createdAt', 'updatedAt'])

/** Input that decides how absent values are ordered. */
export type SortSetting = { schema: ClassSchema; condition: Condition }

/** The order with the id at its end: what is equal otherwise must not change places between two pages. */
export function writeSorts({ schema, condition }: SortSetting, sorts: readonly Sort[], alias: Fragment): WrittenSort[] {
  const present = presentFields(condition)
  const indexed = new Set([...schema.indexes.values()].flatMap(({ fields }) => [...fields.keys()]))
  const isNullable = (field: string) => !neverNull.has(field) && !present.has(field)
  // Without it an index made by hand serves the order too. The primary key is such an index.
  const placesNulls = (field: string) => isNullable(field) || (indexed.has(field) && field !== 'objectId')
  const written = sorts.map((sort) => writeSort(sort, { isNullable, placesNulls }, alias))
  if (sorts.some((sort) => sort.by === 'place' && sort.place.field === 'objectId')) return written
  // In the direction of the last one, so that one index serves both.
  const descending = written.at(-1)?.descending ?? false
  const expression = () => sql`${alias}."objectId"`
  return [...written, { expression, type: 'text', isNullable: false, placesNulls: false, descending }]
}

type Nulls = { isNullable: (field: string) => boolean; placesNulls: (field: string) => boolean }

function writeSort(sort: Sort, nulls: Nulls, alias: Fragment): WrittenSort {
  const { descending } = sort
  if (sort.by === 'score') {
    const { place, search } = sort.text
    return {
      expression: () => writeTextScore(place, search, alias),
      type: 'float8',
      isNullable: true,
      placesNulls: true,
      descending,
    }
  }
  if (sort.by === 'distance') {
    const { place, point } = sort.near
    return {
      expression: () => writeDistance(place, point, alias),
      type: 'float8',
      isNullable: true,
      placesNulls: true,
      descending,
    }
  }
  const { place } = sort
  const column = columnOf(place, alias)
  if (place.path.length > 0) {
    const expression = () => sql`nullif(${column} #> ${place.path}::text[], 'null')`
    return { expression, type: 'jsonb', isNullable: true, placesNulls: true, descending }
  }
  // Texts are ordered by their code points; ids in that of their index.
  const collated = place.type === 'String' && place.field !== 'objectId' ? sql`${column} collate "C"` : column
  return {
    expression: () => collated,
    type: types[place.type],
    isNullable: nulls.isNullable(place.field),
    placesNulls: nulls.placesNulls(place.field),
    descending,
  }
}

export function writeOrderBy(sorts: readonly WrittenSort[]): Fragment {
  return sql.join(
    sorts.map(({ expression, placesNulls, descending }) => {
      if (!placesNulls) return descending ? sql`${expression()} desc` : expression()
      return descending ? sql`${expression()} desc nulls last` : sql`${expression()} nulls first`
    }),
  )
}

/** Fields that have a value in whatever the condition finds. */
function presentFields(condition: Condition): ReadonlySet<string> {
  const parts = condition.kind === 'all' ? condition.of : [condition]
  const present = new Set<string>()
  for (const part of parts) {
    const isCertain = part.kind === 'compares' || part.kind === 'equals' || part.kind === 'hasValue'
    if (isCertain && part.place.path.length === 0) present.add(part.place.field)
  }
  return present
}
