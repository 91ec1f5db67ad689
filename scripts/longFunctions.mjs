// Functions longer than a reader can hold. The linter's own rule counts no comments and no lines of JSX text, so this
// one counts lines as an editor shows them, from the first word of a function to its last brace.
// node scripts/longFunctions.mjs lists those above the limit; a number sets another limit.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseAst } from 'rolldown/parseAst'
import { root } from './steps/root.mjs'

export const longestFunction = 120

/** Folders with the product's source. */
export const sourceFolders = [
  'packages/protocol/src',
  'packages/react/src',
  'packages/moralis/src',
  'packages/server/src',
  'apps/web/src',
]

/**
 * Source files of a folder, by path from the root of the repository. Tests and generated files are left out.
 *
 * @param {string} folder
 */
export function listSources(folder) {
  return readdirSync(join(root, folder), { encoding: 'utf8', recursive: true })
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
    .filter((file) => /(?<!\.test|\.d)\.(?:tsx?|mjs)$/.test(file) && !file.includes('/generated/'))
    .sort()
}

/**
 * Functions of a text with more than `limit` lines, the functions inside them included.
 *
 * @param {string} text
 * @param {string} file its name tells the dialect
 * @param {number} limit
 * @returns {{ name: string, line: number, lines: number }[]}
 */
export function findLongFunctions(text, file, limit = longestFunction) {
  /** @type {{ name: string, line: number, lines: number }[]} */
  const found = []
  /** @param {number} offset */
  const lineOf = (offset) => text.slice(0, offset).split('\n').length

  /**
   * @param {any} node
   * @param {string} name the variable or property that holds the node
   */
  const visit = (node, name) => {
    if (Array.isArray(node)) {
      for (const part of node) visit(part, name)
      return
    }
    if (typeof node?.type !== 'string') return
    const own = node.id?.name ?? node.key?.name ?? name
    if (/Function(?:Declaration|Expression)$/.test(node.type)) {
      const line = lineOf(node.start)
      const lines = lineOf(node.end) - line + 1
      if (lines > limit) found.push({ name: own || 'a function without a name', line, lines })
    }
    for (const part of Object.values(node)) visit(part, own)
  }

  visit(parseAst(text, { lang: file.endsWith('x') ? 'tsx' : 'ts' }, file).body, '')
  return found
}

/**
 * Every long function of the folders, one line each.
 *
 * @param {readonly string[]} folders
 * @param {number} limit
 */
export function listLongFunctions(folders, limit = longestFunction) {
  return folders.flatMap((folder) =>
    listSources(folder).flatMap((file) =>
      findLongFunctions(readFileSync(join(root, file), 'utf8'), file, limit).map(
        ({ name, line, lines }) => `${file}:${line} ${name}: ${lines} lines`,
      ),
    ),
  )
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const limit = Number(process.argv[2] ?? longestFunction)
  for (const line of listLongFunctions(sourceFolders, limit)) console.log(line)
}
