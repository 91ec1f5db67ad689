import type { Pattern, PatternNode } from './Pattern.ts'

/** The text that a pattern asks for, where it asks for nothing else. */
export function findPlain(tree: PatternNode): Pattern['plain'] {
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
