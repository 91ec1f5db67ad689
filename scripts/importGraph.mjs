// Import graph of a package, from its import statements: type imports and `import()` count like any other. The linter
// checks neither: it looks at one statement at a time, and follows no types. node scripts/importGraph.mjs
// packages/react/src lists the cycles.
import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { root } from './steps/root.mjs'

const specifier = /\b(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+)'/g

/**
 * Files of a folder, by path from it, and the files of the same folder that each imports. Tests are left out.
 *
 * @param {string} folder
 * @returns {Map<string, string[]>}
 */
export function readImports(folder) {
  const at = join(root, folder)
  const files = readdirSync(at, { encoding: 'utf8', recursive: true })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => /(?<!\.test|\.d)\.tsx?$/.test(file))
    .sort()
  const known = new Set(files)
  return new Map(
    files.map((file) => {
      const text = readFileSync(join(at, file), 'utf8')
      const targets = [...text.matchAll(specifier)].map(([, path = '']) => posix.join(posix.dirname(file), path))
      return [file, [...new Set(targets)].filter((target) => known.has(target))]
    }),
  )
}

/**
 * Groups of files that import one another in a circle: the strongly connected parts of the graph, by Tarjan.
 *
 * @param {Map<string, string[]>} imports
 * @returns {string[][]}
 */
export function findCycles(imports) {
  /** @type {Map<string, { index: number, low: number, isOpen: boolean }>} */
  const marks = new Map()
  /** @type {string[]} */
  const open = []
  /** @type {string[][]} */
  const cycles = []

  /** @param {string} file */
  const visit = (file) => {
    const mark = { index: marks.size, low: marks.size, isOpen: true }
    marks.set(file, mark)
    open.push(file)
    for (const target of imports.get(file) ?? []) {
      const seen = marks.get(target)
      if (!seen) mark.low = Math.min(mark.low, visit(target).low)
      else if (seen.isOpen) mark.low = Math.min(mark.low, seen.index)
    }
    if (mark.low === mark.index) {
      const group = open.splice(open.indexOf(file))
      for (const member of group) {
        const closed = marks.get(member)
        if (closed) closed.isOpen = false
      }
      if (group.length > 1 || imports.get(file)?.includes(file)) cycles.push(group.sort())
    }
    return mark
  }

  for (const file of imports.keys()) if (!marks.has(file)) visit(file)
  return cycles
}

/**
 * Imports that run against the order of the rooms: a room imports only from those before it in the list. Files outside
 * of these rooms are ignored.
 *
 * @param {Map<string, string[]>} imports
 * @param {readonly string[]} rooms folders, or files, by path
 * @returns {string[]}
 */
export function findBackArrows(imports, rooms) {
  /** @param {string} file */
  const roomOf = (file) => rooms.findIndex((room) => file === room || file.startsWith(`${room}/`))
  return [...imports].flatMap(([file, targets]) => {
    const room = roomOf(file)
    return room < 0 ? [] : targets.filter((target) => roomOf(target) > room).map((target) => `${file} -> ${target}`)
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const folder of process.argv.slice(2)) {
    const cycles = findCycles(readImports(folder))
    console.log(`${folder}: ${cycles.length} cycles`)
    for (const cycle of cycles) console.log(`  ${cycle.length} files: ${cycle.join(', ')}`)
  }
}
