import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestServer, type TestServer } from '../testing/createTestServer.ts'

type User = { objectId: string; token: string }

const master = { master: true }
const all = { '*': true }
const own = (user: User) => ({ [user.objectId]: { read: true, write: true } })
const holding = (user: User) => ({
  users: { __op: 'AddRelation', objects: [{ __type: 'Pointer', className: '_User', objectId: user.objectId }] },
})

describe('SEC-12: in production roles are the operator’s', () => {
  let server: TestServer
  let ann: User
  beforeAll(async () => {
    server = await createTestServer({ production: true, publicUrl: 'https://app.example' })
    ann = await server.signUp('ann')
  })
  afterAll(() => server.stop())

  const create = (name: string, options: object, path = '/roles') =>
    server.call('POST', path, { name, ACL: own(ann), ...holding(ann) }, options)
  const allow = (create: object) => {
    const classLevelPermissions = { find: all, get: all, update: all, delete: all, create }
    return server.call('PUT', '/schemas/_Role', { classLevelPermissions }, master)
  }

  test('a user makes no role, by no path, though a list named it before it was there', async () => {
    const ACL = { 'role:admin': { read: true, write: true } }
    const { body } = await server.call('POST', '/classes/Secret', { ACL }, master)
    const read = () => server.call('GET', `/classes/Secret/${body.objectId}`, undefined, { token: ann.token })
    for (const path of ['/roles', '/classes/_Role', '/classes/%5FRole']) {
      const answer = await create('admin', { token: ann.token }, path)
      expect([answer.status, answer.body.code]).toEqual([400, 119])
      expect((await create('admin', {}, path)).body.code).toBe(119)
    }
    for (const transaction of [false, true]) {
      const requests = [{ method: 'POST', path: '/server/roles', body: { name: 'admin', ACL: {}, ...holding(ann) } }]
      const answer = await server.call('POST', '/batch', { requests, transaction }, { token: ann.token })
      expect(answer.text).toContain('119')
    }
    expect((await read()).status).toBe(404)
    expect((await create('admin', master)).status).toBe(201)
    expect((await read()).status).toBe(200)
  })

  test('the class permission opens it to those it names, and `*` names nobody', async () => {
    const bob = await server.signUp('bob')
    // The default that every schema shows is not the operator's decision.
    await allow(all)
    expect((await create('by all', { token: ann.token })).body.code).toBe(119)
    await allow({ [ann.objectId]: true })
    expect((await create('by ann', { token: ann.token })).status).toBe(201)
    expect((await create('by bob', { token: bob.token })).body.code).toBe(119)
    await allow({ requiresAuthentication: true })
    expect((await create('by bob', { token: bob.token })).status).toBe(201)
    expect((await create('by guest', {})).body.code).toBe(101)
    await server.call('POST', '/roles', { name: 'makers', ACL: {}, ...holding(bob) }, master)
    await allow({ 'role:makers': true })
    expect((await create('by maker', { token: bob.token })).status).toBe(201)
    expect((await create('by other', { token: ann.token })).body.code).toBe(119)
    await allow({})
    expect((await create('by nobody', { token: bob.token })).body.code).toBe(119)
    expect((await create('by the operator', master)).status).toBe(201)
  })
})

test('SEC-12: a setting opens roles to clients in production, as they are in development', async () => {
  const server = await createTestServer({
    production: true,
    publicUrl: 'https://app.example',
    allowClientRoleCreation: true,
  })
  try {
    const ann = await server.signUp('ann')
    const answer = await server.call('POST', '/roles', { name: 'club', ACL: own(ann) }, { token: ann.token })
    expect(answer.status).toBe(201)
  } finally {
    await server.stop()
  }
})

describe('SEC-12: a name that gave rights is not given again', () => {
  let server: TestServer
  let ann: User
  let eve: User
  beforeAll(async () => {
    server = await createTestServer()
    ann = await server.signUp('ann')
    eve = await server.signUp('eve')
  })
  afterAll(() => server.stop())

  const create = (name: string, options: object) =>
    server.call('POST', '/roles', { name, ACL: own(ann), ...holding(eve) }, options)
  const makeSecret = async (name: string) => {
    const ACL = { [`role:${name}`]: { read: true } }
    return `/classes/Secret/${(await server.call('POST', '/classes/Secret', { ACL }, master)).body.objectId}`
  }
  const reads = async (path: string) => (await server.call('GET', path, undefined, { token: eve.token })).status === 200

  test.each([
    ['deleted by its owner', (id: string) => server.call('DELETE', `/roles/${id}`, undefined, { token: ann.token })],
    ['deleted by the operator', (id: string) => server.call('DELETE', `/classes/_Role/${id}`, undefined, master)],
    ['renamed', (id: string) => server.call('PUT', `/roles/${id}`, { name: `renamed ${id}` }, master)],
    ['purged', () => server.call('DELETE', '/purge/_Role', undefined, master)],
  ])('%s: clients cannot make it again, the master key can', async (how, leave) => {
    const name = `staff ${how}`
    const secret = await makeSecret(name)
    const made = await server.call('POST', '/roles', { name, ACL: own(ann) }, { token: ann.token })
    expect((await leave(made.body.objectId as string)).status).toBe(200)
    for (const options of [{ token: eve.token }, { token: ann.token }, {}]) {
      const answer = await create(name, options)
      expect([answer.status, answer.body.code]).toEqual([400, 119])
      expect(answer.body.error).toContain('access lists may still contain it')
    }
    expect(await reads(secret)).toBe(false)
    expect((await create(name, master)).status).toBe(201)
    expect(await reads(secret)).toBe(true)
  })

  test('while a role is being deleted its name stays taken', async () => {
    for (let round = 0; round < 5; round++) {
      const name = `race ${round}`
      const made = await server.call('POST', '/roles', { name, ACL: own(ann) }, { token: ann.token })
      const gone = server.call('DELETE', `/roles/${made.body.objectId}`, undefined, { token: ann.token })
      const tries = await Promise.all([...Array(8)].map(() => create(name, { token: eve.token })))
      expect((await gone).status).toBe(200)
      for (const { body } of tries) expect([119, 137]).toContain(body.code)
    }
  })

  test('a name that permissions of a class or hidden fields go by is not for clients, though no role had it', async () => {
    const fields = { pay: { type: 'Number' } }
    const hidden = { '*': ['pay'], 'role:payers': [] }
    const classLevelPermissions = { find: { 'role:finders': true }, get: all, protectedFields: hidden }
    const schema = await server.call('POST', '/schemas/Wage', { fields, classLevelPermissions }, master)
    expect(schema.status).toBe(200)
    for (const name of ['finders', 'payers']) {
      const answer = await create(name, { token: eve.token })
      expect(answer.body).toMatchObject({ code: 119, error: expect.stringContaining('Wage') })
      expect((await create(name, master)).status).toBe(201)
    }
  })

  test.each([' admin', 'admin ', ' '])('%j looks like another name and is refused', async (name) => {
    expect((await create(name, { token: eve.token })).body.code).toBe(139)
  })
})
