import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { root } from './root.mjs'

/**
 * One hash over the names and contents of files; a path that is a folder stands for all files below it.
 *
 * @param {string[]} paths absolute
 * @param {(path: string) => boolean} [isIgnored]
 */
export function hashFiles(paths, isIgnored = () => false) {
  const hash = createHash('sha256')
  for (const file of paths.flatMap((path) => listFiles(path, isIgnored)).sort()) {
    hash
      .update(`${relative(root, file)}\0`)
      .update(readFileSync(file))
      .update('\0')
  }
  return hash.digest('hex')
}

/**
 * @param {string} path
 * @param {(path: string) => boolean} isIgnored
 * @returns {string[]}
 */
export function listFiles(path, isIgnored = () => false) {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (!stat || isIgnored(path)) return []
  if (!stat.isDirectory()) return [path]
  return readdirSync(path).flatMap((name) => listFiles(join(path, name), isIgnored))
}
