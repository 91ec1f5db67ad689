import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { findFreePort } from './steps/programs/findFreePort.mjs'
import { root } from './steps/root.mjs'

const server = join(root, 'packages/server')
const cache = join(root, 'node_modules/.cache/countersign')

/**
 * A data folder as a server leaves it that was started once: test servers begin with a copy, since making a database takes
 * far longer than copying one. Made once for each set of migrations. The workers are started after this and inherit where
 * it lies.
 */
export async function setup() {
  process.env.COUNTERSIGN_SEED = await getSeed()
}

async function getSeed() {
  const migrations = join(server, 'dist/db/migrations')
  const files = [
    join(server, 'package.json'),
    join(server, 'dist/db/migrations.js'),
    ...readdirSync(migrations)
      .filter((name) => name.endsWith('.js'))
      .map((name) => join(migrations, name)),
  ]
  const hash = createHash('sha256')
  for (const file of files) hash.update(readFileSync(file))
  const seed = join(cache, `seed-${hash.digest('hex').slice(0, 16)}`)
  if (existsSync(seed)) return seed
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'seeding-'))
  const port = await findFreePort()
  const child = spawn(process.execPath, ['--liftoff-only', join(server, 'bin/countersign.js'), 'start'], {
    cwd: folder,
    env: { PATH: process.env.PATH, PORT: String(port), COUNTERSIGN_DATA: join(folder, 'data') },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let errors = ''
  child.stderr.on('data', (chunk) => {
    errors += chunk
  })
  const exited = new Promise((resolve) => child.once('exit', resolve))
  const deadline = Date.now() + 120_000
  while (!(await isReady(port))) {
    if (child.exitCode !== null || Date.now() > deadline) throw new Error(`The server did not start: ${errors}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  child.kill('SIGTERM')
  await exited
  // Every server makes keys of its own.
  rmSync(join(folder, 'data/keys.json'))
  try {
    renameSync(join(folder, 'data'), seed)
  } catch (error) {
    // Another run was quicker.
    if (!existsSync(seed)) throw error
  }
  rmSync(folder, { recursive: true, force: true })
  return seed
}

/** @param {number} port */
async function isReady(port) {
  const answer = await fetch(`http://127.0.0.1:${port}/ready`, { signal: AbortSignal.timeout(5_000) }).catch(
    () => undefined,
  )
  return answer?.ok ?? false
}
