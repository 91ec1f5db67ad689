import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { root } from './root.mjs'
import { runQuietly } from './run/runQuietly.mjs'
import { StepError } from './run/StepError.mjs'

const output = join(root, 'e2e/apps/.cache/next')
const student = join(root, 'e2e/apps/student')
const authjs = join(root, 'e2e/apps/authjs')
const sources = [join(root, 'examples/next-app'), join(root, 'examples/next-pages'), student, authjs]

/** Folder of a built application. */
const target = (/** @type {string} */ source) => join(output, basename(source))

/** Fastest build: types are checked together with those of the other pages, and sizes do not matter. */
const config = `export default {
  typescript: { ignoreBuildErrors: true },
  turbopack: { root: ${JSON.stringify(root)} },
  compress: false,
  experimental: {
    turbopackMinify: false,
    turbopackSourceMaps: false,
    turbopackInputSourceMaps: false,
    turbopackFileSystemCacheForBuild: false,
  },
}
`

/**
 * Puts copies of the Next.js applications where the packages of e2e/apps are found. Ours lie beside them as npm would
 * install them: by a link they would find another React.
 */
export async function copyNextApps() {
  rmSync(output, { recursive: true, force: true })
  for (const name of ['protocol', 'react', 'moralis']) {
    const from = join(root, 'packages', name)
    const to = join(output, 'node_modules/@countersign', name)
    mkdirSync(to, { recursive: true })
    for (const part of ['package.json', 'dist', 'sheet.css', 'sheet.css.d.ts']) {
      if (existsSync(join(from, part))) cpSync(join(from, part), join(to, part), { recursive: true })
    }
  }
  for (const source of sources) {
    const filter = (/** @type {string} */ path) => !['node_modules', '.next'].includes(basename(path))
    cpSync(source, target(source), { recursive: true, filter })
    writeFileSync(join(target(source), 'next.config.mjs'), config)
  }
  const command = join(root, 'packages/server/bin/countersign.js')
  await run('Migrating the student app', [command, 'migrate-react', '--force', target(student)], root)
}

export async function buildNextApps() {
  const next = join(root, 'e2e/apps/node_modules/next/dist/bin/next')
  await Promise.all(sources.map((source) => run(`next build of ${basename(source)}`, [next, 'build'], target(source))))
}

/**
 * @param {string} title
 * @param {string[]} parameters
 * @param {string} cwd
 */
async function run(title, parameters, cwd) {
  const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1' }
  const { code, output } = await runQuietly(process.execPath, parameters, { cwd, env })
  if (code !== 0) throw new StepError(`${title} failed.\n\n${output}`, 'Fix what is named above.')
}
