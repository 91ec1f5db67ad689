import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { serveTests } from '../testing/serveTests.ts'
import type { AttackClass } from './AttackClass.ts'
import { runAttack } from './runAttack.ts'

const server = serveTests()

type Passed = { method: string; path: string; headers: IncomingMessage['headers']; body: Buffer }
type Returned = { status: number; headers: IncomingMessage['headers']; body: Buffer }
type Pass = (passed: Passed) => Promise<Returned>

/** Fault between the callers and the server, as a careless proxy or a missing check would make it. */
type Fault = (passed: Passed, pass: Pass) => Promise<Returned>

let proxy: Server | undefined

afterEach(() => {
  proxy?.closeAllConnections()
  proxy?.close()
})

async function startProxy(fault: Fault): Promise<string> {
  const { port } = new URL(server.url)
  const pass: Pass = ({ method, path, headers, body }) =>
    new Promise((resolve, reject) => {
      const sent = { ...headers, 'content-length': String(body.length) }
      delete sent['transfer-encoding']
      const asked = request({ port, host: '127.0.0.1', method, path, headers: sent }, async (response) => {
        const status = response.statusCode ?? 0
        resolve({ status, headers: response.headers, body: await readAll(response) })
      })
      asked.once('error', reject)
      asked.end(body)
    })
  const handle = async (incoming: IncomingMessage, response: ServerResponse) => {
    const { method = 'GET', url: path = '/', headers } = incoming
    try {
      const returned = await fault({ method, path, headers, body: await readAll(incoming) }, pass)
      const { 'transfer-encoding': _chunked, connection: _connection, ...rest } = returned.headers
      response.writeHead(returned.status, { ...rest, 'content-length': String(returned.body.length) })
      response.end(returned.body)
    } catch {
      response.destroy()
    }
  }
  proxy = createServer((incoming, response) => void handle(incoming, response))
  await new Promise<void>((resolve) => proxy?.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
}

async function readAll(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}

const asMaster = (passed: Passed): Passed => ({
  ...passed,
  headers: { ...passed.headers, 'x-parse-master-key': server.masterKey },
})

const isSuccess = ({ status }: Returned) => status >= 200 && status < 300

/** Responses that a faulty cache keeps, by request. */
function createCache(keyOf: (passed: Passed) => string | undefined): Fault {
  const kept = new Map<string, Returned>()
  return async (passed, pass) => {
    const key = keyOf(passed)
    const known = key === undefined ? undefined : kept.get(key)
    if (known) return known
    const returned = await pass(passed)
    if (key !== undefined && isSuccess(returned)) kept.set(key, returned)
    return returned
  }
}

const faults: [string, AttackClass, Fault, RegExp][] = [
  [
    'documents without access check',
    'access-lists',
    (passed, pass) =>
      pass(/\/classes\/Attack/.test(passed.path) && passed.method === 'GET' ? asMaster(passed) : passed),
    /reads a private document|contains CANARY/,
  ],
  [
    'cookies of other sites accepted',
    'sessions',
    ({ headers: { origin: _origin, 'sec-fetch-site': _site, ...headers }, ...passed }, pass) =>
      pass({
        ...passed,
        headers: { ...headers, ...(headers.cookie !== undefined && { 'x-countersign-session': 'cookie' }) },
      }),
    /Another site uses the cookie session/,
  ],
  [
    'stack traces in errors',
    'queries',
    async (passed, pass) => {
      const returned = await pass(passed)
      if (returned.status !== 400) return returned
      return { ...returned, body: Buffer.from('{"error":"Error: x\\n    at handle (/srv/app/server.js:10:5)"}') }
    },
    /stack trace/,
  ],
  [
    'sessions from a cache',
    'sessions',
    createCache(({ method, path, headers }) =>
      method === 'GET' && path.endsWith('/users/me') ? String(headers['x-parse-session-token']) : undefined,
    ),
    /session that has ended/,
  ],
  [
    'responses of another caller',
    'access-lists',
    createCache(({ method, path }) => (method === 'GET' && /\/(users|classes)\b/.test(path) ? path : undefined)),
    /contains|private document/,
  ],
  [
    'responses that shared caches may store',
    'sessions',
    async (passed, pass) => {
      const { headers, ...returned } = await pass(passed)
      const { 'cache-control': _removed, ...rest } = headers
      return { ...returned, headers: rest }
    },
    /stored by shared caches/,
  ],
  [
    'a challenge that works twice',
    'sign-in',
    createCache(({ path, body }) => (path.endsWith('/auth/signInWithWallet') ? String(body) : undefined)),
    /A challenge signs in twice|concurrent uses of a challenge/,
  ],
  [
    'files shown as pages',
    'files',
    async (passed, pass) => {
      const returned = await pass(passed)
      if (passed.method !== 'GET' || !/\/files\//.test(passed.path)) return returned
      return { ...returned, headers: { 'content-type': 'text/html', 'cache-control': 'public' } }
    },
    /is shown as text\/html/,
  ],
  [
    'the console open to everyone',
    'console',
    (passed, pass) => pass(/\/console\//.test(passed.path) && passed.method === 'GET' ? asMaster(passed) : passed),
    /needs an operator|reads the console/,
  ],
  [
    'server errors for malformed input',
    'batches',
    async (passed, pass) => {
      const returned = await pass(passed)
      return returned.status === 400 ? { ...returned, status: 500 } : returned
    },
    /gets status 500/,
  ],
  [
    'no limit for wrong passwords',
    'limits',
    async (passed, pass) => {
      const { username, password } = /^\{/.test(String(passed.body)) ? JSON.parse(String(passed.body)) : ({} as never)
      const isGuess = /\/(login|verifyPassword)/.test(passed.path) && String(password).startsWith('guess-')
      if (!isGuess) return pass(passed)
      return pass({ ...passed, body: Buffer.from(JSON.stringify({ username: `${username}-other`, password })) })
    },
    /the right one still works|right password still works/,
  ],
  [
    'requests that stop the others',
    'event-loop',
    (() => {
      let stopped = Promise.resolve()
      return async (passed, pass) => {
        if (/regex/.test(passed.path)) stopped = pause(2_500)
        await stopped
        return pass(passed)
      }
    })(),
    /delays others by/,
  ],
  [
    'ids of the path instead of the session',
    'access-lists',
    (passed, pass) =>
      pass(passed.method === 'PUT' && /\/users\/|\/classes\/Attack/.test(passed.path) ? asMaster(passed) : passed),
    /changes (another user|a private document)/,
  ],
]

test.each(faults)('finds a planted fault: %s', async (_name, only, fault, expected) => {
  const origin = await startProxy(fault)
  const { appId, masterKey } = server
  const report = await runAttack({ origin, mount: '/server', appId, masterKey, mostRequests: 20_000, only: [only] })
  expect(report.stopped).toBeUndefined()
  expect(report.findings.map(({ message }) => message).join('\n')).toMatch(expected)
})
