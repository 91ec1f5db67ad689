import { quote } from '../db/createBindings.ts'
import type { Place } from './Condition.ts'
import { nextAlias, type Writing } from './Writing.ts'

export function columnOf(place: Place, alias: string): string {
  return `${alias}.${quote(place.field)}`
}

/**
 * Whether one of the values at a place in JSON is as `test` says. A way without numbers is a JSON path, which looks
 * through arrays; one with numbers is followed exactly. Both are bound values, never text of the statement.
 */
export function writeSome(
  writing: Writing,
  place: Place,
  alias: string,
  which: 'whole' | 'elements',
  test: (value: string) => string | undefined,
): string {
  const [base, path] = locate(writing, place, alias)
  const steps = `$${path.map((key) => `.${JSON.stringify(key)}`).join('')}${which === 'elements' ? '[*]' : ''}`
  const found = nextAlias(writing)
  const condition = test(`${found}.v`)
  return `exists (select from jsonb_path_query(${base}, ${writing.bindings.bind(steps)}::jsonpath) as ${found}(v)${condition ? ` where ${condition}` : ''})`
}

function locate(writing: Writing, place: Place, alias: string): [base: string, path: readonly string[]] {
  const column = columnOf(place, alias)
  if (!place.path.some((key) => /^\d+$/.test(key))) return [column, place.path]
  return [`(${column} #> ${writing.bindings.bind(place.path)}::text[])`, []]
}
