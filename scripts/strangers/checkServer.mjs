import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findFreePort } from '../steps/programs/findFreePort.mjs'
import { root } from '../steps/root.mjs'
import { fetchNode, newerNodes } from './fetchNode.mjs'
import { createPackage, measure, npm } from './install.mjs'
import { runBeside } from './runBeside.mjs'

/** Limits promised by README.md. Versions of others change between two releases of ours, so this is a maximum. */
function readLimits() {
  const text = readFileSync(join(root, 'README.md'), 'utf8')
  const [, packages, megabytes] = text.match(/at\s+most\s+(\d+)\s+packages\s+and\s+(\d+)\s+MB/) ?? []
  assert.ok(packages && megabytes, 'README.md does not say how much is installed.')
  return { packages: Number(packages), megabytes: Number(megabytes) }
}

const cloud = `Parse.Cloud.define('hello', async ({ params }) => {
  const greeting = new Parse.Object('Greeting')
  await greeting.save({ to: params.name }, { useMasterKey: true })
  return 'Hello, ' + (await new Parse.Query('Greeting').first({ useMasterKey: true })).get('to')
})
`

/**
 * `npm install countersign` and `npx countersign start` in an empty folder: the web application responds, people sign
 * up, and cloud code of the older form runs, with what is bundled of other packages. Then the same on newer versions of
 * Node.js.
 *
 * @param {import('../packagesInstall.mjs').Stranger} stranger
 */
export async function checkServer(stranger) {
  const { folder, env, say } = stranger
  createPackage(folder)
  const start = performance.now()
  await npm(stranger, ['install', 'countersign'])
  const { packages, megabytes, names } = measure(folder)
  const seconds = (performance.now() - start) / 1000
  say(`npm install countersign: ${packages} packages, ${megabytes.toFixed(0)} MB, ${seconds.toFixed(1)} s`)
  const limits = readLimits()
  assert.ok(
    packages <= limits.packages,
    `${packages} packages are more than the ${limits.packages} that README.md names`,
  )
  assert.ok(megabytes <= limits.megabytes, `${megabytes} MB are more than the ${limits.megabytes} that README.md names`)
  for (const heavy of ['viem', 'parse', 'fastify', 'oidc-provider'])
    assert.ok(!names.includes(`node_modules/${heavy}`), `${heavy} is installed`)

  mkdirSync(join(folder, 'cloud'))
  writeFileSync(join(folder, 'cloud/main.js'), cloud)
  await runServer({ folder, env }, useServer)

  for (const major of newerNodes) {
    const node = await fetchNode(stranger, major)
    if (!node) continue
    // npm compares the engines of every package with the Node.js that it runs on.
    await npm(stranger, ['install', '--package-lock-only'], node)
    await runServer({ folder, env, node }, useServer)
  }
}

/** @param {{ url: string, appId: string }} server */
async function useServer({ url, appId }) {
  const page = await fetch(url, { headers: { accept: 'text/html' } })
  assert.equal(page.status, 200)
  assert.match(await page.text(), /<div id="root"/)
  assert.match(await (await fetch(`${url}/docs/wallets`)).text(), /<h1 id="sign-in-with-a-wallet"/)
  const headers = { 'X-Parse-Application-Id': appId, 'Content-Type': 'application/json' }
  const call = async (/** @type {string} */ path, /** @type {object} */ body) => {
    const answer = await fetch(`${url}/server/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    return { status: answer.status, body: /** @type {Record<string, any>} */ (await answer.json()) }
  }
  const username = `ada${Math.random().toString(36).slice(2, 10)}`
  const signedUp = await call('users', { username, password: 'a very long password' })
  assert.equal(signedUp.status, 201, JSON.stringify(signedUp.body))
  assert.ok(signedUp.body.sessionToken)
  assert.deepEqual((await call('functions/hello', { name: 'Ada' })).body, { result: 'Hello, Ada' })
}

/**
 * Starts the installed server by its command, and ends it after the work.
 *
 * @param {Pick<import('../packagesInstall.mjs').Stranger, 'folder' | 'env'> & { node?: string }} stranger
 * @param {(server: { url: string, appId: string }) => Promise<void>} work
 */
async function runServer({ folder, env, node = process.execPath }, work) {
  const port = await findFreePort()
  const appId = 'stranger'
  const words = [node, join(folder, 'node_modules/.bin/countersign'), 'start', '--port', String(port)]
  const own = { ...env, COUNTERSIGN_APP_ID: appId, COUNTERSIGN_DATA: join(folder, 'data'), NODE_OPTIONS: '' }
  const url = `http://localhost:${port}`
  await runBeside(words, { cwd: folder, env: own }, `${url}/server/health`, () => work({ url, appId }))
}
