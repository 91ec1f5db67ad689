import { complement, normalize, shorthands } from './codeRanges.ts'
import { findPlain } from './findPlain.ts'
import { highestCode, type Pattern, type PatternNode } from './Pattern.ts'
import { character, type PatternReader, refusePattern, skipBlank, take } from './PatternReader.ts'
import { readEscapedCode } from './readEscapedCode.ts'
import { readRepeat } from './readRepeat.ts'
import { readSet } from './readSet.ts'
import { sizeOf } from './sizeOf.ts'

const deepest = 50
/** Counted with every repetition written out: what the pattern costs in memory, and for each letter it looks at. */
const largest = 2_000

/**
 * Reads a regular expression of a client: the syntax that PCRE and JavaScript share, `\Q…\E`, and the options i, m, s,
 * x and u. What cannot be decided in one pass over a text (references back, atomic groups, recursion) is refused.
 */
export function readPattern(source: string, options: string, mostLetters: number): Pattern {
  if (source.length > mostLetters) {
    refusePattern(`the pattern is longer than ${mostLetters} letters`)
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
  if (reader.at < source.length) refusePattern('a parenthesis is closed that was never opened')
  if (sizeOf(tree) > largest) refusePattern('it repeats too much; use smaller counts')
  const plain = findPlain(tree)
  return plain ? { tree, plain } : { tree }
}

function readChoice(reader: PatternReader): PatternNode {
  if (++reader.depth > deepest) refusePattern(`groups may be nested ${deepest} deep`)
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
      return refusePattern(`there is nothing before ${letter} that could be repeated`)
    default:
      return character(reader, letter.codePointAt(0) as number)
  }
}

function readGroup(reader: PatternReader): PatternNode {
  const opening = /^\?(?::|<?[=!]|P?<[A-Za-z_]\w*>)/.exec(reader.source.slice(reader.at, reader.at + 100))?.[0]
  if (reader.source[reader.at] === '?' && opening === undefined) {
    refusePattern(
      `the group (${reader.source.slice(reader.at, reader.at + 3)} is not supported; options such as (?i) go to the start, or into $options`,
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
  if (/[1-9k]/.test(letter)) refusePattern('references back to a group are not supported')
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
