import { afterEach, beforeAll, expect, test } from 'vitest'
import type { HookEvent, HookHandler } from '../context/Registry.ts'
import { sql } from '../db/sql.ts'
import { type LiveSocket, openLiveSocket } from '../testing/openLiveSocket.ts'
import { serveTests } from '../testing/serveTests.ts'

const opened: LiveSocket[] = []
let ann: { objectId: string; token: string }
let bob: { objectId: string; token: string }
const server = serveTests()
beforeAll(async () => {
  ann = await server.signUp('ann', { email: 'ann@example.com' })
  bob = await server.signUp('bob', { email: 'bob@example.com' })
})
afterEach(() => {
  for (const socket of opened.splice(0)) socket.close()
  server.context.registry.hooks.clear()
})

const master = { master: true }

/** A socket on which the end of what went before can be seen. */
async function open(token?: string, connect: object = {}) {
  const socket = await openLiveSocket(server, { connect: { ...(token && { sessionToken: token }), ...connect } })
  opened.push(socket)
  await socket.subscribe(999, { className: 'Marker' })
  return socket
}

async function make(className: string, fields: object, options: object = master) {
  const { status, body } = await server.call('POST', `/classes/${className}`, fields, options)
  expect(status).toBe(201)
  return body.objectId as string
}
const change = async (className: string, id: string, fields: object) =>
  expect((await server.call('PUT', `/classes/${className}/${id}`, fields, master)).status).toBe(200)

/** Frames received so far, without the markers. */
async function received(socket: LiveSocket, requestId = 1) {
  const id = await make('Marker', {})
  await socket.next((frame) => frame.op === 'create' && frame.object?.objectId === id)
  return socket.frames.filter((frame) => frame.requestId === requestId && frame.op !== 'subscribed')
}

const schema = (className: string, body: object) => server.call('POST', `/schemas/${className}`, body, master)
const permit = (className: string, classLevelPermissions: object) =>
  server.call('PUT', `/schemas/${className}`, { classLevelPermissions }, master)
const everyone = { '*': true }
const pointer = (objectId: string) => ({ __type: 'Pointer', className: '_User', objectId })

test('P6: events of users and sessions contain no token, password or sign-in method, for any subscriber', async () => {
  const sockets = [await open(ann.token), await open(undefined, { masterKey: server.masterKey }), await open()]
  for (const socket of sockets) {
    await socket.subscribe(1, { className: '_User' })
    await socket.subscribe(2, { className: '_Session' }, socket === sockets[2] ? { sessionToken: bob.token } : {})
  }
  const login = await server.call('POST', '/login', { username: 'ann', password: 'ann password' })
  await server.call('PUT', `/users/${ann.objectId}`, { password: 'new', nick: 'A' }, { token: ann.token })
  ann.token = (await server.call('POST', '/login', { username: 'ann', password: 'new' })).body.sessionToken as string
  for (const socket of sockets) {
    // A change of password ended the session of the first.
    if (socket === sockets[0]) await socket.next((frame) => frame.code === 209)
    else await received(socket)
    const text = JSON.stringify(socket.frames)
    expect(text).not.toMatch(/r:[0-9a-f]{20}|sessionToken|"password":|_hash|argon2|authData|token_hash/)
    expect(text).not.toContain(login.body.sessionToken)
  }
  const seen = await received(sockets[1] as LiveSocket)
  expect(seen.find(({ op }) => op === 'update')).toMatchObject({ object: { nick: 'A', email: 'ann@example.com' } })
})

test('P6: users receive only their own sessions, and guests none', async () => {
  const mine = await open(bob.token)
  await mine.subscribe(1, { className: '_Session' })
  expect(await (await open()).subscribe(1, { className: '_Session' })).toMatchObject({ op: 'error', code: 209 })
  await server.call('POST', '/login', { username: 'ann', password: 'new' })
  const { body } = await server.call('POST', '/login', { username: 'bob', password: 'bob password' })
  const events = await received(mine)
  expect(events.map(({ op, object }) => [op, Reflect.get(Object(object?.user), 'objectId')])).toEqual([
    ['create', bob.objectId],
  ])
  expect(JSON.stringify(events)).not.toContain(body.sessionToken)
})

test('P6: no event after the session ended: by log-out, by the owner elsewhere, by its time', async () => {
  const sockets: LiveSocket[] = []
  const sessions: { token: string; id: string }[] = []
  for (let index = 0; index < 3; index++) {
    const { body } = await server.call('POST', '/login', { username: 'bob', password: 'bob password' })
    const token = body.sessionToken as string
    const me = await server.call('GET', '/sessions/me', undefined, { token })
    sessions.push({ token, id: me.body.objectId as string })
    const socket = await openLiveSocket(server)
    opened.push(socket)
    await socket.subscribe(1, { className: 'Paper' }, { sessionToken: token })
    sockets.push(socket)
  }
  const id = await make('Paper', { ACL: { [bob.objectId]: { read: true } } })
  for (const socket of sockets) await socket.next('create')
  const [out, elsewhere, late] = sessions as [
    { token: string; id: string },
    { token: string; id: string },
    { token: string; id: string },
  ]
  await server.call('POST', '/logout', {}, { token: out.token })
  const start = performance.now()
  expect(await sockets[0]?.next('error')).toMatchObject({ code: 209, requestId: 1, reconnect: false })
  expect(performance.now() - start).toBeLessThan(20_000)
  await server.call('DELETE', `/sessions/${elsewhere.id}`, undefined, { token: late.token })
  expect(await sockets[1]?.next('error')).toMatchObject({ code: 209 })
  const ends = { __type: 'Date', iso: new Date(server.clock.now().getTime() - 1000).toISOString() }
  await server.database.db.query(
    sql`update "_Session" set "expiresAt" = ${new Date(ends.iso)} where "objectId" = ${late.id}`,
  )
  expect(await sockets[2]?.next('error')).toMatchObject({ code: 209 })
  await change('Paper', id, { secret: 1 })
  const marks = await open()
  await received(marks)
  for (const socket of sockets) expect(socket.frames.filter(({ op }) => op === 'update')).toEqual([])
  // The query of a session that is over is refused.
  expect(await (await open()).subscribe(1, { className: 'Paper' }, { sessionToken: out.token })).toMatchObject({
    op: 'error',
    code: 209,
  })
})

test('P6: the roles at the time of the event count, also those held through other roles', async () => {
  const users = (__op: string) => ({ users: { __op, objects: [pointer(bob.objectId)] } })
  const inner = await server.call('POST', '/roles', { name: 'inner', ACL: {}, ...users('AddRelation') }, master)
  const roles = {
    __op: 'AddRelation',
    objects: [{ __type: 'Pointer', className: '_Role', objectId: inner.body.objectId }],
  }
  await server.call('POST', '/roles', { name: 'outer', ACL: {}, roles }, master)
  const socket = await open(bob.token)
  await socket.subscribe(1, { className: 'Plan' })
  const id = await make('Plan', { n: 0, ACL: { 'role:outer': { read: true } } })
  await change('Plan', id, { n: 1 })
  for (let round = 2; round < 8; round += 2) {
    // Pending events are checked with the roles at that time.
    await received(socket)
    await server.call('PUT', `/roles/${inner.body.objectId}`, users('RemoveRelation'), master)
    await change('Plan', id, { n: round })
    await received(socket)
    await server.call('PUT', `/roles/${inner.body.objectId}`, users('AddRelation'), master)
    await change('Plan', id, { n: round + 1 })
  }
  const events = await received(socket)
  expect(events.map(({ op, object }) => [op, object?.n])).toEqual([
    ['create', 0],
    ['update', 1],
    ['update', 3],
    ['update', 5],
    ['update', 7],
  ])
})

test('P6: the access list decides before and after: what may no longer be read is not sent on leaving', async () => {
  const socket = await open(bob.token)
  await socket.subscribe(1, { className: 'Letter' })
  const id = await make('Letter', { text: 'hidden', ACL: {} })
  await change('Letter', id, { text: 'open', ACL: { [bob.objectId]: { read: true } } })
  await change('Letter', id, { text: 'secret', ACL: {} })
  await change('Letter', id, { text: 'more secret' })
  await server.call('DELETE', `/classes/Letter/${id}`, undefined, master)
  const events = await received(socket)
  expect(events.map(({ op }) => op)).toEqual(['enter', 'leave'])
  expect(events[0]).toMatchObject({ object: { text: 'open' } })
  expect(events[0]).not.toHaveProperty('original')
  expect(events[1]).toMatchObject({ object: { text: 'open' }, original: { text: 'open' } })
  expect(JSON.stringify(events)).not.toMatch(/secret|hidden/)
})

test('P6: protected fields are in no event, and no condition or watch can be built on them', async () => {
  await schema('Patient', {
    fields: { name: { type: 'String' }, illness: { type: 'String' }, owner: { type: 'Pointer', targetClass: '_User' } },
    classLevelPermissions: {
      find: everyone,
      get: everyone,
      create: everyone,
      update: everyone,
      protectedFields: { '*': ['illness'], 'userField:owner': [] },
    },
  })
  const [guest, owner, chief] = [
    await open(),
    await open(bob.token),
    await open(undefined, { masterKey: server.masterKey }),
  ]
  for (const socket of [guest, owner, chief]) await socket.subscribe(1, { className: 'Patient' })
  const id = await make('Patient', { name: 'p', illness: 'x', owner: pointer(bob.objectId) })
  await change('Patient', id, { illness: 'y' })
  for (const event of await received(guest)) {
    expect(event.object).not.toHaveProperty('illness')
    expect(event.original ?? {}).not.toHaveProperty('illness')
  }
  expect((await received(owner)).map(({ object }) => object?.illness)).toEqual(['x', 'y'])
  expect((await received(chief)).map(({ object }) => object?.illness)).toEqual(['x', 'y'])
  const oracles = [
    { where: { illness: 'x' } },
    { where: { illness: { $regex: '^x' } } },
    { where: { $or: [{ name: 'a' }, { $and: [{ illness: 'x' }] }] } },
    { where: { $nor: [{ illness: 'x' }] } },
    { where: { 'illness.a': 'x' } },
    { watch: ['illness'] },
    { watch: ['illness.part'] },
  ]
  for (const oracle of oracles) {
    expect(await guest.subscribe(5, { className: 'Patient', ...oracle })).toMatchObject({ op: 'error', code: 119 })
  }
  // An object in the place of the list of alternatives.
  const arrayLike = { $or: { 0: { illness: 'x' }, length: 1 } }
  expect(await guest.subscribe(5, { className: 'Patient', where: arrayLike })).toMatchObject({ op: 'error', code: 102 })
  // A class hidden later ends the queries about it.
  expect(await guest.subscribe(6, { className: 'Patient', where: { name: 'p' } })).toMatchObject({ op: 'subscribed' })
  await permit('Patient', { find: everyone, get: everyone, protectedFields: { '*': ['illness', 'name'] } })
  await change('Patient', id, { illness: 'z' })
  expect((await received(guest, 6)).map(({ op, code }) => [op, code])).toEqual([['error', 119]])
})

test('P6: class permissions count at the subscription and for every event', async () => {
  await schema('Vault', { classLevelPermissions: { find: { [ann.objectId]: true }, get: {}, create: everyone } })
  const [a, b] = [await open(ann.token), await open(bob.token)]
  expect(await a.subscribe(1, { className: 'Vault' })).toMatchObject({ op: 'subscribed' })
  expect(await b.subscribe(1, { className: 'Vault' })).toMatchObject({ op: 'error', code: 119 })
  expect(await a.subscribe(2, { className: 'Vault', where: { objectId: 'one' } })).toMatchObject({
    op: 'error',
    code: 119,
  })
  await permit('Vault', { find: { requiresAuthentication: true } })
  expect(await (await open()).subscribe(1, { className: 'Vault' })).toMatchObject({ op: 'error', code: 101 })
  expect(await b.subscribe(3, { className: 'Vault' })).toMatchObject({ op: 'subscribed' })
  await make('Vault', { n: 1 })
  await b.next(({ object }) => object?.n === 1)
  await permit('Vault', { find: { [ann.objectId]: true } })
  await make('Vault', { n: 2 })
  expect((await received(a)).map(({ object }) => object?.n)).toEqual([1, 2])
  expect((await received(b, 3)).map(({ op, code }) => [op, code])).toEqual([
    ['create', undefined],
    ['error', 119],
  ])
})

test('P6: pointer permissions count for every event', async () => {
  await schema('Task', {
    fields: { owner: { type: 'Pointer', targetClass: '_User' }, helpers: { type: 'Array' }, n: { type: 'Number' } },
    classLevelPermissions: {
      find: { pointerFields: ['owner', 'helpers'] },
      get: { pointerFields: ['owner', 'helpers'] },
      create: everyone,
    },
  })
  const sockets = [await open(ann.token), await open(bob.token), await open()]
  for (const socket of sockets) await socket.subscribe(1, { className: 'Task' })
  const id = await make('Task', { n: 1, owner: pointer(ann.objectId) })
  await change('Task', id, { n: 2, helpers: [pointer(bob.objectId)] })
  await change('Task', id, { n: 3, owner: pointer(bob.objectId), helpers: [] })
  const events = await Promise.all(sockets.map((socket) => received(socket)))
  expect(events.map((list) => list.map(({ op, object }) => [op, object?.n]))).toEqual([
    [
      ['create', 1],
      ['update', 2],
      ['leave', 2],
    ],
    [
      ['enter', 2],
      ['update', 3],
    ],
    [],
  ])
})

test('P6: the caller is complete: user, roles and installation, the query’s token before the socket’s', async () => {
  const objects = [pointer(ann.objectId)]
  await server.call('POST', '/roles', { name: 'crew', ACL: {}, users: { __op: 'AddRelation', objects } }, master)
  await schema('Ship', { classLevelPermissions: { find: { 'role:crew': true }, get: { 'role:crew': true } } })
  const callers: HookEvent['caller'][] = []
  const keep: HookHandler = async ({ caller }) => {
    callers.push(caller)
    return undefined
  }
  server.context.registry.hooks.set('beforeSubscribe Ship', [keep])
  server.context.registry.hooks.set('afterLiveQueryEvent Ship', [keep])
  const socket = await open(bob.token, { installationId: 'device' })
  expect(await socket.subscribe(1, { className: 'Ship' })).toMatchObject({ op: 'error', code: 119 })
  expect(await socket.subscribe(1, { className: 'Ship' }, { sessionToken: ann.token })).toMatchObject({
    op: 'subscribed',
  })
  await make('Ship', { n: 1 })
  expect((await received(socket)).map(({ op }) => op)).toEqual(['error', 'create'])
  expect(callers.map(({ user, installationId }) => [user?.objectId, installationId])).toEqual([
    [bob.objectId, 'device'],
    [ann.objectId, 'device'],
    [ann.objectId, 'device'],
  ])
})

test('P6: hooks get copies of their own, may change or withhold each event, and cannot uncover what is hidden', async () => {
  await schema('News', {
    fields: { text: { type: 'String' }, source: { type: 'String' } },
    classLevelPermissions: { find: everyone, get: everyone, create: everyone, protectedFields: { '*': ['source'] } },
  })
  const seen: unknown[] = []
  server.context.registry.hooks.set('afterLiveQueryEvent News', [
    async ({ object, caller, event }) => {
      seen.push([event, object?.source, object?.mine])
      if (object) Object.assign(object, { mine: caller.user?.username ?? 'guest' })
      if (caller.user?.username === 'ann') return { sendEvent: false }
      return caller.user ? { event: 'enter', ...(object && { object }) } : undefined
    },
  ])
  const [a, b, guest, other] = [await open(ann.token), await open(bob.token), await open(), await open()]
  for (const socket of [a, b, guest, other]) await socket.subscribe(1, { className: 'News' })
  await make('News', { text: 't', source: 'secret' })
  expect(await received(a)).toEqual([])
  expect(await received(b)).toMatchObject([{ op: 'enter', object: { text: 't', mine: 'bob', className: 'News' } }])
  for (const socket of [guest, other]) {
    const [event] = await received(socket)
    expect(event?.object).toMatchObject({ text: 't' })
    expect(event?.object).not.toHaveProperty('mine')
  }
  for (const socket of [b, guest, other]) expect(JSON.stringify(socket.frames)).not.toContain('secret')
  // No hook saw the changes of another caller's hook.
  expect(seen).toEqual(Array(4).fill(['create', 'secret', undefined]))
})

test('a slow hook delays only its own subscribers, and keeps their order', async () => {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  server.context.registry.hooks.set('afterLiveQueryEvent Tardy', [
    async ({ object }) => {
      if (object?.n === 1) await held
      return undefined
    },
  ])
  const [tardy, prompt, positioned] = [await open(), await open(), await open(undefined, { features: ['positions'] })]
  for (const socket of [tardy, positioned]) await socket.subscribe(1, { className: 'Tardy' })
  for (const n of [1, 2]) await make('Tardy', { n })
  // In the log behind those, and received before them.
  expect(await received(prompt)).toEqual([])
  await make('Tardy', { n: 3 })
  expect(tardy.frames.filter(({ op }) => op === 'create').map(({ object }) => object?.n)).toEqual([undefined])
  release()
  for (const socket of [tardy, positioned]) {
    await socket.next(({ object }) => object?.n === 3)
    const events = socket.frames.filter(({ requestId, op }) => requestId === 1 && op === 'create')
    expect(events.map(({ object }) => object?.n)).toEqual([1, 2, 3])
  }
})

test('hooks may refuse a connection, refuse a query and ask another', async () => {
  const { hooks } = server.context.registry
  hooks.set('beforeSubscribe Quote', [
    async ({ query, caller }) => {
      if (!caller.user) throw Object.assign(new Error('no guests'), { code: 141 })
      return { query: { ...query, where: { owner: caller.user.objectId ?? '' }, keys: 'text,owner' } }
    },
  ])
  const socket = await open(bob.token)
  expect(await socket.subscribe(1, { className: 'Quote' })).toMatchObject({ op: 'subscribed' })
  await make('Quote', { owner: 'another', text: 'a', more: 1 })
  await make('Quote', { owner: bob.objectId, text: 'b', more: 1 })
  const events = await received(socket)
  expect(events).toHaveLength(1)
  expect(events[0]).toMatchObject({ object: { text: 'b' } })
  expect(events[0]?.object).not.toHaveProperty('more')
  expect(await (await open()).subscribe(1, { className: 'Quote' })).toMatchObject({ op: 'error', requestId: 1 })
  hooks.set('beforeConnect @Connect', [
    async ({ caller }) => {
      if (!caller.user) throw new Error('not you')
      return undefined
    },
  ])
  const refused = await openLiveSocket(server)
  expect(refused.frames[0]).toMatchObject({ op: 'error' })
  expect(await refused.closed).toBe(1008)
  expect((await open(bob.token)).frames[0]).toMatchObject({ op: 'connected' })
  // The hook is asked first, also with a token that is not valid, and gets it as it was sent.
  const tokens: unknown[] = []
  hooks.set('beforeConnect @Connect', [
    async ({ caller, sessionToken }) => {
      tokens.push([sessionToken, caller.user?.objectId])
      if (!caller.user) throw new Error('not you')
      return undefined
    },
  ])
  const stale = await openLiveSocket(server, { connect: { sessionToken: 'r:00000000000000000000000000000000' } })
  expect(stale.frames[0]).toMatchObject({ op: 'error' })
  await open(bob.token)
  expect(tokens).toEqual([
    ['r:00000000000000000000000000000000', undefined],
    [bob.token, bob.objectId],
  ])
})

test('P6: a second query of the same number takes the place of the first', async () => {
  const socket = await open()
  await socket.subscribe(1, { className: 'Ad', where: { n: 1 } })
  await socket.subscribe(1, { className: 'Ad', where: { n: 2 } })
  await make('Ad', { n: 1 })
  await make('Ad', { n: 2 })
  expect((await received(socket)).map(({ object }) => object?.n)).toEqual([2])
  socket.send({ op: 'unsubscribe', requestId: 1 })
  await socket.next('unsubscribed')
  await make('Ad', { n: 1 })
  await make('Ad', { n: 2 })
  expect((await received(socket)).map(({ op }) => op)).toEqual(['create', 'unsubscribed'])
})

test('P6: a pattern that is slow elsewhere is decided at once, and one that is too long is refused', async () => {
  const socket = await open()
  expect(await socket.subscribe(1, { className: 'Word', where: { text: { $regex: '^(a+)+$' } } })).toMatchObject({
    op: 'subscribed',
  })
  const start = performance.now()
  await make('Word', sql`${sql.raw('a'.repeat(5000))}b`)
  await make('Word', { text: 'aaa' })
  expect((await received(socket)).map(({ object }) => object?.text)).toEqual(['aaa'])
  expect(performance.now() - start).toBeLessThan(60_000)
  expect(await socket.subscribe(2, { className: 'Word', where: { text: { $regex: 'a'.repeat(2000) } } })).toMatchObject(
    {
      op: 'error',
      code: 102,
    },
  )
})

test('P6: many patterns of one socket cost a change only so much; those that miss it are asked to query again', async () => {
  const [greedy, modest] = [await open(undefined, { features: ['positions'] }), await open()]
  for (let id = 1; id <= 12; id++) {
    const where = { text: { $regex: `(a|b|${id}){0,255}x` } }
    expect(await greedy.subscribe(id, { className: 'Essay', where })).toMatchObject({ op: 'subscribed' })
  }
  await modest.subscribe(1, { className: 'Essay', where: { text: { $regex: '^a+x?$' } } })
  await make('Essay', { text: 'a'.repeat(1000) })
  expect((await received(modest)).map(({ op }) => op)).toEqual(['create'])
  await received(greedy)
  const resyncs = greedy.frames.filter(({ op }) => op === 'resync')
  expect(resyncs.length).toBeGreaterThan(6)
  expect(resyncs.length).toBeLessThan(12)
  expect(resyncs[0]).toMatchObject({ requestId: expect.any(Number), position: expect.any(String) })
})

test('P6: deep and large conditions are refused', async () => {
  const socket = await open()
  let deep: object = { a: 1 }
  for (let level = 0; level < 40; level++) deep = { $or: [deep, { b: level }] }
  expect(await socket.subscribe(1, { className: 'Deep', where: deep })).toMatchObject({ op: 'error', code: 102 })
  const many = { $or: Array.from({ length: 1000 }, (_, n) => ({ a: n })) }
  expect(await socket.subscribe(2, { className: 'Deep', where: many })).toMatchObject({ op: 'error', code: 102 })
  const text = `{"op":"subscribe","requestId":3,"query":{"className":"Deep","where":${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}}}`
  socket.send(text)
  expect(await socket.next((frame) => frame.op === 'error')).toMatchObject({ op: 'error' })
  expect(await socket.subscribe(4, { className: 'Deep' })).toMatchObject({ op: 'subscribed' })
})

test('S26: a confirmation closes the sockets of the former token, and its client continues with the new one', async () => {
  await schema('Secret', { className: 'Secret', classLevelPermissions: { find: everyone, get: everyone } })
  const eve = await server.signUp('eve')
  const acl = { [eve.objectId]: { read: true } }
  const copied = await open(eve.token, { features: ['positions'] })
  const subscribed = await copied.subscribe(1, { className: 'Secret' })
  const first = await make('Secret', { ACL: acl })
  const seen = await copied.next((frame) => frame.op === 'create' && frame.requestId === 1)
  expect(seen.object?.objectId).toBe(first)

  const confirmed = await server.call(
    'POST',
    '/auth/reauthenticate',
    { password: 'eve password' },
    { token: eve.token },
  )
  expect(confirmed.status, confirmed.text).toBe(200)
  expect(await copied.closed).toBe(1012)
  const second = await make('Secret', { ACL: acl })
  expect(copied.frames.some((frame) => frame.object?.objectId === second)).toBe(false)

  // The former token works for requests under way, and opens no subscription.
  const again = await open(undefined, { features: ['positions'] })
  again.send({ op: 'subscribe', requestId: 1, query: { className: 'Secret' }, sessionToken: eve.token })
  const refused = await Promise.race([again.closed, again.next((frame) => frame.requestId === 1)])
  expect(refused === 1012 || (refused as { op: string }).op === 'error', JSON.stringify(refused)).toBe(true)

  const own = await open(String(confirmed.body.sessionToken), { features: ['positions'] })
  await own.subscribe(1, { className: 'Secret' }, { from: seen.position ?? subscribed.position })
  const resumed = await own.next((frame) => frame.op === 'create' && frame.requestId === 1)
  expect(resumed.object?.objectId).toBe(second)
})
