import type { ClassSchema, FieldTypeName } from '../classes/ClassSchema.ts'
import type { Condition } from './Condition.ts'
import { writeDistance } from './geo/writeGeo.ts'
import { presentFields } from './presentFields.ts'
import type { Sort } from './readOrder.ts'
import type { Writing } from './Writing.ts'
import { columnOf } from './writeCandidates.ts'
import { writeTextScore } from './writeTextSearch.ts'

/** A part of an order in SQL. */
export type WrittenSort = { expression: () => string; type: string; isNullable: boolean; descending: boolean }

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

/** What decides how absent values are spoken of. */
export type SortSetting = { schema: ClassSchema; condition: Condition }

/** The order with the id at its end: what is equal otherwise must not change places between two pages. */
export function writeSorts(
  writing: Writing,
  { schema, condition }: SortSetting,
  sorts: readonly Sort[],
  alias: string,
): WrittenSort[] {
  const present = presentFields(condition)
  const indexed = new Set([...schema.indexes.values()].flatMap(({ fields }) => [...fields.keys()]))
  // Where no value can be absent, nothing is said of them: then an index that was made by hand serves the order too.
  // Our own indexes are made for what is said otherwise.
  const isCertain = (field: string) => neverNull.has(field) || (present.has(field) && !indexed.has(field))
  const written = sorts.map((sort) => writeSort(writing, sort, isCertain, alias))
  if (sorts.some((sort) => sort.by === 'place' && sort.place.field === 'objectId')) return written
  // In the direction of the last one, so that one index serves both.
  const descending = written.at(-1)?.descending ?? false
  return [...written, { expression: () => `${alias}."objectId"`, type: 'text', isNullable: false, descending }]
}

function writeSort(writing: Writing, sort: Sort, isCertain: (field: string) => boolean, alias: string): WrittenSort {
  const { descending } = sort
  if (sort.by === 'score') {
    const { place, search } = sort.text
    return {
      expression: () => writeTextScore(writing, place, search, alias),
      type: 'float8',
      isNullable: true,
      descending,
    }
  }
  if (sort.by === 'distance') {
    const { place, point } = sort.near
    return {
      expression: () => writeDistance(writing, place, point, alias),
      type: 'float8',
      isNullable: true,
      descending,
    }
  }
  const { place } = sort
  const column = columnOf(place, alias)
  if (place.path.length > 0) {
    const expression = () => `nullif(${column} #> ${writing.bindings.bind(place.path)}::text[], 'null')`
    return { expression, type: 'jsonb', isNullable: true, descending }
  }
  const isNullable = !isCertain(place.field)
  // Texts stand in the order of their code points; ids in that of their index.
  const collated = place.type === 'String' && place.field !== 'objectId' ? `${column} collate "C"` : column
  return { expression: () => collated, type: types[place.type], isNullable, descending }
}

export function writeOrderBy(sorts: readonly WrittenSort[]): string {
  return sorts
    .map(({ expression, isNullable, descending }) => {
      const direction = descending ? ' desc' : ''
      return `${expression()}${direction}${isNullable ? (descending ? ' nulls last' : ' nulls first') : ''}`
    })
    .join(', ')
}
