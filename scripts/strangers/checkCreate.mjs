import assert from 'node:assert/strict'
import { mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { ensureChromium } from '../steps/programs/ensureChromium.mjs'
import { findFreePort } from '../steps/programs/findFreePort.mjs'
import { npmCommand } from '../steps/programs/npmCommand.mjs'
import { createPackage, measure, npm } from './install.mjs'
import { runBeside } from './runBeside.mjs'

/**
 * The server alone: its types, its test, and `npm run dev`, which has brought the class to what the schema file says.
 *
 * @param {import('../packagesInstall.mjs').Stranger} stranger
 */
export async function checkServerTemplate(stranger) {
  const app = await create(stranger, 'server')
  const inside = { ...stranger, folder: app }
  await npm(inside, ['install'])
  measure(app)
  await npm(inside, ['exec', 'tsc'])
  await npm(inside, ['test'])
  await develop(inside, async (url) => {
    assert.match(await (await fetch(url, { headers: { accept: 'text/html' } })).text(), /<div id="root"/)
    const headers = { 'X-Parse-Application-Id': 'my-app', 'Content-Type': 'application/json' }
    const found = await fetch(`${url}/server/classes/Message`, { headers })
    assert.deepEqual(await found.json(), { results: [] })
    const body = JSON.stringify({ text: 'Of nobody' })
    const refused = await fetch(`${url}/server/classes/Message`, { method: 'POST', headers, body })
    assert.equal((await refused.json()).code, 101)
    const counted = await fetch(`${url}/server/functions/countMessages`, { method: 'POST', headers, body: '{}' })
    assert.deepEqual(await counted.json(), { result: { all: 0, own: 0 } })
  })
}

/**
 * Both Next.js templates have the same dependencies: the second gets the folder of the first. Each is built, and used
 * in a browser with `npm run dev`.
 *
 * @param {import('../packagesInstall.mjs').Stranger} stranger
 */
export async function checkNext(stranger) {
  process.env.CHROMIUM_PATH = await ensureChromium()
  const { useMessages } = await import('../../e2e/lib/useMessages.mjs')
  const first = await create(stranger, 'next-app')
  await npm({ ...stranger, folder: first }, ['install'])
  measure(first)
  const second = await create(stranger, 'next-pages')
  const env = { ...stranger.env, NEXT_TELEMETRY_DISABLED: '1' }
  for (const app of [first, second]) {
    if (app === second) renameSync(join(first, 'node_modules'), join(second, 'node_modules'))
    await npm({ folder: app, env }, ['run', 'build'])
    await develop({ ...stranger, folder: app, env }, (url) => useMessages(app, url))
  }
}

/**
 * @param {import('../packagesInstall.mjs').Stranger} stranger
 * @param {string} template
 */
async function create({ folder, env }, template) {
  const home = join(folder, `for-${template}`)
  mkdirSync(home)
  createPackage(home)
  // Installed first: npx keeps what it fetched before under the same name and version.
  await npm({ folder: home, env }, ['install', 'create-countersign'])
  await npm({ folder: home, env }, ['create', 'countersign', 'my-app', '--', '--template', template])
  const app = join(folder, template)
  renameSync(join(home, 'my-app'), app)
  return app
}

/**
 * Runs `npm run dev` for as long as the work takes.
 *
 * @param {import('../packagesInstall.mjs').Stranger} stranger
 * @param {(url: string) => Promise<void>} work
 */
async function develop({ folder, env }, work) {
  const [port, serverPort] = [await findFreePort(), await findFreePort()]
  const { command, parameters } = npmCommand(['run', 'dev'], { ...process.env, ...env })
  const own = { ...env, PORT: String(port), SERVER_PORT: String(serverPort) }
  const url = `http://localhost:${port}`
  await runBeside([command, ...parameters], { cwd: folder, env: own }, `${url}/server/health`, () => work(url))
}
