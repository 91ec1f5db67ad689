import type { Edit, Examined, Flag } from './Finding.ts'
import { findPlace } from './movedNames.ts'
import { isType, type Node, readName } from './parseSource.ts'

export const layer = '@countersign/react'
const roots = new Set([layer, `${layer}/native`])
const closed = new Set([`${layer}/internal`, `${layer}/internalChain`])

/** Moves the names of one import of @countersign/react to the entries that have them now. */
export function moveNames(node: Node, source: string, module: string): Examined {
  const { line } = node.loc.start
  if (closed.has(module)) {
    const next = module.replace('/internal', '/adapter')
    return { edits: [], flags: [{ line, advice: `${module} is internal. Import from ${next} instead.` }] }
  }
  if (!roots.has(module) || (node.type !== 'ImportDeclaration' && node.type !== 'ExportNamedDeclaration'))
    return { edits: [], flags: [] }
  const specifiers = node.specifiers as Node[]
  if (specifiers.some(({ type }) => type.includes('Namespace'))) {
    const advice = `Some names of ${layer} moved to its entries /account, /chain and /errors. Import them from there.`
    return { edits: [], flags: [{ line, advice }] }
  }
  const groups = new Map<string, string[]>()
  const types: string[] = []
  const flags: Flag[] = []
  for (const specifier of specifiers) {
    const name = readName(specifier)
    const place = findPlace(name)
    if (place?.advice) flags.push({ line: specifier.loc.start.line, advice: place.advice })
    if (place?.hook) types.push(writeType(node, specifier, place.hook))
    else {
      const target = place?.entry ? `${layer}/${place.entry}` : module
      groups.set(target, [...(groups.get(target) ?? []), source.slice(specifier.start, specifier.end)])
    }
  }
  const isSame = types.length === 0 && [...groups.keys()].every((target) => target === module)
  return { edits: isSame ? [] : [writeEdit(node, source, groups, types)], flags }
}

/** An alias with the former name, so that the rest of the file stays as it is. */
function writeType(node: Node, specifier: Node, hook: string): string {
  const isImport = node.type === 'ImportDeclaration'
  const { name } = (isImport ? specifier.local : specifier.exported) as { name: string }
  return `${isImport ? '' : 'export '}type ${name} = import('${layer}').HookResult<'${hook}'>`
}

function writeEdit(node: Node, source: string, groups: ReadonlyMap<string, string[]>, types: readonly string[]): Edit {
  const quote = source[(node.source as Node).start] ?? "'"
  const end = source[node.end - 1] === ';' ? ';' : ''
  const verb = `${node.type === 'ImportDeclaration' ? 'import' : 'export'}${isType(node) ? ' type' : ''}`
  const declarations = [...groups].map(([target, names]) => {
    const from = `} from ${quote}${target}${quote}${end}`
    const line = `${verb} { ${names.join(', ')} ${from}`
    return line.length <= 100 ? line : `${verb} {\n${names.map((name) => `  ${name},\n`).join('')}${from}`
  })
  const text = [...declarations, ...types.map((type) => `${type.replaceAll("'", quote)}${end}`)].join('\n')
  return { start: node.start, end: node.end, text, line: node.loc.start.line }
}
