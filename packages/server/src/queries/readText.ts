import { CountersignError, type WireValue } from '@countersign/protocol'
import type { TextSearch } from './Condition.ts'

/** The configurations that every PostgreSQL has, by the codes that clients use. Names reach SQL from here alone. */
const languages = new Map([
  ['ar', 'arabic'],
  ['hy', 'armenian'],
  ['da', 'danish'],
  ['nl', 'dutch'],
  ['en', 'english'],
  ['fi', 'finnish'],
  ['fr', 'french'],
  ['de', 'german'],
  ['el', 'greek'],
  ['hi', 'hindi'],
  ['hu', 'hungarian'],
  ['id', 'indonesian'],
  ['ga', 'irish'],
  ['it', 'italian'],
  ['lt', 'lithuanian'],
  ['ne', 'nepali'],
  ['nb', 'norwegian'],
  ['no', 'norwegian'],
  ['pt', 'portuguese'],
  ['ro', 'romanian'],
  ['ru', 'russian'],
  ['sr', 'serbian'],
  ['es', 'spanish'],
  ['sv', 'swedish'],
  ['ta', 'tamil'],
  ['tr', 'turkish'],
  ['none', 'simple'],
  ['simple', 'simple'],
])
const names = new Set(languages.values())
const mostWords = 50
const longestTerm = 1000

/** `{ "$search": { "$term": "…", "$language": "en", "$caseSensitive": false, "$diacriticSensitive": false } }` */
export function readText(value: WireValue): TextSearch {
  const search = asObject(value)?.$search
  const given = asObject(search)
  if (!given) return refuse('$search', 'object')
  const { $term: term, $language: language = 'en' } = given
  const { $caseSensitive: caseSensitive = false, $diacriticSensitive: diacriticSensitive = false } = given
  if (typeof term !== 'string' || term === '') return refuse('$term', 'string')
  if (typeof language !== 'string') return refuse('$language', 'string')
  if (typeof caseSensitive !== 'boolean') return refuse('$caseSensitive', 'boolean')
  if (typeof diacriticSensitive !== 'boolean') return refuse('$diacriticSensitive', 'boolean')
  const code = language.toLowerCase()
  const configuration = languages.get(code) ?? (names.has(code) ? code : undefined)
  if (!configuration) {
    throw new CountersignError(
      'InvalidJson',
      `bad $text: $language, use one of ${[...languages.keys()].join(', ')} or a language's English name`,
    )
  }
  return { language: configuration, ...readTerm(term), caseSensitive, diacriticSensitive }
}

/** Words of which one suffices, "phrases" that must be there, -words that must not. */
function readTerm(term: string): Pick<TextSearch, 'words' | 'phrases' | 'without'> {
  if (term.length > longestTerm) {
    throw new CountersignError('InvalidQuery', `A text search can have at most ${longestTerm} characters.`)
  }
  const words: string[] = []
  const phrases: string[] = []
  const without: string[] = []
  for (const [whole, phrase] of term.matchAll(/-?"([^"]*)"|\S+/g)) {
    const text = phrase ?? whole.replace(/^-+/, '')
    if (text.trim() === '') continue
    if (whole.startsWith('-')) without.push(text)
    else (phrase === undefined ? words : phrases).push(text)
  }
  if (words.length + phrases.length + without.length > mostWords) {
    throw new CountersignError('InvalidQuery', `A text search can have at most ${mostWords} words.`)
  }
  return { words, phrases, without }
}

function asObject(value: WireValue | undefined): { [key: string]: WireValue } | undefined {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
    ? (value as { [key: string]: WireValue })
    : undefined
}

function refuse(part: string, type: string): never {
  throw new CountersignError('InvalidJson', `bad $text: ${part}, should be ${type}`)
}
