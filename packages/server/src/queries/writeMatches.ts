import type { Place } from './Condition.ts'
import type { Pattern } from './patterns/Pattern.ts'
import { writePattern } from './patterns/writePattern.ts'
import { isJson } from './resolvePlace.ts'
import type { Writing } from './Writing.ts'
import { columnOf, writeSome } from './writeCandidates.ts'

/** A text in which the pattern is found. What only asks for a text is asked without a pattern. */
export function writeMatches(writing: Writing, place: Place, pattern: Pattern, alias: string): string {
  const test = (text: string) => writeTest(writing, pattern, text)
  if (!isJson(place)) return test(columnOf(place, alias))
  return writeSome(
    writing,
    place,
    alias,
    'elements',
    (value) => `jsonb_typeof(${value}) = 'string' and ${test(`(${value} #>> '{}')`)}`,
  )
}

function writeTest({ bindings }: Writing, { plain, tree }: Pattern, text: string): string {
  if (!plain) return `${text} collate "C" ~ ${bindings.bind(writePattern(tree))}::text`
  const bound = `${bindings.bind(plain.text)}::text`
  switch (plain.at) {
    case 'start':
      return `${text} collate "C" ^@ ${bound}`
    case 'end':
      return `right(${text}, char_length(${bound})) collate "C" = ${bound}`
    case 'whole':
      return `${text} collate "C" = ${bound}`
    case 'anywhere':
      return `strpos(${text} collate "C", ${bound}) > 0`
  }
}
