import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureChromium } from '../steps/programs/ensureChromium.mjs'
import { findFreePort } from '../steps/programs/findFreePort.mjs'
import { npmCommand } from '../steps/programs/npmCommand.mjs'
import { createPackage, measure, npm } from './install.mjs'
import { runBeside } from './runBeside.mjs'
import { waitFor } from './waitFor.mjs'

/**
 * The templates of `npm create countersign`, by the name that `--only templates:NAME` has for them. Each is created,
 * installed, checked by its own commands, and used in a browser with `npm run dev`; every link that it prints or mails
 * is opened.
 *
 * @type {[string, (stranger: import('../packagesInstall.mjs').Stranger) => Promise<void>][]}
 */
export const templateChecks = ['vite', 'next-app', 'next-pages', 'server'].map((template) => [
  `templates:${template}`,
  async (stranger) => {
    process.env.CHROMIUM_PATH = await ensureChromium()
    const { useMessages } = await import('../../e2e/lib/useMessages.mjs')
    const { followLinks } = await import('../../e2e/lib/followLinks.mjs')
    const app = await create(stranger, template)
    const inside = { ...stranger, folder: app, env: { ...stranger.env, NEXT_TELEMETRY_DISABLED: '1' } }
    await npm(inside, ['install'])
    sayInstalled(stranger, template, app)
    const isServer = template === 'server'
    for (const words of [isServer ? ['exec', 'tsc'] : ['run', 'build'], ['run', 'lint'], ['test']])
      await npm(inside, words)
    await develop(inside, async (url, said) => {
      if (isServer) await useServer(url, app, said)
      else {
        // Next.js compiles a page at its first request.
        await (await fetch(url)).text()
        await useMessages(url, stranger.pictures && join(stranger.pictures, template))
      }
      stranger.say(`signed in by clicks; ${(await followLinks(said)).length} links are followed`)
    })
  },
])

/**
 * Uses the interface of the server, and changes the schema file, which `npm run dev` applies.
 *
 * @param {string} url
 * @param {string} app
 * @param {() => string} said
 */
async function useServer(url, app, said) {
  assert.match(await (await fetch(url, { headers: { accept: 'text/html' } })).text(), /<div id="root"/)
  const headers = { 'X-Parse-Application-Id': 'my-app', 'Content-Type': 'application/json' }
  const found = await fetch(`${url}/server/classes/Message`, { headers })
  assert.deepEqual(await found.json(), { results: [] })
  const body = JSON.stringify({ text: 'Of nobody' })
  const refused = await fetch(`${url}/server/classes/Message`, { method: 'POST', headers, body })
  assert.equal((await refused.json()).code, 101)
  const counted = await fetch(`${url}/server/functions/countMessages`, { method: 'POST', headers, body: '{}' })
  assert.deepEqual(await counted.json(), { result: { all: 0, own: 0 } })
  await changeSchema(app, said)
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
 * Says how much is installed, and how much of it is ours.
 *
 * @param {import('../packagesInstall.mjs').Stranger} stranger
 * @param {string} name
 * @param {string} app
 */
function sayInstalled({ say }, name, app) {
  const { packages, megabytes, own } = measure(app)
  say(`${name}: ${packages} packages, ${megabytes.toFixed(0)} MB, of which ours ${own.toFixed(0)} MB`)
}

/**
 * Adds a field while `npm run dev` runs, then removes it: the first is applied, the second deletes data and is not,
 * because there is no terminal to ask in.
 *
 * @param {string} app
 * @param {() => string} said
 */
async function changeSchema(app, said) {
  const file = join(app, 'countersign.schema.ts')
  const before = readFileSync(file, 'utf8')
  writeFileSync(file, before.replace('fields: {', "fields: {\n      watched: 'Number',"))
  await waitFor(() => said().includes('add Message.watched'), said)
  await waitFor(() => readFileSync(join(app, 'countersign.d.ts'), 'utf8').includes('watched?: number'), said)
  writeFileSync(file, before)
  await waitFor(() => said().includes('schema apply --allow-drops'), said)
}

/**
 * Runs `npm run dev` for as long as the work takes.
 *
 * @param {import('../packagesInstall.mjs').Stranger} stranger
 * @param {(url: string, said: () => string) => Promise<void>} work
 */
async function develop({ folder, env }, work) {
  const [port, serverPort] = [await findFreePort(), await findFreePort()]
  const { command, parameters } = npmCommand(['run', 'dev'], { ...process.env, ...env })
  const own = { ...env, PORT: String(port), SERVER_PORT: String(serverPort) }
  const url = `http://localhost:${port}`
  await runBeside([command, ...parameters], { cwd: folder, env: own }, `${url}/server/health`, (said) =>
    work(url, said),
  )
}
