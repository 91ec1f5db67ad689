import { CountersignError } from '@countersign/protocol'
import { normalize, withBothCases } from './codeRanges.ts'
import type { CodeRange, PatternNode } from './Pattern.ts'

type Options = { caseless: boolean; lines: boolean; dotAll: boolean; extended: boolean }
/** A regular expression that is being read. */
export type PatternReader = { source: string; at: number; depth: number; options: Options; quoted: boolean }

export function refusePattern(reason: string): never {
  throw new CountersignError('InvalidQuery', `Bad $regex value: ${reason}.`)
}

export function take(reader: PatternReader): string {
  const code = reader.source.codePointAt(reader.at)
  if (code === undefined) refusePattern('it ends too early')
  const letter = String.fromCodePoint(code)
  reader.at += letter.length
  return letter
}

export function character(reader: PatternReader, code: number): PatternNode {
  if (!reader.options.caseless) return { kind: 'character', code }
  const ranges = withBothCases([[code, code]])
  return ranges.length === 1 && ranges[0]?.[0] === ranges[0]?.[1]
    ? { kind: 'character', code }
    : { kind: 'set', ranges }
}

export function set(reader: PatternReader, ranges: readonly CodeRange[]): PatternNode {
  return { kind: 'set', ranges: reader.options.caseless ? withBothCases(ranges) : normalize(ranges) }
}

/** With the option x, white space and comments stand for nothing. */
export function skipBlank(reader: PatternReader): boolean {
  const blank = /^(?:\s+|#[^\n]*\n?)/.exec(reader.source.slice(reader.at))
  if (!blank) return false
  reader.at += blank[0].length
  return true
}
