import { dirname, resolve } from 'node:path'

type Info = { code: string | null; importedIds: readonly string[] }
export type Graph = { getModuleInfo: (id: string) => Info | null }

const imports = /import\s*\{([^}]*)\}\s*from\s*["']([^"']+)["']/g
const passedOn = /export\s*(?:\{([^}]*)\}|\*\s*as\s+(\w+))\s*from\s*["']([^"']+)["']/g
const passedOnAll = /export\s*\*\s*from\s*["']([^"']+)["']/g

/**
 * Finds the modules of the first page: imports of the roots, recursively. For a file that only re-exports, just the
 * imported names are followed; all of it would be the whole package.
 */
export function isFirstLoad(roots: readonly string[]): (id: string, graph: Graph) => boolean {
  let found: Set<string> | undefined
  return (id, graph) => {
    found ??= follow(roots, graph)
    return found.has(id)
  }
}

function follow(roots: readonly string[], graph: Graph): Set<string> {
  const found = new Set<string>()
  const visit = (id: string) => {
    if (found.has(id)) return
    found.add(id)
    const info = graph.getModuleInfo(id)
    for (const next of info?.importedIds ?? []) {
      const names = passesOn(graph.getModuleInfo(next)) ? namesFrom(info?.code ?? '', next) : undefined
      if (names) for (const target of targetsOf(next, names, graph)) visit(target)
      else visit(next)
    }
  }
  for (const root of roots) visit(root)
  return found
}

/** An icon library also exports all icons as one object, which is not used here. */
const passedOnWhole = /import\s*\*\s*as\s+(\w+)\s+from\s*["'][^"']+["'];?\s*export\s*\{\s*\1(?:\s+as\s+\w+)?\s*\}/g
const noCode = /["']use (?:client|strict)["'];?|\/\*[\s\S]*?\*\/|\/\/.*|[;\s]/g

function passesOn(info: Info | null): boolean {
  const code = info?.code ?? ''
  const rest = code.replace(passedOn, '').replace(passedOnAll, '').replace(passedOnWhole, '').replace(noCode, '')
  return /export\s*[{*]/.test(code) && rest === ''
}

/** Names that a module imports from another; `undefined` if it may be anything. */
function namesFrom(code: string, from: string): string[] | undefined {
  const lists = [...code.matchAll(imports)].filter(([, , source = '']) => isNamed(from, source))
  if (lists.length === 0) return undefined
  return lists.flatMap(([, list = '']) => readNames(list).map(([name]) => name))
}

function targetsOf(id: string, names: readonly string[], graph: Graph): string[] {
  const info = graph.getModuleInfo(id)
  const code = info?.code ?? ''
  const find = (source: string) =>
    info?.importedIds.find((each) =>
      source.startsWith('.') ? each === resolve(dirname(id), source) : isNamed(each, source),
    )
  const listed = [...code.matchAll(passedOn)].flatMap(([, list = '', whole, source = '']) => {
    const asked = readNames(whole ?? list).filter(([, outside]) => names.includes(outside))
    const target = asked.length > 0 ? find(source) : undefined
    if (target === undefined) return []
    const inside = asked.map(([name]) => name)
    return passesOn(graph.getModuleInfo(target)) ? targetsOf(target, inside, graph) : [target]
  })
  const whole = [...code.matchAll(passedOnAll)].flatMap(([, source = '']) => {
    const target = find(source)
    if (target === undefined) return []
    const inner = graph.getModuleInfo(target)
    if (passesOn(inner)) return targetsOf(target, names, graph)
    return names.some((name) => hasExport(inner?.code ?? '', name)) ? [target] : []
  })
  return [...listed, ...whole]
}

function hasExport(code: string, name: string): boolean {
  const own = new RegExp(`export\\s+(?:async\\s+)?(?:function\\*?|const|let|class)\\s+${name}\\b`)
  if (own.test(code)) return true
  const lists = [...code.matchAll(/export\s*\{([^}]*)\}/g)]
  return lists.some(([, list = '']) => readNames(list).some(([, outside]) => outside === name))
}

/** `a, default as b` as pairs: the name within, the name without. */
function readNames(list: string): [string, string][] {
  return list
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean)
    .map((each) => {
      const [inside = '', outside = inside] = each.split(/\s+as\s+/)
      return [inside, outside]
    })
}

/** Returns true if a bare name such as `@countersign/react/core` may refer to a file. */
function isNamed(id: string, source: string): boolean {
  if (source.startsWith('.')) return id.endsWith(source.replace(/^[./]+/, '/'))
  const [first = '', second = ''] = source.replace('@countersign/', 'packages/').split('/')
  return id.includes(source.startsWith('@') ? `/${first}/${second}/` : `/${first}/`)
}
