import { complement, normalize, posixClasses, shorthands } from './codeRanges.ts'
import { type CodeRange, highestCode, type Pattern, type PatternNode, sizeOf } from './Pattern.ts'
import { character, type PatternReader, refusePattern, set, skipBlank, take } from './PatternReader.ts'

const controls = new Map([
  ['t', 9],
  ['n', 10],
  ['v', 11],
  ['f', 12],
  ['r', 13],
  ['e', 27],
  ['a', 7],
])

/** As PostgreSQL's own. */
const mostTimes = 255

const deepest = 50
/** Counted with every repetition written out: what the pattern costs in memory, and for each letter it looks at. */
const largest = 2_000

/**
 * Reads a regular expression of a client: the syntax that PCRE and JavaScript share, `\Q…\E`, and the options i, m, s,
 * x and u. What cannot be decided in one pass over a text (references back, atomic groups, recursion) is refused.
 */
export function readPattern(source: string, options: string, mostLetters: number): Pattern {
  if (source.length > mostLetters) {
    refusePattern(`the pattern is longer than ${mostLetters} characters`)
  }
  const given = /^\(\?([imsxu]+)\)/.exec(source)
  const all = options + (given?.[1] ?? '')
  const reader: PatternReader = {
    source,
    at: given?.[0].length ?? 0,
    depth: 0,
    quoted: false,
    options: {
      caseless: all.includes('i'),
      lines: all.includes('m'),
      dotAll: all.includes('s'),
      extended: all.includes('x'),
    },
  }
  const tree = readChoice(reader)
  if (reader.at < source.length) refusePattern('a closing parenthesis has no opening one')
  if (sizeOf(tree) > largest) refusePattern('it repeats too much; use smaller counts')
  const plain = findPlain(tree)
  return plain ? { tree, plain } : { tree }
}

function readChoice(reader: PatternReader): PatternNode {
  if (++reader.depth > deepest) refusePattern(`groups can be nested at most ${deepest} levels deep`)
  const choices = [readSequence(reader)]
  while (!reader.quoted && reader.source[reader.at] === '|') {
    reader.at++
    choices.push(readSequence(reader))
  }
  reader.depth--
  return choices.length === 1 ? (choices[0] as PatternNode) : { kind: 'choice', of: choices }
}

function readSequence(reader: PatternReader): PatternNode {
  const of: PatternNode[] = []
  while (reader.at < reader.source.length) {
    if (skipQuoteMarks(reader)) continue
    const letter = reader.source[reader.at]
    if (!reader.quoted) {
      if (letter === '|' || letter === ')') break
      if (reader.options.extended && skipBlank(reader)) continue
    }
    const atom = readAtom(reader)
    of.push(readRepeat(reader, atom))
  }
  return of.length === 1 ? (of[0] as PatternNode) : { kind: 'sequence', of }
}

/** `\Q` and `\E` change how the rest is read and stand for nothing themselves. */
function skipQuoteMarks(reader: PatternReader): boolean {
  const mark = reader.quoted ? '\\E' : '\\Q'
  const isStray = !reader.quoted && reader.source.startsWith('\\E', reader.at)
  if (!isStray && !reader.source.startsWith(mark, reader.at)) return false
  if (!isStray) reader.quoted = !reader.quoted
  reader.at += 2
  return true
}

function readAtom(reader: PatternReader): PatternNode {
  const letter = take(reader)
  if (reader.quoted) return character(reader, letter.codePointAt(0) as number)
  switch (letter) {
    case '.':
      return { kind: 'set', ranges: reader.options.dotAll ? [[1, highestCode]] : complement([[10, 10]]) }
    case '^':
      return { kind: 'start', lines: reader.options.lines }
    case '$':
      return { kind: 'end', lines: reader.options.lines }
    case '[':
      return readSet(reader)
    case '(':
      return readGroup(reader)
    case '\\':
      return readEscape(reader)
    case '*':
    case '+':
    case '?':
      return refusePattern(`there is nothing to repeat before ${letter}`)
    default:
      return character(reader, letter.codePointAt(0) as number)
  }
}

function readGroup(reader: PatternReader): PatternNode {
  const opening = /^\?(?::|<?[=!]|P?<[A-Za-z_]\w*>)/.exec(reader.source.slice(reader.at, reader.at + 100))?.[0]
  if (reader.source[reader.at] === '?' && opening === undefined) {
    refusePattern(
      `the group (${reader.source.slice(reader.at, reader.at + 3)} is not supported; put options such as (?i) at the start, or into $options`,
    )
  }
  if (reader.source[reader.at] === '*') refusePattern('verbs such as (*UTF) are not supported')
  reader.at += opening?.length ?? 0
  const of = readChoice(reader)
  if (reader.source[reader.at] !== ')') refusePattern('a parenthesis is not closed')
  reader.at++
  const look = /^\?(<?)([=!])$/.exec(opening ?? '')
  if (!look) return of.kind === 'sequence' || of.kind === 'choice' ? of : { kind: 'sequence', of: [of] }
  return { kind: 'look', direction: look[1] === '<' ? 'behind' : 'ahead', negated: look[2] === '!', of }
}

function readEscape(reader: PatternReader): PatternNode {
  const letter = reader.source[reader.at] ?? ''
  const ranges = shorthands.get(letter)
  if (ranges) {
    reader.at++
    return { kind: 'set', ranges: normalize(ranges) }
  }
  if (letter === 'b' || letter === 'B') {
    reader.at++
    return wordEdge(letter === 'B')
  }
  if (letter === 'A' || letter === 'z') {
    reader.at++
    return { kind: letter === 'A' ? 'start' : 'end', lines: false }
  }
  if (letter === 'Z') {
    reader.at++
    const lastFeed: PatternNode = { kind: 'repeat', of: { kind: 'character', code: 10 }, least: 0, most: 1 }
    const of: PatternNode = { kind: 'sequence', of: [lastFeed, { kind: 'end', lines: false }] }
    return { kind: 'look', direction: 'ahead', negated: false, of }
  }
  if (/[1-9k]/.test(letter)) refusePattern('backreferences are not supported')
  return character(reader, readEscapedCode(reader))
}

function wordEdge(negated: boolean): PatternNode {
  const word: PatternNode = { kind: 'set', ranges: normalize(shorthands.get('w') ?? []) }
  const look = (direction: 'ahead' | 'behind', not: boolean): PatternNode => ({
    kind: 'look',
    direction,
    negated: not,
    of: word,
  })
  const pair = (before: boolean, after: boolean): PatternNode => ({
    kind: 'sequence',
    of: [look('behind', !before), look('ahead', !after)],
  })
  return { kind: 'choice', of: [pair(true, negated), pair(false, !negated)] }
}

/** Plain text of a pattern that is nothing else. */
function findPlain(tree: PatternNode): Pattern['plain'] {
  const nodes = tree.kind === 'sequence' ? [...tree.of] : [tree]
  const isEdge = (node: PatternNode | undefined, kind: 'start' | 'end') => node?.kind === kind && !node.lines
  const atStart = isEdge(nodes[0], 'start')
  if (atStart) nodes.shift()
  const atEnd = isEdge(nodes.at(-1), 'end')
  if (atEnd) nodes.pop()
  let text = ''
  for (const node of nodes) {
    if (node.kind !== 'character') return undefined
    text += String.fromCodePoint(node.code)
  }
  return { at: atStart ? (atEnd ? 'whole' : 'start') : atEnd ? 'end' : 'anywhere', text }
}

/** How often what was read is wanted. */
function readRepeat(reader: PatternReader, atom: PatternNode): PatternNode {
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
    refusePattern(`a repetition can have a count of at most ${mostTimes}`)
  }
  if (counts[1] < counts[0]) refusePattern('the counts of a repetition are out of order')
  return counts
}

/** Reads a bracket expression. */
function readSet(reader: PatternReader): PatternNode {
  const isNegated = reader.source[reader.at] === '^'
  if (isNegated) reader.at++
  const ranges: CodeRange[] = []
  for (let first = true; first || reader.source[reader.at] !== ']'; first = false) {
    const from = readSetItem(reader)
    if (typeof from !== 'number') {
      ranges.push(...from)
      continue
    }
    if (reader.source[reader.at] !== '-' || (reader.source[reader.at + 1] ?? ']') === ']') {
      ranges.push([from, from])
      continue
    }
    reader.at++
    const to = readSetItem(reader)
    if (typeof to !== 'number' || to < from) refusePattern('a range in brackets is out of order')
    ranges.push([from, to])
  }
  reader.at++
  const { ranges: all } = set(reader, ranges) as { ranges: readonly CodeRange[] }
  return { kind: 'set', ranges: isNegated ? complement(all) : all }
}

function readSetItem(reader: PatternReader): number | readonly CodeRange[] {
  const posix = /^\[:(\^?)([a-z]+):\]/.exec(reader.source.slice(reader.at, reader.at + 20))
  if (posix) {
    const named = posixClasses.get(posix[2] ?? '')
    if (!named) refusePattern(`unknown class [:${posix[2]}:]`)
    reader.at += posix[0].length
    return posix[1] ? complement(named) : named
  }
  const letter = take(reader)
  if (letter !== '\\') return letter.codePointAt(0) as number
  const next = reader.source[reader.at] ?? ''
  const ranges = shorthands.get(next)
  if (ranges) {
    reader.at++
    return ranges
  }
  if (next === 'b') {
    reader.at++
    return 8
  }
  if (next === 'Q' || next === 'E') refusePattern('\\Q and \\E are not supported in brackets')
  return readEscapedCode(reader)
}

/** The one letter that an escape stands for, in and outside brackets. */
function readEscapedCode(reader: PatternReader): number {
  const rest = reader.source.slice(reader.at, reader.at + 12)
  const hex = /^(?:x([0-9A-Fa-f]{2})|x\{([0-9A-Fa-f]{1,6})\}|u([0-9A-Fa-f]{4})|u\{([0-9A-Fa-f]{1,6})\})/.exec(rest)
  if (hex) {
    reader.at += hex[0].length
    const code = Number.parseInt(hex[1] ?? hex[2] ?? hex[3] ?? hex[4] ?? '', 16)
    if (code === 0 || code > highestCode) refusePattern('an escape has no valid character')
    return code
  }
  const control = /^c([A-Za-z])/.exec(rest)
  if (control) {
    reader.at += 2
    return (control[1] ?? '').toUpperCase().charCodeAt(0) - 64
  }
  const letter = take(reader)
  const code = controls.get(letter)
  if (code !== undefined) return code
  if (/[A-Za-z0-9]/.test(letter)) refusePattern(`the escape \\${letter} is not supported`)
  return letter.codePointAt(0) as number
}
