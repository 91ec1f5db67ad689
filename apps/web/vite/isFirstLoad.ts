import { dirname, resolve } from 'node:path'

type Info = { code: string | null; importedIds: readonly string[] }
export type Graph = { getModuleInfo: (id: string) => Info | null }

const imports = /import\s*\{([^}]*)\}\s*from\s*["']([^"']+)["']/g
const passedOn = /export\s*(?:\{([^}]*)\}|\*\s*as\s+(\w+))\s*from\s*["']([^"']+)["']/g

/**
 * Tells which modules the first page needs: what the roots import, and what that imports. A file that only passes other
 * files on leads to those whose names are asked for; following all of it would bring the whole package.
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

/** A library of icons also passes all of them on as one object, which nobody here asks for. */
const passedOnWhole = /import\s*\*\s*as\s+(\w+)\s+from\s*["'][^"']+["'];?\s*export\s*\{\s*\1(?:\s+as\s+\w+)?\s*\}/g
const noCode = /["']use (?:client|strict)["'];?|\/\*[\s\S]*?\*\/|\/\/.*|[;\s]/g

function passesOn(info: Info | null): boolean {
  const code = info?.code ?? ''
  return code.includes('export {') && code.replace(passedOn, '').replace(passedOnWhole, '').replace(noCode, '') === ''
}

/** What a module asks of another, by the first part of that one's name; `undefined` where it may be anything. */
function namesFrom(code: string, from: string): string[] | undefined {
  const lists = [...code.matchAll(imports)].filter(([, , source = '']) => isNamed(from, source))
  if (lists.length === 0) return undefined
  return lists.flatMap(([, list = '']) => readNames(list).map(([name]) => name))
}

function targetsOf(id: string, names: readonly string[], graph: Graph): string[] {
  const info = graph.getModuleInfo(id)
  return [...(info?.code ?? '').matchAll(passedOn)].flatMap(([, listed = '', whole, source = '']) => {
    const list = whole ?? listed
    const asked = readNames(list).filter(([, outside]) => names.includes(outside))
    if (asked.length === 0) return []
    const target = info?.importedIds.find((each) =>
      source.startsWith('.') ? each === resolve(dirname(id), source) : isNamed(each, source),
    )
    if (target === undefined) return []
    const inner = graph.getModuleInfo(target)
    return passesOn(inner)
      ? targetsOf(
          target,
          asked.map(([inside]) => inside),
          graph,
        )
      : [target]
  })
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

/** Whether a file may be what a bare name such as `@countersign/react/core` stands for. */
function isNamed(id: string, source: string): boolean {
  if (source.startsWith('.')) return id.endsWith(source.replace(/^[./]+/, '/'))
  const [first = '', second = ''] = source.replace('@countersign/', 'packages/').split('/')
  return id.includes(source.startsWith('@') ? `/${first}/${second}/` : `/${first}/`)
}
