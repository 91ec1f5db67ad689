import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createTestServer, type TestServer } from '../../testing/createTestServer.ts'

let server: TestServer

beforeAll(async () => {
  server = await createTestServer({ overloadDelay: 100 })
})

afterAll(() => server.stop())

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

test('SEC-4: an overloaded server answers 503 with Retry-After at once, stays healthy, and recovers by itself', async () => {
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
  } finally {
    stop()
  }
  await vi.waitFor(async () => expect((await server.call('GET', '/classes/Score')).status).toBe(200), {
    timeout: 60_000,
    interval: 200,
  })
})
