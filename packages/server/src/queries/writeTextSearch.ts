import { textVector } from '../classes/textVector.ts'
import type { Place, TextSearch } from './Condition.ts'
import type { Writing } from './Writing.ts'
import { columnOf } from './writeCandidates.ts'

/** PostgreSQL's own search. The vector is written as the index of the class has it, so that the two meet. */
export function writeTextSearch(writing: Writing, place: Place, search: TextSearch, alias: string): string {
  const query = writeTextQuery(writing, search)
  if (query === undefined) return 'false'
  const found = `${textVector(columnOf(place, alias), search.language)} @@ ${query}`
  const exact = writeExact(writing, place, search, alias)
  return exact ? `(${found} and ${exact})` : found
}

/** How well a text answers to the search: the order of `$score`. */
export function writeTextScore(writing: Writing, place: Place, search: TextSearch, alias: string): string {
  const query = writeTextQuery(writing, search)
  if (query === undefined) return '0::float8'
  return `ts_rank(${textVector(columnOf(place, alias), search.language)}, ${query})::float8`
}

function writeTextQuery({ bindings }: Writing, search: TextSearch): string | undefined {
  const { language, words, phrases, without } = search
  const parsed = (kind: 'plain' | 'phrase', text: string) =>
    `${kind}to_tsquery('${language}'::regconfig, countersign.fold_text(${bindings.bind(text)}))`
  const wanted = [
    ...(words.length > 0 ? [`(${words.map((word) => parsed('plain', word)).join(' || ')})`] : []),
    ...phrases.map((phrase) => parsed('phrase', phrase)),
  ]
  if (wanted.length === 0) return undefined
  return `(${[...wanted, ...without.map((word) => `!!${parsed('phrase', word)}`)].join(' && ')})`
}

/** The search itself knows neither case nor diacritics; where they count, the words must stand there as written. */
function writeExact({ bindings }: Writing, place: Place, search: TextSearch, alias: string): string | undefined {
  const { caseSensitive, diacriticSensitive, words, phrases } = search
  if (!caseSensitive && !diacriticSensitive) return undefined
  const form = (text: string) => {
    const folded = diacriticSensitive ? text : `countersign.fold_text(${text})`
    return caseSensitive ? folded : `lower(${folded})`
  }
  const holds = (text: string) => `strpos(${form(columnOf(place, alias))}, ${form(`${bindings.bind(text)}::text`)}) > 0`
  const wanted = [...(words.length > 0 ? [`(${words.map(holds).join(' or ')})`] : []), ...phrases.map(holds)]
  return wanted.join(' and ')
}
