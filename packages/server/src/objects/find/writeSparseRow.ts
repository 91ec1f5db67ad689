import { type Fragment, sql } from '../../db/sql.ts'

/** PostgreSQL passes 100 arguments at most to a function. */
const mostArguments = 90

/**
 * From this many columns on, a row is sent without its empty ones. With 500 columns of which seven are set, that takes
 * a tenth of the time; below 60, composing the text costs as much as it saves.
 */
export const manyColumns = 64

/** Row of members as JSON. */
export function writeSparseRow(members: readonly Fragment[]): Fragment {
  return sql`('{'||concat_ws(',',${sql.join(members, ',')})||'}')::json`
}

/**
 * Members of the row `_row` for these columns, without those that are null. `json_strip_nulls` would also remove nulls
 * inside the values of Object and Array fields.
 */
export function writeMembers(names: readonly string[]): Fragment {
  const groups: Fragment[] = []
  for (let from = 0; from < names.length; from += mostArguments) {
    const members = names.slice(from, from + mostArguments).map(writeMember)
    // An empty group is null, so that no comma is written for it.
    groups.push(sql`nullif(concat_ws(',',${sql.join(members, ',')}),'')`)
  }
  return sql.flat(sql.join(groups, ','))
}

/** The cast to text is written out: without it PostgreSQL resolves the operator again in every plan. */
function writeMember(name: string): Fragment {
  return sql`${sql.raw(`'"${name}":'`)}||to_json(${sql.column('_row', name)})::text`
}
