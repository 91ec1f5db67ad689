/** Code points, ends included. */
export type CodeRange = readonly [from: number, to: number]

/**
 * A regular expression, understood. Case and options are worked into it: letters of either case are a set of both, a
 * dot is a set without the line feed. There are no references back to groups, so it can be decided in one pass.
 */
export type PatternNode =
  | { readonly kind: 'character'; readonly code: number }
  /** One code point of the ranges, which are sorted and apart. */
  | { readonly kind: 'set'; readonly ranges: readonly CodeRange[] }
  | { readonly kind: 'sequence'; readonly of: readonly PatternNode[] }
  | { readonly kind: 'choice'; readonly of: readonly PatternNode[] }
  | { readonly kind: 'repeat'; readonly of: PatternNode; readonly least: number; readonly most: number }
  /** The edge of the text; with `lines`, also of a line in it. */
  | { readonly kind: 'start' | 'end'; readonly lines: boolean }
  | {
      readonly kind: 'look'
      readonly direction: 'ahead' | 'behind'
      readonly negated: boolean
      readonly of: PatternNode
    }

export type Pattern = {
  readonly tree: PatternNode
  /** Plain text, if the pattern is nothing else: the pattern engine and its risks are avoided. */
  readonly plain?: { readonly at: 'anywhere' | 'start' | 'end' | 'whole'; readonly text: string }
}

export const highestCode = 0x10ffff

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
