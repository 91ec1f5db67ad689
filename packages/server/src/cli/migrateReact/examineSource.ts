import { adviseOnImport } from './adviseOnImport.ts'
import { adviseOnNode } from './adviseOnNode.ts'
import type { Edit, Examined, Flag } from './Finding.ts'
import { findModuleName } from './findModuleName.ts'
import { newModule, oldModule } from './names.ts'
import { type Node, parseSource } from './parseSource.ts'
import { readText } from './readText.ts'
import { walkNodes } from './walkNodes.ts'

/** What a source file has to change, and where it needs a hand. The file's own layout is left alone. */
export function examineSource(path: string, source: string): Examined {
  if (!/moralis|web3uikit/i.test(source)) return { edits: [], flags: [] }
  const { tree, flag } = tryToParse(path, source)
  if (!tree) return { edits: [], flags: [flag] }
  const edits: Edit[] = []
  const flags: Flag[] = []
  const named = new Set<number>()
  walkNodes(tree, (node) => {
    const { line } = node.loc.start
    const literal = findModuleName(node)
    if (literal) {
      const name = readText(source, literal)
      named.add(literal.start)
      if (name === oldModule) {
        edits.push({ start: literal.start + 1, end: literal.end - 1, text: newModule, line: literal.loc.start.line })
      }
      flags.push(...adviseOnImport(node, name).map((found) => ({ line, ...found })))
      return
    }
    const advice = named.has(node.start) ? undefined : adviseOnNode(node)
    if (advice) flags.push({ line, advice })
  })
  return { edits, flags }
}

type Parsed = { readonly tree: Node; readonly flag?: never } | { readonly tree?: never; readonly flag: Flag }

function tryToParse(path: string, source: string): Parsed {
  try {
    return { tree: parseSource(path, source) }
  } catch (error) {
    const { message, loc } = error as Error & { loc?: { line: number } }
    const advice = `This file cannot be read (${message.replace(/ \(\d+:\d+\)$/, '')}). Change its imports by hand.`
    return { flag: { line: loc?.line ?? 1, advice } }
  }
}
