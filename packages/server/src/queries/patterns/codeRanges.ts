import { type CodeRange, highestCode } from './Pattern.ts'

const code = (character: string) => character.codePointAt(0) ?? 0
const ranges = (text: string): CodeRange[] => text.split(' ').map((pair) => [code(pair[0] ?? ''), code(pair[1] ?? '')])

const digits = ranges('09')
const words = ranges('09 AZ __ az')
/** White space as JavaScript defines it, too. */
const spaces: CodeRange[] = [
  [0x09, 0x0d],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
]

/** `\d`, `\w`, `\s`; their capitals are the rest. */
export const shorthands: ReadonlyMap<string, readonly CodeRange[]> = new Map([
  ['d', digits],
  ['w', words],
  ['s', spaces],
  ['D', complement(digits)],
  ['W', complement(words)],
  ['S', complement(spaces)],
])

/** `[:alpha:]` and its like, of ASCII. */
export const posixClasses: ReadonlyMap<string, readonly CodeRange[]> = new Map([
  ['alpha', ranges('AZ az')],
  ['digit', digits],
  ['alnum', ranges('09 AZ az')],
  ['upper', ranges('AZ')],
  ['lower', ranges('az')],
  ['word', words],
  ['space', [[0x09, 0x0d] as const, [0x20, 0x20] as const]],
  ['blank', [[0x09, 0x09] as const, [0x20, 0x20] as const]],
  ['punct', ranges('!/ :@ [` {~')],
  ['xdigit', ranges('09 AF af')],
  ['cntrl', [[0x01, 0x1f] as const, [0x7f, 0x7f] as const]],
  ['print', [[0x20, 0x7e] as const]],
  ['graph', [[0x21, 0x7e] as const]],
])

/** Sorted, with what touches joined. */
export function normalize(given: readonly CodeRange[]): CodeRange[] {
  const sorted = [...given].sort((one, other) => one[0] - other[0])
  const joined: [number, number][] = []
  for (const [from, to] of sorted) {
    const last = joined.at(-1)
    if (last && from <= last[1] + 1) last[1] = Math.max(last[1], to)
    else joined.push([from, to])
  }
  return joined
}

/** Every other code point. Zero is none: the database holds no text with it. */
export function complement(given: readonly CodeRange[]): CodeRange[] {
  const rest: CodeRange[] = []
  let next = 1
  for (const [from, to] of normalize(given)) {
    if (from > next) rest.push([next, from - 1])
    next = to + 1
  }
  if (next <= highestCode) rest.push([next, highestCode])
  return rest
}

/** Ranges of alphabets with two cases. */
const casedRanges: CodeRange[] = [
  [0x41, 0x24ff],
  [0x2c00, 0x2d2d],
  [0xa640, 0xa7ff],
  [0xab70, 0xabbf],
  [0xff21, 0xff5a],
  [0x10400, 0x104fb],
  [0x1e900, 0x1e943],
]
let casePairs: CodeRange[] | undefined

/** With the other case of each letter. */
export function withBothCases(given: readonly CodeRange[]): CodeRange[] {
  const [first] = given
  if (given.length === 1 && first && first[0] === first[1]) return normalize([...given, ...otherCases(first[0])])
  // Made once: a caller who writes many large sets must not have the alphabets walked through for each.
  casePairs ??= casedRanges.flatMap(([from, to]) =>
    Array.from({ length: to - from + 1 }, (_, index) => from + index).flatMap((code) =>
      otherCases(code).map(([other]): CodeRange => [code, other]),
    ),
  )
  const includes = (code: number) => given.some(([from, to]) => code >= from && code <= to)
  const others = casePairs.filter(([code, other]) => includes(code) && !includes(other))
  return normalize([...given, ...others.map(([, other]): CodeRange => [other, other])])
}

function otherCases(code: number): CodeRange[] {
  const character = String.fromCodePoint(code)
  return [character.toLowerCase(), character.toUpperCase()]
    .filter((other) => other !== character && [...other].length === 1)
    .map((other) => {
      const found = other.codePointAt(0) ?? code
      return [found, found]
    })
}
