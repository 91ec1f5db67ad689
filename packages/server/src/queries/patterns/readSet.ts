import { complement, posixClasses, shorthands } from './codeRanges.ts'
import type { CodeRange, PatternNode } from './Pattern.ts'
import { type PatternReader, refusePattern, set, take } from './PatternReader.ts'
import { readEscapedCode } from './readEscapedCode.ts'

/** What stands in brackets. */
export function readSet(reader: PatternReader): PatternNode {
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
    if (!named) refusePattern(`there is no [:${posix[2]}:]`)
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
