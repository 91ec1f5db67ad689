import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import { root } from '../steps/root.mjs'

const cache = join(root, 'node_modules/.cache/countersign')

/**
 * The contract straight from its source: a build would need the files that are generated from it.
 *
 * @returns {Promise<any>}
 */
export async function loadContract() {
  const bundle = await rolldown({
    input: join(root, 'packages/protocol/src/contract/index.ts'),
    external: ['zod'],
    platform: 'node',
  })
  mkdirSync(cache, { recursive: true })
  // Beside node_modules, so that it finds Zod there.
  const folder = mkdtempSync(join(cache, 'contract-'))
  try {
    const { output } = await bundle.generate({ format: 'esm' })
    const file = join(folder, 'contract.mjs')
    writeFileSync(file, output[0].code)
    return await import(pathToFileURL(file).href)
  } finally {
    await bundle.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
