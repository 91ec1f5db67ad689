// How many files of ours four main paths run through, by V8's own count of called functions, on the built packages.
// node scripts/build.mjs && node scripts/paths.mjs [--list]
import { mkdtempSync, rmSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'

const root = join(import.meta.dirname, '..')
/** @param {string} path */
const from = (path) => import(pathToFileURL(join(root, path)).href)
const list = process.argv.includes('--list')

const data = mkdtempSync(join(tmpdir(), 'countersign-paths-'))
const { readConfig } = await from('packages/server/dist/config/readConfig.js')
const { startServer } = await from('packages/server/dist/http/startServer.js')
const { createLogger } = await from('packages/server/dist/log/createLogger.js')
const env = {
  COUNTERSIGN_DATA: data,
  PORT: '0',
  COUNTERSIGN_APP_ID: 'paths',
  COUNTERSIGN_MASTER_KEY: 'master-key-of-paths',
  COUNTERSIGN_LOG_LEVEL: 'error',
}
Object.assign(process.env, env)
process.chdir(data)
const config = await readConfig({ flags: {} })
const server = await startServer({ config: { ...config, port: 0 }, log: createLogger('error') })
const url = `${server.context.publicUrl}${config.mount ?? config.mountPath}`
const headers = {
  'content-type': 'application/json',
  'x-parse-application-id': 'paths',
  'x-parse-master-key': 'master-key-of-paths',
}
/**
 * @param {string} method
 * @param {string} path
 * @param {object} [body]
 */
const call = async (method, path, body) => {
  const response = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  return response.json()
}

const session = new Session()
session.connect()
await session.post('Profiler.enable')
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })

/**
 * Files whose functions are called in each of several runs. A timer of the server that fires during one of them is on
 * no path.
 *
 * @param {() => (() => Promise<unknown>) | Promise<() => Promise<unknown>>} prepare
 * @returns {Promise<string[]>}
 */
async function filesOf(prepare) {
  let files = await calledBy(await prepare())
  for (let run = 0; run < 7; run++) {
    const again = new Set(await calledBy(await prepare()))
    files = files.filter((file) => again.has(file))
  }
  return files
}

/**
 * @param {() => Promise<unknown>} act
 * @returns {Promise<string[]>}
 */
async function calledBy(act) {
  await pause(300)
  await session.post('Profiler.takePreciseCoverage')
  await act()
  const { result } = await session.post('Profiler.takePreciseCoverage')
  /** @type {Set<string>} */
  const files = new Set()
  for (const { url, functions } of result) {
    // The first function of a script is its top level, which runs when the file is loaded.
    const called = functions.some(
      ({ functionName, ranges }, place) => (place > 0 || functionName) && (ranges[0]?.count ?? 0) > 0,
    )
    if (called && url.includes('/packages/') && !url.includes('/node_modules/'))
      files.add(url.split('/packages/')[1] ?? '')
  }
  return [...files].sort()
}

/**
 * @param {string} name
 * @param {string[]} files
 */
const show = (name, files) => {
  console.log(`${name}: ${files.length}`)
  if (list) console.log(files.map((file) => `  ${file}`).join('\n'))
}
/**
 * @param {string[]} files
 * @param {string} folder
 */
const of = (files, folder) => files.filter((file) => file.startsWith(`${folder}/`))

await call('POST', '/classes/Score', { points: 1 })
const where = `?where=${encodeURIComponent('{"points":1}')}&limit=10`
await call('GET', `/classes/Score${where}`)
await call('GET', `/classes/Score${where}`)
show('GET /classes/Score', of(await filesOf(() => () => call('GET', `/classes/Score${where}`)), 'server'))

// A page, as far as the session layer needs one.
/** @type {Map<string, string>} */
const kept = new Map()
const localStorage = {
  getItem: (/** @type {string} */ key) => kept.get(key) ?? null,
  setItem: (/** @type {string} */ key, /** @type {string} */ value) => void kept.set(key, value),
  removeItem: (/** @type {string} */ key) => void kept.delete(key),
}
const { host, origin } = new URL(server.context.publicUrl)
const page = Object.assign(new EventTarget(), {
  location: { host, origin, href: `${origin}/` },
  localStorage,
  ethereum: {},
})
Object.assign(globalThis, { window: page, document: Object.assign(new EventTarget(), { visibilityState: 'visible' }) })

// Its cookies, which a browser keeps: a challenge is bound to one.
/** @type {Map<string, string>} */
const cookies = new Map()
const plainFetch = globalThis.fetch
globalThis.fetch = async (input, init = {}) => {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const response = await plainFetch(input, { ...init, headers: { ...init.headers, origin, ...(cookie && { cookie }) } })
  for (const [, name = '', value = ''] of response.headers
    .getSetCookie()
    .map((line) => line.match(/^([^=]+)=([^;]*)/) ?? []))
    cookies.set(name, value)
  return response
}

const core = await from('packages/react/dist/core.js')
const require = createRequire(join(root, 'packages/react/package.json'))
const { generatePrivateKey, privateKeyToAccount } = await import(require.resolve(['viem', 'accounts'].join('/')))
const signIn = core.signInWithWallet ?? core.authenticate
const open = async () => {
  const client = core.createClient({ appId: 'paths', serverUrl: url })
  await core.initialize(client)
  return client
}
const eip1193 = () => {
  const account = privateKeyToAccount(generatePrivateKey())
  const request = async (/** @type {{ method: string, params?: unknown[] }} */ { method, params = [] }) => {
    if (method === 'eth_accounts' || method === 'eth_requestAccounts') return [account.address]
    if (method === 'eth_chainId') return '0x1'
    if (method === 'personal_sign') return account.signMessage({ message: { raw: params[0] } })
    if (method.startsWith('wallet_')) throw Object.assign(new Error('unsupported'), { code: 4200 })
    return null
  }
  return { request, on: () => {}, removeListener: () => {} }
}
const once = async () => {
  page.ethereum = eip1193()
  const client = await open()
  return () => signIn(client, { connector: 'injected' }, { throwOnError: true })
}
await (await once())()
const files = await filesOf(once)
show('wallet sign-in, browser', of(files, 'react'))
show('wallet sign-in, server', of(files, 'server'))

/** @typedef {{ op: string }} Frame */
/** @type {(frame: Frame) => void} */
let arrived = () => {}
const { default: WebSocketOfNode } = await import(
  createRequire(join(root, 'packages/server/package.json')).resolve('ws')
)
const socket = new WebSocketOfNode(url.replace('http', 'ws'))
await new Promise((resolve) => socket.on('open', resolve))
const send = (/** @type {object} */ frame) => socket.send(JSON.stringify(frame))
socket.on('message', (/** @type {Buffer} */ text) => arrived(JSON.parse(String(text))))
const next = (/** @type {string} */ op) =>
  new Promise((resolve) => {
    arrived = (frame) => {
      if (frame.op === op) resolve(frame)
    }
  })
const connected = next('connected')
send({ op: 'connect', applicationId: 'paths', masterKey: 'master-key-of-paths' })
await connected
const subscribed = next('subscribed')
send({ op: 'subscribe', requestId: 1, query: { className: 'Score', where: {} } })
await subscribed
// Straight into the table: what follows is the way of the change alone.
const change = () => {
  const created = next('create')
  const id = Math.random().toString(36).slice(2, 12).padEnd(10, 'x')
  const text = `insert into public."Score" ("objectId", "createdAt", "updatedAt", points) values ('${id}', now(), now(), 2)`
  return Promise.all([created, server.context.db.query(sqlOf(text))])
}
const { sql } = await from('packages/server/dist/db/sql.js')
const sqlOf = (/** @type {string} */ text) => (sql.table ? sql.raw(text) : { text })
await change()
show('live event, server', of(await filesOf(() => change), 'server'))

socket.close()
await server.stop()
rmSync(data, { recursive: true, force: true })
process.exit(0)
