// node packFiles.mjs add|remove: what a published package carries of the repository besides its own files. npm runs it
// in the package's folder before and after it packs.
import { copyFileSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { root } from './root.mjs'

const folder = process.cwd()
const files = ['CHANGELOG.md', ...(basename(folder) === 'protocol' ? ['docs/errors.md'] : [])]
for (const file of files) {
  const target = join(folder, basename(file))
  if (process.argv[2] === 'remove') rmSync(target, { force: true })
  else copyFileSync(join(root, file), target)
}
