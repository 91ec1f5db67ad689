import { Agent, get } from 'node:http'
import { expect, test, vi } from 'vitest'
import { sendRaw } from '../../testing/sendRaw.ts'
import { serveTests } from '../../testing/serveTests.ts'

const token = 'a token of sixteen letters and more'

const server = serveTests({ overloadDelay: 100, trustProxy: true, metrics: { token } })

/** Keeps the event loop late until it is called off: each turn of it takes 300 ms. */
function keepBusy(): () => void {
  let isOver = false
  const hold = () => {
    const end = performance.now() + 300
    while (performance.now() < end);
    if (!isOver) setImmediate(hold)
  }
  setImmediate(hold)
  return () => {
    isOver = true
  }
}

test('SEC-69: a connection is closed after its thousandth response', async () => {
  const count = 1_200
  const text = await sendRaw(server, 'GET /health HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(count))
  const answers = text.split('HTTP/1.1 ').slice(1)
  const good = answers.filter((answer) => answer.startsWith('200'))
  expect(good).toHaveLength(1_000)
  expect(good.at(-1)).toMatch(/^connection: close/im)
})

test('SEC-69: health and readiness respond beside 50 busy connections', async () => {
  let isOver = false
  const agent = new Agent({ keepAlive: true, maxSockets: 50 })
  const ask = () =>
    new Promise<void>((resolve) => {
      const headers = { 'X-Parse-Application-Id': server.appId }
      get(`${server.serverUrl}/classes/Busy`, { agent, headers }, (response) =>
        response.resume().on('end', resolve),
      ).on('error', () => resolve())
    })
  const busy = Array.from({ length: 50 }, async () => {
    while (!isOver) await ask()
  })
  const times: number[] = []
  for (let round = 0; round < 20; round++) {
    for (const path of ['/health', '/ready']) {
      const before = performance.now()
      // A connection of its own each time, as probes have it.
      const { status } = await fetch(`${server.url}${path}`, { headers: { Connection: 'close' } })
      expect(status).toBe(200)
      times.push(performance.now() - before)
    }
  }
  isOver = true
  await Promise.all(busy)
  agent.destroy()
  expect(times.sort((a, b) => a - b)[20]).toBeLessThan(2_000)
}, 120_000)

test('SEC-69: readiness asks the database once for all concurrent callers', async () => {
  const countStatements = async () => {
    const response = await fetch(`${server.url}/metrics`, { headers: { Authorization: `Bearer ${token}` } })
    return Number(/^countersign_database_statement_seconds_count (\d+)/m.exec(await response.text())?.[1])
  }
  const before = await countStatements()
  const answers = await Promise.all(Array.from({ length: 200 }, () => fetch(`${server.url}/ready`)))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  // Other work of the server asks now and then, too.
  expect((await countStatements()) - before).toBeLessThan(100)
})

test('SEC-69: the description of the API is counted by caller', async () => {
  const ask = (address: string) =>
    fetch(`${server.url}/openapi.json`, { headers: { 'X-Forwarded-For': address, 'If-None-Match': etag } })
  let etag = ''
  const first = await ask('203.0.113.7')
  etag = first.headers.get('ETag') ?? ''
  expect([first.status, etag]).toEqual([200, expect.stringMatching(/^".+"$/)])
  const statuses = new Set<number>()
  for (let count = 0; count < 60; count++) statuses.add((await ask('203.0.113.7')).status)
  expect([...statuses]).toEqual([304, 429])
  expect((await ask('203.0.113.8')).status).toBe(304)
})

test('SEC-4, SEC-69: an overloaded server returns 503 with Retry-After immediately, stays healthy, and recovers', async () => {
  const stop = keepBusy()
  try {
    await vi.waitFor(
      async () => {
        const refused = await server.call('GET', '/classes/Score')
        expect([refused.status, refused.body.reason]).toEqual([503, 'serverBusy'])
        expect(refused.headers.get('Retry-After')).toBe('1')
      },
      { timeout: 60_000, interval: 200 },
    )
    expect((await fetch(new URL('/health', server.serverUrl))).status).toBe(200)
    // SEC-69: by the matched route, never by how the address ends.
    const status = async (path: string) => {
      const { status, headers } = await fetch(`${server.url}${path}`, {
        headers: { 'X-Parse-Application-Id': server.appId },
      })
      return [path, status, status === 503 ? headers.get('Connection') : 'any']
    }
    for (const path of ['/server/classes/health', '/server/classes/A?x=/health', '/server/x/health', '/openapi.json'])
      expect(await status(path)).toEqual([path, 503, 'close'])
    for (const path of ['/ready', '/server/health', '/server/health/?x=1', '/health?x'])
      expect(await status(path)).toEqual([path, 200, 'any'])
  } finally {
    stop()
  }
  await vi.waitFor(async () => expect((await server.call('GET', '/classes/Score')).status).toBe(200), {
    timeout: 60_000,
    interval: 200,
  })
})
