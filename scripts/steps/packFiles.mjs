// node packFiles.mjs add|remove: what a published package carries of the repository besides its own files. npm runs it
// in the package's folder before and after it packs.
import { copyFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { createSbom } from '../supply/createSbom.mjs'
import { root } from './root.mjs'

const folder = process.cwd()
const files = ['CHANGELOG.md', ...(basename(folder) === 'protocol' ? ['docs/errors.md'] : [])]
for (const file of files) {
  const target = join(folder, basename(file))
  if (process.argv[2] === 'remove') rmSync(target, { force: true })
  else copyFileSync(join(root, file), target)
}
// The list of what the product consists of goes with the package that contains most of it.
if (basename(folder) === 'server') {
  const target = join(folder, 'sbom.json')
  if (process.argv[2] === 'remove') rmSync(target, { force: true })
  else writeFileSync(target, `${JSON.stringify(createSbom(), null, 2)}\n`)
}
