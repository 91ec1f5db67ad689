import assert from 'node:assert/strict'
import { cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { basename, extname, join, normalize } from 'node:path'
import { ensureChromium } from '../steps/programs/ensureChromium.mjs'
import { findFreePort } from '../steps/programs/findFreePort.mjs'
import { npmCommand } from '../steps/programs/npmCommand.mjs'
import { root } from '../steps/root.mjs'
import { createPackage, measure, npm } from './install.mjs'
import { runBeside } from './runBeside.mjs'

/**
 * The examples as somebody gets them who copies a folder: installed from the registry, started, and used.
 *
 * @param {import('../packagesInstall.mjs').Stranger} stranger
 */
export async function checkExamples(stranger) {
  process.env.CHROMIUM_PATH = await ensureChromium()
  const server = join(stranger.folder, 'server')
  mkdirSync(server)
  createPackage(server)
  await npm({ ...stranger, folder: server }, ['install', 'countersign'])
  /** @type {[string, (example: Example) => Promise<void>][]} */
  const examples = [
    ['node-script', useNodeScript],
    ['html', useHtml],
    ['vue', useVue],
    ['expo', useExpo],
  ]
  for (const [name, use] of examples) {
    const start = performance.now()
    const folder = join(stranger.folder, name)
    cpSync(join(root, 'examples', name), folder, {
      recursive: true,
      filter: (path) => !['node_modules', 'dist'].includes(basename(path)),
    })
    const inside = { ...stranger, folder }
    await npm(inside, ['install'])
    const { packages, megabytes } = measure(folder)
    await use({ ...inside, server })
    const seconds = ((performance.now() - start) / 1000).toFixed(1)
    stranger.say(`examples/${name}: ${packages} packages, ${megabytes.toFixed(0)} MB, ${seconds} s`)
  }
}

/** @typedef {import('../packagesInstall.mjs').Stranger & { server: string }} Example `server`: where it is installed */

/** @param {Example} example */
async function useNodeScript(example) {
  const { folder, env } = example
  await withServer(example, undefined, async (url) => {
    const own = { ...env, COUNTERSIGN_URL: url, WALLET_KEY: `0x${'7'.repeat(64)}` }
    const said = await npm({ folder, env: own }, ['start', '--silent', '--', 'grace', '1906'])
    assert.match(said, /Signed in as .+\n1906 {2}grace$/m)
  })
}

/** @param {Example} example */
async function useHtml(example) {
  const { useScores } = await import('../../e2e/lib/useScores.mjs')
  const types = /** @type {Record<string, string>} */ ({ '.html': 'text/html', '.js': 'text/javascript' })
  const files = createServer(({ url = '/' }, response) => {
    const path = normalize(new URL(url, 'http://files').pathname)
    const file = join(example.folder, path === '/' ? 'index.html' : path)
    try {
      const content = readFileSync(file)
      response.writeHead(200, { 'content-type': types[extname(file)] ?? 'text/plain' }).end(content)
    } catch {
      response.writeHead(404).end()
    }
  })
  const port = await findFreePort()
  await new Promise((resolve) => files.listen(port, '127.0.0.1', () => resolve(undefined)))
  try {
    const page = `http://localhost:${port}`
    await withServer(example, page, (url) =>
      useScores(`${page}/?server=${encodeURIComponent(`${url}/server`)}`, async (person) => {
        await person.getByLabel('Username').fill('ada')
        await person.getByLabel('Password').fill('correct horse')
        await person.getByRole('button', { name: 'Create account' }).click()
        await person.getByRole('button', { name: 'Save a score' }).click()
      }),
    )
  } finally {
    files.close()
  }
}

/** Types, a build, and `npm run dev` in a browser: sign-in with a wallet, a score, and a guest who sees it. @param {Example} example */
async function useVue(example) {
  const { folder, env } = example
  await npm(example, ['run', 'build'])
  const { addTestWallet, useScores } = await import('../../e2e/lib/useScores.mjs')
  const port = await findFreePort()
  const page = `http://localhost:${port}`
  await withServer(example, page, async (url) => {
    const { command, parameters } = npmCommand(['run', 'dev', '--', '--port', String(port)], { ...process.env, ...env })
    const own = { cwd: folder, env: { ...env, COUNTERSIGN_URL: url } }
    await runBeside([command, ...parameters], own, `${page}/server/health`, () =>
      useScores(
        page,
        async (person) => {
          await person.getByRole('button', { name: 'Sign in with Test Wallet' }).click()
          await person.getByRole('button', { name: /^Sign out/ }).waitFor()
          await person.getByLabel('Points').fill('1906')
          await person.getByRole('button', { name: 'Save' }).click()
          await person.getByRole('listitem').filter({ hasText: ': 1906' }).waitFor()
          await person.reload()
          await person.getByRole('button', { name: /^Sign out/ }).click()
          await person.getByRole('button', { name: 'Sign in with Test Wallet' }).waitFor()
        },
        (context) => addTestWallet(folder, context),
      ),
    )
  })
}

/** Types, and the bundle that a phone would load. There is no phone here to run it. @param {Example} example */
async function useExpo(example) {
  const { folder, env } = example
  const own = { folder, env: { ...env, CI: '1', EXPO_OFFLINE: '1', EXPO_NO_TELEMETRY: '1' } }
  await npm(own, ['run', 'types'])
  await npm(own, ['run', 'bundle'])
  const bundles = join(folder, 'dist/_expo/static/js/android')
  const [name = ''] = readdirSync(bundles)
  const code = readFileSync(join(bundles, name), 'utf8')
  for (const part of ['Save a score', '/server', 'Countersign/']) assert.ok(code.includes(part), `${part} is missing`)
}

/**
 * @param {Example} example
 * @param {string | undefined} page the address that people open
 * @param {(url: string) => Promise<void>} work
 */
async function withServer({ folder, env, server }, page, work) {
  const port = await findFreePort()
  const url = `http://localhost:${port}`
  const words = [join(server, 'node_modules/.bin/countersign'), 'start', '--port', String(port)]
  const own = {
    ...env,
    COUNTERSIGN_APP_ID: 'example',
    COUNTERSIGN_DATA: join(folder, 'data'),
    ...(page && { COUNTERSIGN_PUBLIC_URL: page }),
  }
  const options = { cwd: server, env: own }
  await runBeside([process.execPath, ...words], options, `${url}/server/health`, () => work(url))
}
