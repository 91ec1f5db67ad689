// npm run contract [-- --check]: writes the generated files of packages/protocol/src/contract. With --check nothing is
// written, and a file that is not current fails.
import { readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { generateFiles } from './contract/generateFiles.mjs'
import { root } from './steps/root.mjs'

const isCheck = process.argv.includes('--check')
const stale = []
for (const [path, text] of await generateFiles()) {
  const file = join(root, path)
  const isCurrent = read(file) === text
  if (isCurrent) continue
  stale.push(relative(root, file))
  if (!isCheck) writeFileSync(file, text)
}
for (const file of stale) console.log(isCheck ? `✗ ${file} is not current: npm run contract` : `✓ ${file}`)
if (stale.length === 0) console.log('✓ Everything is current.')
if (isCheck && stale.length > 0) process.exitCode = 1

/** @param {string} file */
function read(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
