import type { PatternNode } from './Pattern.ts'

/** The size of a pattern with every repetition written out. */
export function sizeOf(node: PatternNode): number {
  switch (node.kind) {
    case 'sequence':
    case 'choice':
      return node.of.reduce((sum, part) => sum + sizeOf(part), 1)
    case 'repeat':
      return 1 + sizeOf(node.of) * (Number.isFinite(node.most) ? Math.max(node.most, 1) : Math.max(node.least, 1))
    case 'look':
      return 1 + sizeOf(node.of)
    default:
      return 1
  }
}
