import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { Agent, createServer, type IncomingMessage, type Server, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../testing/openTestDatabase.ts'
import { ready, type ServerProcess, startProcess } from '../testing/startProcess.ts'

/** A built checkout of an earlier version to upgrade from; without one both servers are of this version. */
const earlier = process.env.COUNTERSIGN_EARLIER

let database: TestDatabase
let servers: ServerProcess[]
let folder: string
beforeEach(async () => {
  // A slow machine must not refuse: the upgrade is tested here.
  folder = await mkdtemp(join(tmpdir(), 'countersign-upgrade-'))
  await writeFile(join(folder, 'countersign.config.json'), JSON.stringify({ overloadDelay: 0 }))
  // An earlier version makes the tables itself, and they are changed under it.
  database = await openTestDatabase(earlier ? {} : { template: 'migrated' })
  servers = []
})
afterEach(async () => {
  for (const { child, exited } of servers) {
    child.kill('SIGKILL')
    await exited
  }
  await database.close()
  await rm(folder, { recursive: true, force: true })
})

const start = async (checkout?: string) => {
  const settings = {
    DATABASE_URL: database.databaseUrl as string,
    COUNTERSIGN_CONFIG: join(folder, 'countersign.config.json'),
    COUNTERSIGN_APP_ID: 'app',
    COUNTERSIGN_MASTER_KEY: 'master',
    COUNTERSIGN_DRAIN_TIME: '2',
  }
  const server = await ready(await startProcess(settings, ['start'], checkout))
  servers.push(server)
  return server
}

type Target = { url: string; isReady: boolean; isOut?: boolean }

/**
 * Alternates between the ready servers, over kept connections; polls /ready, repeats nothing. A request waits while
 * none is ready: one server was just replaced and the other is slow to report it.
 */
async function startProxy(targets: Target[]): Promise<{ url: string; stop(): void }> {
  const agent = new Agent({ keepAlive: true, maxSockets: 20 })
  let turn = 0
  const proxy: Server = createServer(async (incoming, outgoing) => {
    const listReady = () => targets.filter(({ isReady, isOut }) => isReady && !isOut)
    for (let waits = 0; listReady().length === 0 && waits < 600; waits++) await setTimeout(100)
    const able = listReady()
    const target = able[turn++ % able.length]
    if (!target) return outgoing.writeHead(503).end('{}')
    const { method, headers, url } = incoming
    const forward = send(`${target.url}${url}`, { method, headers, agent }, (answer: IncomingMessage) => {
      const { connection: _own, 'keep-alive': _too, 'transfer-encoding': _as, ...rest } = answer.headers
      outgoing.writeHead(answer.statusCode ?? 502, rest)
      answer.pipe(outgoing)
    })
    forward.on('error', () => outgoing.headersSent || outgoing.writeHead(502).end('{}'))
    incoming.pipe(forward)
  })
  proxy.keepAliveTimeout = 0
  const checks = setInterval(() => {
    for (const target of targets) {
      fetch(`${target.url}/ready`).then(
        ({ ok }) => (target.isReady = ok),
        () => (target.isReady = false),
      )
    }
  }, 100)
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    stop() {
      clearInterval(checks)
      agent.destroy()
      proxy.closeAllConnections()
      proxy.close()
    },
  }
}

test('of two servers each is replaced under load, and no request fails', async () => {
  const [first, second] = [await start(earlier), await start(earlier)]
  const targets: Target[] = [first, second].map(({ url }) => ({ url, isReady: true }))
  const proxy = await startProxy(targets)
  let going = true
  const outcomes = new Map<string, number>()
  const wrong: string[] = []
  const made: string[] = []
  const ask = async (method: string, path: string, body?: object, token = '') => {
    const response = await fetch(`${proxy.url}/server${path}`, {
      method,
      headers: {
        'X-Parse-Application-Id': 'app',
        ...(token ? { 'X-Parse-Session-Token': token } : { 'X-Parse-Master-Key': 'master' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const key = `${response.status} ${method} ${path.replace(/\/\w{10}$|\?.*/, '')}`
    outcomes.set(key, (outcomes.get(key) ?? 0) + 1)
    return (await response.json()) as { objectId?: string; sessionToken?: string; results?: object[]; points?: number }
  }
  const work = async (client: number) => {
    const username = `user${client}`
    const { sessionToken = '' } = await ask('POST', '/users', { username, password: 'correct horse' })
    for (let turns = 0; going; turns++) {
      const { objectId = '' } = await ask('POST', '/classes/Score', { points: 1, username })
      made.push(objectId)
      await ask('PUT', `/classes/Score/${objectId}`, { points: { __op: 'Increment', amount: turns } })
      const { points } = await ask('GET', `/classes/Score/${objectId}`)
      if (points !== 1 + turns) wrong.push(`${objectId} has ${points} points, not ${1 + turns}`)
      await ask('GET', `/classes/Score?limit=5&where=${encodeURIComponent(JSON.stringify({ username }))}`)
      const me = await ask('GET', '/users/me', undefined, sessionToken)
      await ask('PUT', `/users/${me.objectId}`, { turns }, sessionToken)
      if (turns % 5 === 0) await ask('POST', '/login', { username, password: 'correct horse' })
    }
  }
  const clients = Array.from({ length: 6 }, (_, client) => work(client))
  try {
    for (const [place, old] of [first, second].entries()) {
      const before = made.length
      await expect.poll(() => made.length, { timeout: 120_000 }).toBeGreaterThan(before + 50)
      if (earlier) {
        // A version that does not announce its end is taken out of the proxy first.
        ;(targets[place] as Target).isOut = true
        await setTimeout(2_000)
      }
      old.child.kill('SIGTERM')
      // It reports that it stops while it still responds.
      if (!earlier) await expect.poll(async () => (await fetch(`${old.url}/ready`)).status).toBe(503)
      expect(await old.exited).toBe(0)
      const next = await start()
      targets[place] = { url: next.url, isReady: true }
    }
    const before = made.length
    await expect.poll(() => made.length, { timeout: 120_000 }).toBeGreaterThan(before + 50)
  } finally {
    going = false
    await Promise.all(clients)
    proxy.stop()
  }
  expect([...outcomes.keys()].toSorted()).toEqual([
    '200 GET /classes/Score',
    '200 GET /users/me',
    '200 POST /login',
    '200 PUT /classes/Score',
    '200 PUT /users',
    '201 POST /classes/Score',
    '201 POST /users',
  ])
  expect(new Set(made).size).toBe(outcomes.get('201 POST /classes/Score'))
  expect(wrong).toEqual([])
}, 600_000)
