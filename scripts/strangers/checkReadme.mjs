import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureChromium } from '../steps/programs/ensureChromium.mjs'
import { findFreePort } from '../steps/programs/findFreePort.mjs'
import { root } from '../steps/root.mjs'
import { fetchNewestLts } from './fetchNode.mjs'
import { createEnvironment, findSample, shell } from './followPage.mjs'
import { measure } from './install.mjs'
import { runBeside } from './runBeside.mjs'

/**
 * Follows README.md and knows nothing else: the commands that stand there run as they stand there, in empty folders, with
 * packages from the registry. Only ports and the cache of npm are the test's own.
 *
 * @param {import('../packagesInstall.mjs').Stranger} stranger
 */
export async function checkReadme(stranger) {
  process.env.CHROMIUM_PATH = await ensureChromium()
  const lts = stranger.node === process.execPath ? await fetchNewestLts(stranger) : undefined
  for (const node of [stranger.node, ...(lts ? [lts] : [])]) {
    const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()
    const start = performance.now()
    const home = join(stranger.folder, version)
    mkdirSync(home)
    const env = await createEnvironment(stranger, home, node)
    // Not the Node.js of this script: what npm starts, server and application, runs on the one that is tried.
    const used = await shell('npm exec --call "node --version"', { folder: home, env })
    assert.equal(used.trim().split('\n').at(-1), version)
    await tourServer(home, env)
    await createApplication(home, env)
    stranger.say(`README.md on Node.js ${version}: ${((performance.now() - start) / 1000).toFixed(1)} s`)
  }
}

/**
 * `npx countersign start`, an account in the browser, and the requests of the tour.
 *
 * @param {string} home
 * @param {NodeJS.ProcessEnv} env
 */
async function tourServer(home, env) {
  const command = readReadme().match(/`(npx countersign start)`/)?.[1] ?? ''
  const choice = readReadme().match(/choose \*\*(.+?)\*\*/)?.[1] ?? ''
  const requests = findSample('README.md', 'curl')
  const folder = join(home, 'server')
  mkdirSync(folder)
  const port = await findFreePort()
  const url = `http://localhost:${port}`
  const { createAccount } = await import('../../e2e/lib/useMessages.mjs')
  const own = { ...env, PORT: String(port) }
  await runBeside(['bash', '-c', command], { cwd: folder, env: own }, `${url}/server/health`, async () => {
    await createAccount(url, choice)
    assert.equal((await fetch(`${url}/docs`)).status, 200)
    const said = await shell(requests.replaceAll('localhost:1337', `localhost:${port}`), { folder, env: own })
    assert.match(said, /"results":\[\{.*"points":1815/)
  })
}

/**
 * An application of one's own: created, installed, started; then a person signs in with a wallet and writes, and it
 * appears in a second tab.
 *
 * @param {string} home
 * @param {NodeJS.ProcessEnv} env
 */
async function createApplication(home, env) {
  const commands = findSample('README.md', 'npm create countersign')
  const [, name = ''] = commands.match(/^cd (\S+)/m) ?? []
  const last = commands.lastIndexOf('npm run dev')
  assert.ok(last > 0, 'README.md does not start the application.')
  await shell(`${commands.slice(0, last)}true`, { folder: home, env })
  const app = join(home, name)
  const { megabytes } = measure(app)
  assert.ok(megabytes < 400, `${megabytes} MB are installed.`)
  const [port, serverPort] = [await findFreePort(), await findFreePort()]
  const url = `http://localhost:${port}`
  const own = { ...env, PORT: String(port), SERVER_PORT: String(serverPort) }
  const { useMessages } = await import('../../e2e/lib/useMessages.mjs')
  const command = ['bash', '-c', commands.slice(last)]
  const said = await runBeside(command, { cwd: app, env: own }, `${url}/server/health`, () => useMessages(url))
  assert.ok(said.includes(url), `The address of the application is not said:\n${said}`)
  assert.ok(readReadme().includes('http://localhost:3000'), 'README.md does not say where the application runs.')
}

function readReadme() {
  return readFileSync(join(root, 'README.md'), 'utf8')
}
