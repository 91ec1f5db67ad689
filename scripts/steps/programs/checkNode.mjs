import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../root.mjs'
import { StepError } from '../run/StepError.mjs'

/** Refuses a Node.js that is older than package.json asks for. */
export function checkNode(version = process.versions.node) {
  const wanted = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).engines.node.replace('>=', '')
  if (compare(version, wanted) >= 0) return
  throw new StepError(
    `Countersign needs Node.js ${wanted} or newer, this is ${version}.`,
    'Install a newer one from https://nodejs.org (or with nvm: nvm install 22), then run the command again.',
  )
}

/**
 * @param {string} left
 * @param {string} right
 */
function compare(left, right) {
  const rest = right.split('.').map(Number)
  const differences = left.split(/[.-]/).map((part, i) => Number(part) - (rest[i] ?? 0))
  return differences.slice(0, 3).find((difference) => difference !== 0) ?? 0
}
