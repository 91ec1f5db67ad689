import { randomUUID } from 'node:crypto'
import Parse from 'parse/node'
import { beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../db/sql.ts'
import { createTestServer } from '../../testing/createTestServer.ts'
import { serveTests } from '../../testing/serveTests.ts'

const server = serveTests()
beforeAll(async () => {
  // The package's types for Node leave its first function out.
  const { initialize } = Parse as unknown as { initialize(appId: string): void }
  initialize(server.appId)
  Parse.serverURL = server.serverUrl
  Parse.User.enableUnsafeCurrentUser()
})

const anonymous = (id: unknown) => ({ authData: { anonymous: { id } } })

const signIn = (id: unknown, more: object = {}) => server.call('POST', '/users', { ...anonymous(id), ...more })

const me = async (token: string) => (await server.call('GET', '/users/me', undefined, { token })).body

async function guest(id: string = randomUUID()) {
  const { body } = await signIn(id)
  return { id, objectId: body.objectId as string, token: body.sessionToken as string }
}

describe('a guest', () => {
  test('is made by the first sign-in and found again by the same id', async () => {
    const id = randomUUID()
    const first = await signIn(id, { nick: 'Nick' })
    expect(first.status).toBe(201)
    expect(first.body).toMatchObject({ nick: 'Nick', username: expect.any(String), authData: { anonymous: {} } })
    expect(first.body.ACL).toEqual({ [first.body.objectId as string]: { read: true, write: true } })
    const again = await signIn(id, { nick: 'Other' })
    expect([again.status, again.body.objectId, again.body.nick]).toEqual([200, first.body.objectId, 'Nick'])
    const token = again.body.sessionToken as string
    const session = await server.call('GET', '/sessions/me', undefined, { token })
    expect(session.body.createdWith).toEqual({ action: 'login', authProvider: 'anonymous' })
    expect((await signIn(randomUUID())).body.objectId).not.toBe(first.body.objectId)
  })

  test('two first sign-ins at once make one user', async () => {
    const id = randomUUID()
    const answers = await Promise.all([signIn(id), signIn(id), signIn(id)])
    expect(new Set(answers.map(({ body }) => body.objectId)).size).toBe(1)
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 201])
  })

  test('is marked as anonymous, and its id is never shown again', async () => {
    const { id, objectId, token } = await guest()
    const own = await me(token)
    const read = await server.call('GET', `/users/${objectId}`, undefined, { token })
    for (const user of [own, read.body]) expect(user.authData).toEqual({ anonymous: {} })
    const [row] = await server.database.db.query(
      sql`select row_to_json(u)::text as row from "_User" u where "objectId" = ${objectId}`,
    )
    for (const text of [JSON.stringify(own), read.text, String(row?.row)]) expect(text).not.toContain(id)
  })

  test.each([
    ['no text', 5],
    ['an operator', { $ne: null }],
    ['nothing', null],
    ['one that can be guessed', '1234'],
    ['one that is too long', 'x'.repeat(201)],
  ])('P4: rejects an id that is %s', async (_name, id) => {
    await guest()
    const answer = await signIn(id)
    expect([answer.status, answer.body.code]).toEqual([400, 250])
  })

  test('a locked user stays locked', async () => {
    const { id, objectId } = await guest()
    await server.call('PUT', `/users/${objectId}`, { ACL: {} }, { master: true })
    expect((await signIn(id)).body.code).toBe(101)
  })
})

describe('a guest becomes a user', () => {
  test('by a name and a password, at any age; the id stops working', async () => {
    const { id, objectId, token } = await guest()
    server.clock.forward(2 * 3600_000)
    const wanted = { username: `name-${objectId}`, password: 'a secret', authData: { anonymous: null } }
    const answer = await server.call('PUT', `/users/${objectId}`, wanted, { token })
    expect([answer.status, answer.body.authData]).toEqual([200, {}])
    expect((await me(answer.body.sessionToken as string)).authData).toBeUndefined()
    const logIn = await server.call('POST', '/login', { username: wanted.username, password: wanted.password })
    expect(logIn.body.objectId).toBe(objectId)
    expect((await signIn(id)).body.objectId).not.toBe(objectId)
  })

  test('even where the client does not say that the id is to go', async () => {
    const { id, objectId, token } = await guest()
    await server.call('PUT', `/users/${objectId}`, { username: `n-${objectId}`, password: 'a secret' }, { token })
    expect((await signIn(id)).body.objectId).not.toBe(objectId)
  })

  test('its last sign-in method stays', async () => {
    const { id, objectId, token } = await guest()
    const answer = await server.call('PUT', `/users/${objectId}`, { authData: { anonymous: null } }, { token })
    expect([answer.body.code, answer.body.error]).toEqual([119, expect.stringContaining('only sign-in method')])
    expect((await signIn(id)).body.objectId).toBe(objectId)
  })
})

describe('an account gets an id', () => {
  const link = (objectId: string, id: string, options = {}) =>
    server.call('PUT', `/users/${objectId}`, anonymous(id), options)

  test('by its own session, or the master key, and loses it again', async () => {
    const ann = await server.signUp('ann')
    for (const options of [{ token: ann.token }, { master: true }]) {
      const id = randomUUID()
      expect((await link(ann.objectId, id, options)).status).toBe(200)
      expect((await signIn(id)).body.objectId).toBe(ann.objectId)
      await server.call('PUT', `/users/${ann.objectId}`, { authData: { anonymous: null } }, options)
      expect((await signIn(id)).body.objectId).not.toBe(ann.objectId)
    }
  })

  test('P8: not by anybody else, not by a session of long ago, and not that of somebody else', async () => {
    const [bob, eve] = [await server.signUp('bob'), await server.signUp('eve')]
    const id = randomUUID()
    expect((await link(bob.objectId, id, { token: eve.token })).body.code).toBe(206)
    expect((await link(bob.objectId, id)).body.code).toBe(206)
    const taken = await guest()
    expect((await link(bob.objectId, taken.id, { token: bob.token })).body).toMatchObject({
      code: 208,
      error: 'this auth is already used',
    })
    server.clock.forward(3600_000)
    expect((await link(bob.objectId, id, { token: bob.token })).body.code).toBe(119)
    expect((await signIn(id)).body.objectId).not.toBe(bob.objectId)
  })
})

test('the public parse client comes as a guest, signs up, and keeps what it had', async () => {
  const user = await Parse.AnonymousUtils.logIn()
  user.set('field', 'kept')
  await user.save()
  expect(Parse.AnonymousUtils.isLinked(user)).toBe(true)
  await user.fetch()
  expect(Parse.AnonymousUtils.isLinked(user)).toBe(true)
  user.setUsername('former-guest')
  user.setPassword('a secret')
  await user.signUp()
  expect(Parse.AnonymousUtils.isLinked(user)).toBe(false)
  const again = await Parse.User.logIn('former-guest', 'a secret')
  expect([again.id, again.get('field'), again.get('authData')]).toEqual([user.id, 'kept', undefined])
  await Parse.User.logOut()

  const other = await guest()
  // Older clients delete a guest who logs out, at any age: nobody could return to it.
  server.clock.forward(901_000)
  const path = `/classes/_User/${other.objectId}`
  expect((await server.call('DELETE', path, undefined, { token: other.token })).status).toBe(200)
  expect((await signIn(other.id)).status).toBe(403)
})

test('rejects anonymous users if they are switched off', async () => {
  const other = await createTestServer({ enableAnonymousUsers: false }, server.database)
  try {
    const { status, body } = await other.call('POST', '/users', anonymous(randomUUID()))
    expect([status, body.code]).toEqual([400, 252])
  } finally {
    await other.stop()
  }
})
