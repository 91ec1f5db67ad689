import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAttackedServer } from '../testing/createAttackedServer.ts'
import type { CallOptions, TestServer } from '../testing/createTestServer.ts'

let server: TestServer
let ann: { objectId: string; token: string }
let eve: { objectId: string; token: string }
beforeAll(async () => {
  server = await createAttackedServer({ rateLimit: [], readOnlyMasterKey: 'reads-only-0123456789' })
  ann = await server.signUp('ann')
  eve = await server.signUp('eve')
})
afterAll(() => server.stop())

const write = (body: object, id: string, options: CallOptions = {}, path = '/classes/Note', method = 'POST') =>
  server.call(method, path, body, { ...options, headers: { ...options.headers, 'X-Parse-Request-Id': id } })

describe('the response to a request id', () => {
  test('belongs to its caller: others do not get it by the same id and body', async () => {
    const id = randomUUID()
    const body = { text: 'of ann', ACL: { [ann.objectId]: { read: true, write: true } } }
    const first = await write(body, id, { token: ann.token })
    expect(first.status, first.text).toBe(201)
    expect((await write(body, id, { token: ann.token })).body).toEqual(first.body)
    const others: CallOptions[] = [
      { token: eve.token },
      {},
      { master: true },
      { headers: { 'X-Parse-Installation-Id': `user ${ann.objectId}` } },
      { headers: { 'X-Parse-Installation-Id': ann.objectId } },
    ]
    for (const other of others) {
      const answer = await write(body, id, other)
      expect(answer.body.objectId, JSON.stringify(other)).not.toBe(first.body.objectId)
    }
    // Nor does a session of hers that has ended.
    const { body: again } = await server.call('POST', '/login', { username: 'ann', password: 'ann password' })
    const token = String(again.sessionToken)
    await server.call('POST', '/logout', {}, { token })
    expect((await write(body, id, { token })).body.code).toBe(209)
  })

  test('is refused to the key that only reads, and to another request', async () => {
    const id = randomUUID()
    const first = await write({ text: 'x' }, id, { master: true })
    expect(first.status).toBe(201)
    const readOnly = { headers: { 'X-Parse-Master-Key': 'reads-only-0123456789' } }
    const replayed = await write({ text: 'x' }, id, readOnly)
    expect([replayed.body.code, replayed.body.objectId]).toEqual([119, undefined])
    for (const [body, path, method] of [
      [{ text: 'y' }, '/classes/Note', 'POST'],
      [{ text: 'x' }, '/classes/Other', 'POST'],
      [{ text: 'x' }, `/classes/Note/${first.body.objectId}`, 'PUT'],
    ] as const) {
      expect((await write(body, id, { master: true }, path, method)).body.code).toBe(159)
    }
  })

  test('is not put together from an id and an installation that share their letters', async () => {
    const tail = randomUUID()
    const one = await write({ n: 1 }, `b ${tail}`, { headers: { 'X-Parse-Installation-Id': 'a' } })
    const other = await write({ n: 1 }, tail, { headers: { 'X-Parse-Installation-Id': 'a b' } })
    expect(other.body.objectId ?? '').not.toBe(one.body.objectId)
  })

  test('an id that is too long is refused, and nothing is written', async () => {
    const answer = await write({ text: 'long' }, 'i'.repeat(5_000))
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(answer.status).toBeLessThan(500)
    const found = await server.call('GET', '/classes/Note?where={"text":"long"}&count=1&limit=0', undefined, {
      master: true,
    })
    expect(found.body.count).toBe(0)
  })

  test('an empty id is none: equal writes of two guests are two', async () => {
    const ids = [await write({ text: 'empty' }, ''), await write({ text: 'empty' }, '')].map(
      ({ body }) => body.objectId,
    )
    expect(new Set(ids).size).toBe(2)
  })

  test('twenty concurrent ones write once and get the same response', async () => {
    const id = randomUUID()
    const answers = await Promise.all(Array.from({ length: 20 }, () => write({ text: id }, id, { token: ann.token })))
    const ids = new Set(answers.filter(({ status }) => status === 201).map(({ body }) => body.objectId))
    expect(ids.size).toBe(1)
    const where = encodeURIComponent(JSON.stringify({ text: id }))
    const found = await server.call('GET', `/classes/Note?where=${where}`, undefined, { master: true })
    expect(found.body.results).toHaveLength(1)
  })
})

describe('_Idempotency', () => {
  test('is read by the master key alone, in no other form either', async () => {
    const id = randomUUID()
    await write({ text: 'of ann' }, id, { token: ann.token })
    const { body } = await server.call('GET', '/classes/_Idempotency?limit=1000', undefined, { master: true })
    const row = (body.results as { objectId: string; reqId: string }[]).find(({ reqId }) => reqId === id)
    expect(row).toBeTruthy()

    const pointer = { __type: 'Pointer', className: '_Idempotency', objectId: row?.objectId }
    const planted = await server.call('POST', '/classes/Planted', { text: id, request: pointer }, { token: eve.token })
    const subquery = { className: '_Idempotency', where: {} }
    const queries: [path: string, where: object, more?: string][] = [
      ['/classes/_Idempotency', {}],
      ['/classes/_Idempotency', {}, '&count=1&limit=0'],
      [`/classes/_Idempotency/${row?.objectId}`, {}],
      ['/classes/Note', { text: { $select: { query: subquery, key: 'reqId' } } }],
      ['/classes/Note', { text: { $dontSelect: { query: subquery, key: 'reqId' } } }],
      ['/classes/Planted', { request: { $inQuery: { className: '_Idempotency', where: { reqId: id } } } }],
      ['/classes/Planted', { request: { $notInQuery: { className: '_Idempotency', where: { reqId: id } } } }],
      ['/classes/Planted', { 'request.reqId': id }],
      ['/classes/Planted', {}, '&include=request'],
      ['/classes/Planted', {}, '&includeAll=true'],
      ['/aggregate/_Idempotency', {}, '&distinct=reqId'],
      ['/schemas/_Idempotency', {}],
    ]
    for (const [path, where, more = ''] of queries) {
      const url = `${path}?where=${encodeURIComponent(JSON.stringify(where))}${more}`
      for (const options of [{ token: eve.token }, { token: ann.token }, {}]) {
        const answer = await server.call('GET', url, undefined, options)
        const seen = answer.text.replaceAll(JSON.stringify(id), (text, offset: number) =>
          answer.text.slice(offset - 7, offset) === '"text":' ? '' : text,
        )
        expect(seen, `${url} ${answer.status}`).not.toContain(id)
        expect(answer.status, url).toBeLessThan(500)
      }
    }
    expect(planted.status).toBeLessThan(500)
    const batch = await server.call(
      'POST',
      '/batch',
      { requests: [{ method: 'GET', path: '/server/classes/_Idempotency', body: {} }] },
      { token: eve.token },
    )
    expect(batch.text).not.toContain(id)
  })
})
