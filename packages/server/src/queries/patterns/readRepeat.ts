import type { PatternNode } from './Pattern.ts'
import { type PatternReader, refusePattern, skipBlank } from './PatternReader.ts'

/** As PostgreSQL's own. */
const mostTimes = 255

/** How often what was read is wanted. */
export function readRepeat(reader: PatternReader, atom: PatternNode): PatternNode {
  if (reader.quoted) return atom
  if (reader.options.extended) while (skipBlank(reader));
  const counts = /^(?:[*+?]|\{\d{1,5}(?:,\d{0,5})?\})/.exec(reader.source.slice(reader.at, reader.at + 20))?.[0]
  if (!counts) return atom
  if (atom.kind === 'look' || atom.kind === 'start' || atom.kind === 'end') refusePattern('an edge cannot be repeated')
  reader.at += counts.length
  const after = reader.source[reader.at]
  if (after === '+') refusePattern('possessive repetitions are not supported')
  // Lazy or greedy: which part is found differs, not whether there is one.
  if (after === '?') reader.at++
  else if (after === '*') refusePattern('a repetition cannot be repeated; put it into parentheses')
  const [least, most] = readCounts(counts)
  return { kind: 'repeat', of: atom, least, most }
}

function readCounts(text: string): [least: number, most: number] {
  if (text === '*') return [0, Number.POSITIVE_INFINITY]
  if (text === '+') return [1, Number.POSITIVE_INFINITY]
  if (text === '?') return [0, 1]
  const [least = '', most] = text.slice(1, -1).split(',')
  const counts: [number, number] = [
    Number(least),
    most === undefined ? Number(least) : most === '' ? Number.POSITIVE_INFINITY : Number(most),
  ]
  if (counts[0] > mostTimes || (Number.isFinite(counts[1]) && counts[1] > mostTimes)) {
    refusePattern(`a repetition may count to ${mostTimes}`)
  }
  if (counts[1] < counts[0]) refusePattern('the counts of a repetition are out of order')
  return counts
}
