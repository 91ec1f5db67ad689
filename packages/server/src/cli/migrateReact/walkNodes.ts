import type { Node } from './parseSource.ts'

/** Every node of a tree, in the order of the text. */
export function walkNodes(root: Node, visit: (node: Node) => void): void {
  const waiting: Node[] = [root]
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    visit(node)
    const children = Object.values(node).flat().filter(isNode)
    waiting.push(...children.sort((one, other) => other.start - one.start))
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value && 'loc' in value
}
