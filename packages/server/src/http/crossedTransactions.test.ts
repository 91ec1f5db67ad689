import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestServer, type TestServer } from '../testing/createTestServer.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
}, 120_000)
afterAll(() => server.stop())

type Request = { method: string; path: string; body: object }
const together = (requests: Request[], headers = {}) =>
  server.call('POST', '/batch', { requests, transaction: true }, { headers })
const times = <Value>(count: number, value: (index: number) => Value) =>
  Array.from({ length: count }, (_, i) => value(i))

test('transactions that change the same objects in opposite orders all succeed, each once', async () => {
  const ids = await Promise.all(
    times(5, async () => (await server.call('POST', '/classes/Tally', { count: 0 })).body.objectId as string),
  )
  const add = (id: string) => ({
    method: 'PUT',
    path: `/server/classes/Tally/${id}`,
    body: { count: { __op: 'Increment', amount: 1 } },
  })
  const answers = await Promise.all(
    times(24, (i) => {
      const requests = (i % 2 === 0 ? ids : [...ids].reverse()).map(add)
      return together(requests, i % 3 === 0 ? { 'X-Parse-Request-Id': `crossed-${i}` } : {})
    }),
  )
  expect(answers.map(({ status }) => status)).toEqual(times(24, () => 200))
  const { body } = await server.call('GET', '/classes/Tally')
  expect((body.results as { count: number }[]).map(({ count }) => count)).toEqual(times(5, () => 24))
}, 120_000)

test('transactions that make the same classes in opposite orders all succeed', async () => {
  const make = (className: string, field: string) => ({
    method: 'POST',
    path: `/server/classes/${className}`,
    body: { [field]: 1 },
  })
  const answers = await Promise.all(
    times(8, (i) => {
      const [one, other] = i % 2 === 0 ? ['East', 'West'] : ['West', 'East']
      return together([make(one as string, `f${i}`), make(other as string, `f${i}`)])
    }),
  )
  expect(answers.map(({ status }) => status)).toEqual(times(8, () => 200))
  for (const className of ['East', 'West']) {
    expect((await server.call('GET', `/classes/${className}`)).body.results).toHaveLength(8)
  }
}, 120_000)

test('P13: a transaction of a client ends in time; nothing of it stays, and its objects are free again', async () => {
  const hurried = await createTestServer({ requestComplexity: { queryTimeout: 10 } }, server.database)
  try {
    const requests = times(50, () => ({
      method: 'POST',
      path: '/server/classes/Hurry',
      body: { list: times(1_000, (i) => i) },
    }))
    const send = (options = {}) => hurried.call('POST', '/batch', { requests, transaction: true }, options)
    expect(await send()).toMatchObject({ status: 400, body: { code: 124 } })
    expect((await hurried.call('GET', '/classes/Hurry', undefined, { master: true })).body.results).toEqual([])
    expect((await send({ master: true })).status).toBe(200)
  } finally {
    await hurried.stop()
  }
}, 120_000)
