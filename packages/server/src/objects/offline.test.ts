import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { sql } from '../db/sql.ts'
import { serveTests } from '../testing/serveTests.ts'

const day = 86_400_000
const server = serveTests({ offline: { classes: ['Note', 'Closed'], requestAge: 30 * 86_400 } })

const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const ulid = (time = Date.now()) =>
  Array.from({ length: 26 }, (_, index) =>
    index < 10 ? digits[Math.floor(time / 32 ** (9 - index)) % 32] : digits[Math.floor(Math.random() * 32)],
  ).join('')

const idsOf = async (className: string) => {
  const rows = await server.context.db.query<{ objectId: string }>(sql`select "objectId" from ${sql.table(className)}`)
  return rows.map(({ objectId }) => objectId)
}
const queued = { 'X-Countersign-Request-Age': String(30 * 86_400) }

test('a create under an id of the client is the same create, also a week later, for its caller alone', async () => {
  const [ann, bob] = [await server.signUp('ann'), await server.signUp('bob')]
  const objectId = ulid()
  const body = { objectId, text: 'mine', ACL: { [ann.objectId]: { read: true, write: true } } }
  const create = (given: object, options: object) => server.call('POST', '/classes/Note', given, options)
  const [first, again] = await Promise.all([create(body, { token: ann.token }), create(body, { token: ann.token })])
  expect([first.status, again.status]).toEqual([201, 201])
  expect(again.body).toEqual(first.body)
  expect(first.body.objectId).toBe(objectId)
  // Neither another caller nor another document gets anything but the refusal of a taken id.
  const readable = ulid()
  await create({ objectId: readable, text: 'open' }, { token: ann.token })
  const refusals = await Promise.all([
    create(body, { token: bob.token }),
    create(body, {}),
    create({ objectId: readable, text: 'open' }, { token: bob.token }),
    create({ ...body, text: 'other' }, { token: ann.token }),
  ])
  for (const { status, body: refused } of refusals) {
    expect([status, refused]).toEqual([400, expect.objectContaining({ code: 137, error: refusals[0]?.body.error })])
    expect(refused.object).toBeUndefined()
  }
  server.clock.forward(7 * day)
  expect((await create(body, { token: ann.token })).body).toEqual(first.body)
  await server.call('DELETE', `/classes/Note/${objectId}`, undefined, { token: ann.token })
  // A late repeat brings nothing back, and nobody takes the id that others may point to.
  expect((await create(body, { token: ann.token })).body).toEqual(first.body)
  expect((await create({ objectId, text: 'stolen' }, { token: bob.token })).body.code).toBe(137)
  expect(await idsOf('Note')).toEqual([readable])
  server.clock.forward(24 * day)
  expect((await create({ objectId, text: 'stolen' }, { token: bob.token })).body.code).toBe(105)
  server.clock.forward(-31 * day)
})

test('ids of clients need a class that allows them, the right form and a recent time', async () => {
  const { token } = await server.signUp('eve')
  const create = async (className: string, objectId: unknown) =>
    (await server.call('POST', `/classes/${className}`, { objectId, n: 1 }, { token })).body.code
  expect(await create('Other', ulid())).toBe(105)
  for (const id of [
    'short',
    ulid().toLowerCase(),
    `${ulid()}0`,
    ulid(Date.now() - 31 * day),
    ulid(Date.now() + 2 * day),
    `8${ulid().slice(1)}`,
    { $ne: 1 },
  ])
    expect([id, await create('Note', id)]).toEqual([id, 105])
  await server.call(
    'POST',
    '/schemas/Closed',
    { className: 'Closed', classLevelPermissions: { create: {} } },
    { master: true },
  )
  expect(await create('Closed', ulid())).toBe(119)
  expect(await idsOf('Closed')).toEqual([])
})

test('a batch that is cut off continues: each create by its own id, with or without a transaction', async () => {
  const { token } = await server.signUp('batcher')
  for (const transaction of [false, true]) {
    const ids = [ulid(), ulid()]
    const requests = ids.map((objectId) => ({ method: 'POST', path: '/server/classes/Note', body: { objectId, n: 1 } }))
    await server.call('POST', '/classes/Note', requests[0]?.body, { token })
    for (let round = 0; round < 2; round++) {
      const { body, status } = await server.call('POST', '/batch', { requests, transaction }, { token })
      expect([status, body]).toEqual([200, ids.map((objectId) => ({ success: expect.objectContaining({ objectId }) }))])
    }
    expect((await idsOf('Note')).filter((id) => ids.includes(id))).toHaveLength(2)
  }
})

test('a request id lasts as long as the client asks, within the limit of the operator', async () => {
  const { token } = await server.signUp('counter')
  const made = await server.call('POST', '/classes/Other', { n: 0 }, { token })
  const path = `/classes/Other/${made.body.objectId}`
  const add = (id: string, headers: object) =>
    server.call(
      'PUT',
      path,
      { n: { __op: 'Increment', amount: 1 } },
      { token, headers: { 'X-Parse-Request-Id': id, ...headers } },
    )
  const [long, short] = [randomUUID(), randomUUID()]
  expect((await add(long, queued)).body).toMatchObject({ n: 1 })
  expect((await add(short, {})).body.n).toBe(2)
  server.clock.forward(7 * day)
  expect((await add(long, queued)).body).toMatchObject({ n: 1 })
  expect((await add(short, {})).body.n).toBe(3)
  server.clock.forward(24 * day)
  expect((await add(long, queued)).body.n).toBe(4)
  server.clock.forward(-31 * day)
  for (const age of ['-1', '1e9', 'x', '', '9999999999', '1.5']) {
    const answer = await add(randomUUID(), { 'X-Countersign-Request-Age': age })
    expect([age, answer.status]).toEqual([age, 400])
  }
  expect((await server.call('GET', path, undefined, { token })).body.n).toBe(4)
})

test('a guest that was offline repeats from another network by its installation id', async () => {
  const headers = { ...queued, 'X-Parse-Request-Id': randomUUID(), 'X-Parse-Installation-Id': randomUUID() }
  const first = await server.call('POST', '/classes/Other', { text: 'guest' }, { headers })
  expect(first.body).toMatchObject({ objectId: expect.any(String) })
  const again = await server.call('POST', '/classes/Other', { text: 'guest' }, { headers })
  expect(again.body).toEqual(first.body)
  const stranger = { ...headers, 'X-Parse-Installation-Id': randomUUID() }
  const other = await server.call('POST', '/classes/Other', { text: 'guest' }, { headers: stranger })
  expect(other.body.objectId).not.toBe(first.body.objectId)
})

test('ifUpdatedAt: of two writers one is refused with the present object; operations and hooks do not run', async () => {
  const { token } = await server.signUp('writer')
  const made = await server.call('POST', '/classes/Doc', { text: 'a', n: 0 }, { token })
  const path = `/classes/Doc/${made.body.objectId}`
  const ifUpdatedAt = made.body.createdAt
  const write = (text: string) =>
    server.call('PUT', path, { text, n: { __op: 'Increment', amount: 1 }, ifUpdatedAt }, { token })
  const answers = await Promise.all([write('b'), write('c'), write('d'), write('e')])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
  const present = (await server.call('GET', path, undefined, { token })).body
  expect(present.n).toBe(1)
  for (const { status, body } of answers) {
    if (status === 200) continue
    expect(body).toMatchObject({ code: 119, reason: 'objectChanged', object: present })
  }
  expect((await server.call('DELETE', path, { ifUpdatedAt }, { token })).status).toBe(409)
  const requests = [{ method: 'PUT', path: `/server${path}`, body: { text: 'f', ifUpdatedAt } }]
  const batch = await server.call('POST', '/batch', { requests }, { token })
  expect(batch.body).toEqual([{ error: expect.objectContaining({ reason: 'objectChanged', object: present }) }])
  expect((await server.call('PUT', path, { text: 'g', ifUpdatedAt: present.updatedAt }, { token })).status).toBe(200)
  const last = (await server.call('GET', path, undefined, { token })).body
  expect(last).not.toHaveProperty('ifUpdatedAt')
  expect((await server.call('DELETE', path, { ifUpdatedAt: last.updatedAt }, { token })).status).toBe(200)
  expect((await server.call('DELETE', path, { ifUpdatedAt: last.updatedAt }, { token })).status).toBe(404)
  for (const wrong of ['yesterday', 5, null, {}, '2020-01-01', 'x'.repeat(10_000)]) {
    for (const method of ['PUT', 'DELETE']) {
      const answer = await server.call(method, path, { ifUpdatedAt: wrong }, { token })
      expect([method, wrong, answer.status]).toEqual([method, wrong, 400])
    }
  }
})

test('ifUpdatedAt reveals nothing: who may not write finds nothing, who may not read sees no object', async () => {
  const [owner, other] = [await server.signUp('owner'), await server.signUp('other')]
  const ACL = { [owner.objectId]: { read: true, write: true }, [other.objectId]: { write: true } }
  const made = await server.call('POST', '/classes/Doc', { text: 'secret', ACL }, { token: owner.token })
  const path = `/classes/Doc/${made.body.objectId}`
  const stranger = await server.signUp('stranger')
  for (const ifUpdatedAt of [made.body.createdAt, '2020-01-01T00:00:00.000Z']) {
    for (const method of ['PUT', 'DELETE']) {
      const answer = await server.call(method, path, { text: 'x', ifUpdatedAt }, { token: stranger.token })
      expect([answer.status, answer.body.code]).toEqual([404, 101])
    }
  }
  const blind = await server.call(
    'PUT',
    path,
    { text: 'x', ifUpdatedAt: '2020-01-01T00:00:00.000Z' },
    { token: other.token },
  )
  expect([blind.status, blind.body.object]).toEqual([409, undefined])
  const missing = await server.call('PUT', '/classes/NoSuchClass/abc', { ifUpdatedAt: made.body.createdAt }, {})
  expect(missing.status).toBe(404)
  const user = await server.call('PUT', `/classes/_User/${owner.objectId}`, { ifUpdatedAt: made.body.createdAt }, {})
  expect(user.status).toBeGreaterThanOrEqual(400)
  expect(user.status).toBeLessThan(500)
})

test('ifUpdatedAt: of a class that another server dropped a moment ago nothing is found', async () => {
  const { body } = await server.call('POST', '/classes/Passing', { n: 1 })
  // Without the notification that a server sends.
  await server.context.db.query(sql`drop table public."Passing" cascade`)
  await server.context.db.query(sql`delete from countersign.classes where "className" = 'Passing'`)
  const path = `/classes/Passing/${body.objectId}`
  const update = await server.call('PUT', path, { n: 2, ifUpdatedAt: String(body.createdAt) })
  expect([update.status, update.body.code], update.text).toEqual([404, 101])
})
