import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestServer, type TestServer } from '../testing/createTestServer.ts'

type User = { objectId: string; token: string }

const master = { master: true }
const all = { '*': true }
const open = { find: all, get: all, count: all, create: all, update: all, delete: all, addField: all }

let device = 0
const newDevice = (fields: object = {}) => ({ installationId: `device-${++device}`, deviceType: 'web', ...fields })

async function fieldsOf(server: TestServer, className: string): Promise<string[]> {
  const { body } = await server.call('GET', `/schemas/${className}`, undefined, master)
  return Object.keys(body.fields as object)
}

const sessionOf = async (server: TestServer, { token }: User) =>
  `/sessions/${(await server.call('GET', '/sessions/me', undefined, { token })).body.objectId}`

describe('SEC-15: in production new fields of system classes are the operator’s', () => {
  let server: TestServer
  let ann: User
  beforeAll(async () => {
    server = await createTestServer({ production: true, publicUrl: 'https://app.example' })
    ann = await server.signUp('ann')
    await server.call('POST', '/installations', newDevice(), master)
    await server.call('POST', '/roles', { name: 'club', ACL: { '*': { read: true, write: true } } }, master)
  })
  afterAll(() => server.stop())

  /** Each form in which a client may write to a class of the server's own, with a field that it lacks. */
  async function tryAll(name: string): Promise<string[]> {
    const own = { token: ann.token }
    const field = { [name]: 1 }
    const session = await sessionOf(server, ann)
    const role = (await server.call('GET', '/roles?where={"name":"club"}', undefined, master)).body.results as User[]
    const made = await server.call('POST', '/installations', newDevice(), own)
    const anonymous = { authData: { anonymous: { id: `${name}-1234-5678` } } }
    const user = `/users/${ann.objectId}`
    const answers = [
      await server.call('PUT', user, field, own),
      await server.call('PUT', user.replace('/users', '/classes/_User'), field, own),
      await server.call('PUT', user, { [`${name}.inner`]: 1 }, own),
      await server.call('PUT', user, { [name]: { __op: 'Increment', amount: 1 } }, own),
      await server.call('PUT', user, { ...field, authData: { moralisEth: null } }, own),
      await server.call('POST', '/users', { username: name, password: name, ...field }),
      await server.call('POST', '/classes/_User', { username: name, password: name, ...field }),
      await server.call('POST', '/users', { ...anonymous, ...field }),
      await server.call('PUT', session, field, own),
      await server.call('PUT', session.replace('/sessions', '/classes/_Session'), field, own),
      await server.call('PUT', '/sessions/nosuch', field, own),
      await server.call('PUT', `/roles/${role[0]?.objectId}`, field, own),
      await server.call('POST', '/installations', newDevice(field), own),
      await server.call('POST', '/installations', newDevice(field)),
      await server.call('PUT', `/installations/${made.body.objectId}`, field, own),
      await server.call('POST', '/functions/writeSelf', { name }, own),
    ]
    return answers.map(({ status, body }) => `${status}/${body.code}`)
  }

  test('no client adds one, by no path', async () => {
    server.context.registry.functions.set('writeSelf', {
      async run({ params, caller, limit }) {
        const { runObjectStep } = await import('../functions/createObjects.ts')
        const { callerOf } = await import('../context/codeCaller.ts')
        return runObjectStep(server.context, callerOf(caller), limit, {
          method: 'update',
          className: '_User',
          objectId: ann.objectId,
          input: { [String(params.name)]: 1 },
        })
      },
    })
    const before = await Promise.all(['_User', '_Session', '_Role', '_Installation'].map((n) => fieldsOf(server, n)))
    const answers = await tryAll('invented')
    expect(answers.map((answer) => answer.replace(/^\d+/, ''))).toEqual(answers.map(() => '/119'))
    const after = await Promise.all(['_User', '_Session', '_Role', '_Installation'].map((n) => fieldsOf(server, n)))
    expect(after).toEqual(before)
    // A refused sign-up leaves no user behind.
    const { body } = await server.call('GET', '/users?count=1&limit=0', undefined, master)
    expect(body.count).toBe(1)
  })

  test('existing fields are written as before, and so is a null for a missing one', async () => {
    await server.call('PUT', '/schemas/_User', { fields: { nick: { type: 'String' } } }, master)
    const path = `/users/${ann.objectId}`
    const answer = await server.call('PUT', path, { nick: 'Annie', unknown: null }, { token: ann.token })
    expect(answer.status).toBe(200)
    const ignored = { createdAt: 'x', updatedAt: 'x', sessionToken: 'x', objectId: ann.objectId, ethAddress: 'x' }
    expect((await server.call('PUT', path, ignored, { token: ann.token })).status).toBe(200)
    const made = await server.call('POST', '/users', { username: 'nicked', password: 'p', nick: 'N' })
    expect(made.status).toBe(201)
  })

  test('the fields of our own web application are made when they are first written, and as nothing else', async () => {
    const own = { token: ann.token }
    const path = `/users/${ann.objectId}`
    const avatar = { __type: 'File', name: 'face.png', url: 'https://files.example/face.png' }
    expect((await server.call('PUT', path, { avatar: 'text' }, own)).body.code).toBe(119)
    expect((await server.call('PUT', path, { language: { a: 1 } }, own)).body.code).toBe(119)
    expect((await server.call('PUT', path, { language: 'de', other: 1 }, own)).body.code).toBe(119)
    expect((await server.call('PUT', path, { language: 'de' }, own)).status).toBe(200)
    expect((await server.call('PUT', path, { avatar }, own)).status).toBe(200)
    const session = await sessionOf(server, ann)
    expect((await server.call('PUT', session, { language: 'de' }, own)).body.code).toBe(119)
  })

  test('the class permission opens it to those it names, and `*` names nobody', async () => {
    const path = `/users/${ann.objectId}`
    const add = (name: string) => server.call('PUT', path, { [name]: 1 }, { token: ann.token })
    const allow = (addField: object) =>
      server.call('PUT', '/schemas/_User', { classLevelPermissions: { ...open, addField } }, master)
    await allow(all)
    expect((await add('one')).body.code).toBe(119)
    await allow({ requiresAuthentication: true })
    expect((await add('two')).status).toBe(200)
    await allow({ [ann.objectId]: true })
    expect((await add('three')).status).toBe(200)
    await allow({})
    expect((await add('four')).body.code).toBe(119)
    expect((await server.call('PUT', path, { five: 1 }, master)).status).toBe(200)
  })

  test('a hook may add what a client may not: it is the operator’s', async () => {
    const hooks = server.context.registry.hooks
    hooks.set('beforeSave _User', [async () => ({ object: { seenByHook: true } })])
    try {
      const answer = await server.call('PUT', `/users/${ann.objectId}`, { nick: 'A' }, { token: ann.token })
      expect([answer.status, (await fieldsOf(server, '_User')).includes('seenByHook')]).toEqual([200, true])
    } finally {
      hooks.clear()
    }
  })
})

describe('SEC-15: in development clients add fields to system classes, and leave room for the operator', () => {
  let server: TestServer
  let ann: User
  beforeAll(async () => {
    server = await createTestServer()
    ann = await server.signUp('ann')
  })
  afterAll(() => server.stop())

  const many = (prefix: string, count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`${prefix}${index}`, 1]))

  test('one user cannot fill a class, not by many requests at once either', async () => {
    const own = { token: ann.token }
    await server.call('POST', '/installations', newDevice(), own)
    const session = await sessionOf(server, ann)
    const first = await server.call('PUT', `/users/${ann.objectId}`, { nick: 'A' }, own)
    expect(first.status).toBe(200)
    await Promise.all(
      ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].flatMap((prefix) => [
        server.call('PUT', `/users/${ann.objectId}`, many(prefix, 60), own),
        server.call('PUT', session, many(prefix, 60), own),
        server.call('POST', '/installations', newDevice(many(prefix, 60)), own),
        server.call('POST', '/users', { username: `new ${prefix}`, password: 'p', ...many(`n${prefix}`, 60) }),
      ]),
    )
    for (const className of ['_User', '_Session', '_Installation']) {
      const { length } = await fieldsOf(server, className)
      expect(length).toBeGreaterThan(60)
      expect(length).toBeLessThanOrEqual(110)
    }
    const refused = await server.call('PUT', `/users/${ann.objectId}`, many('z', 60), own)
    expect([refused.status, refused.body.code]).toEqual([400, 140])
    expect((await server.call('PUT', `/users/${ann.objectId}`, many('m', 60), master)).status).toBe(200)
  })
})

describe('SEC-15: sessions heed the permissions and the hidden fields of their class', () => {
  let server: TestServer
  let ann: User
  beforeAll(async () => {
    server = await createTestServer()
    ann = await server.signUp('ann')
    await server.call('PUT', '/schemas/_Session', { fields: { level: { type: 'Number' } } }, master)
  })
  afterAll(() => server.stop())

  const allow = (more: object) =>
    server.call('PUT', '/schemas/_Session', { classLevelPermissions: { ...open, ...more } }, master)

  test('updating, adding fields and creating need permission', async () => {
    const own = { token: ann.token }
    const session = await sessionOf(server, ann)
    const alias = session.replace('/sessions', '/classes/_Session')
    await allow({ update: {} })
    for (const path of [session, alias]) expect((await server.call('PUT', path, { level: 9 }, own)).body.code).toBe(119)
    expect((await server.call('PUT', session, { level: 1 }, master)).status).toBe(200)
    await allow({ addField: {} })
    expect((await server.call('PUT', session, { level: 2 }, own)).status).toBe(200)
    expect((await server.call('PUT', session, { fresh: 2 }, own)).body.code).toBe(119)
    await allow({ create: {} })
    for (const path of ['/sessions', '/classes/_Session']) {
      expect((await server.call('POST', path, {}, own)).body.code).toBe(119)
    }
    // Ending a session is always allowed.
    await allow({ delete: {} })
    const other = (await server.call('POST', '/loginAs', { userId: ann.objectId }, master)).body.sessionToken as string
    const ended = await server.call('DELETE', await sessionOf(server, { ...ann, token: other }), undefined, own)
    expect(ended.status).toBe(200)
    await allow({})
  })

  test('hidden fields are in no response, and no operation shows them', async () => {
    const own = { token: ann.token }
    const session = await sessionOf(server, ann)
    await server.call('PUT', session, { level: 77 }, master)
    await allow({ protectedFields: { '*': ['level'] } })
    const answers = [
      await server.call('GET', '/sessions', undefined, own),
      await server.call('GET', session, undefined, own),
      await server.call('GET', '/sessions/me', undefined, own),
      await server.call('POST', '/upgradeToRevocableSession', {}, own),
      await server.call('PUT', session, { level: { __op: 'Increment', amount: 0 } }, own),
    ]
    for (const { status, text } of answers) expect([status, text.includes('level')]).toEqual([200, false])
    expect((await server.call('GET', session, undefined, master)).body.level).toBe(77)
  })
})
