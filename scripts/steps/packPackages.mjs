import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { npmCommand } from './programs/npmCommand.mjs'
import { root } from './root.mjs'
import { runQuietly } from './run/runQuietly.mjs'
import { StepError } from './run/StepError.mjs'

/**
 * @typedef {object} Packed a package as it would be published
 * @property {string} file
 * @property {string} integrity
 * @property {Record<string, any>} manifest
 */

/**
 * Packs everything in packages/. They must be built.
 *
 * @param {string} folder
 * @returns {Promise<Packed[]>}
 */
export async function packPackages(folder) {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const names = readdirSync(join(root, 'packages'))
  const spaces = names.flatMap((name) => ['--workspace', `packages/${name}`])
  const { command, parameters, env } = npmCommand(['pack', '--json', '--pack-destination', folder, ...spaces])
  const { code, output } = await runQuietly(command, parameters, { cwd: root, env })
  if (code !== 0) throw new StepError(`Packing failed.\n\n${output}`, 'Build first: npm run build')
  return names.map((name) => {
    const manifest = JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'))
    const file = join(folder, `${manifest.name.replace('@', '').replace('/', '-')}-${manifest.version}.tgz`)
    const integrity = `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`
    return { file, integrity, manifest }
  })
}
