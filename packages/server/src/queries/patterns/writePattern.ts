import { complement } from './codeRanges.ts'
import { type CodeRange, highestCode, type PatternNode } from './Pattern.ts'

/**
 * A pattern in PostgreSQL's own syntax. Only letters and digits are written as they are, so nothing can act as an
 * operator or an option; without options, a dot and the edges mean what the tree says.
 */
export function writePattern(node: PatternNode): string {
  switch (node.kind) {
    case 'character':
      return writeCode(node.code)
    case 'set':
      return writeSet(node.ranges)
    case 'sequence':
      return `(?:${node.of.map(writePattern).join('')})`
    case 'choice':
      return `(?:${node.of.map(writePattern).join('|')})`
    case 'repeat':
      return `(?:${writePattern(node.of)}){${node.least},${Number.isFinite(node.most) ? node.most : ''}}`
    case 'start':
      return node.lines ? '(?:^|(?<=\\n))' : '^'
    case 'end':
      return node.lines ? '(?:$|(?=\\n))' : '$'
    case 'look':
      return `(?${node.direction === 'behind' ? '<' : ''}${node.negated ? '!' : '='}${writePattern(node.of)})`
  }
}

function writeSet(ranges: readonly CodeRange[]): string {
  if (ranges.length === 0) return '(?!)'
  const isAlmostAll = ranges.at(-1)?.[1] === highestCode
  const rest = isAlmostAll ? complement(ranges) : []
  // In PostgreSQL without options a dot is any letter.
  if (isAlmostAll && rest.length === 0) return '.'
  const written = (isAlmostAll ? rest : ranges).map(([from, to]) =>
    from === to ? writeCode(from) : `${writeCode(from)}-${writeCode(to)}`,
  )
  return `[${isAlmostAll ? '^' : ''}${written.join('')}]`
}

function writeCode(code: number): string {
  const letter = String.fromCodePoint(code)
  if (/[A-Za-z0-9]/.test(letter)) return letter
  return code > 0xffff ? `\\U${code.toString(16).padStart(8, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`
}
