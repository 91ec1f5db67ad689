// @vitest-environment node
import { errorCodes } from '@countersign/protocol'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createMemory } from '../../testing/createMemory.ts'
import { createPages, password } from '../../testing/createPages.ts'
import { createWire } from '../../testing/createWire.ts'
import { failure } from '../../testing/failure.ts'
import { startCounterpart } from '../../testing/startCounterpart.ts'
import { startServer, type TestServer } from '../../testing/startServer.ts'
import { watchStates } from '../../testing/watchStates.ts'
import { deleteUser, refetchUser } from '../account/account.ts'
import { changePassword } from '../account/passwords.ts'
import { saveUser } from '../account/saveUser.ts'
import { listSessions, revokeOtherSessions, revokeSession } from '../account/sessions.ts'
import type { Client } from '../client/Client.ts'
import { createClient } from '../setup/createClient.ts'
import { initialize } from '../setup/initialize.ts'
import { getUser } from './getUser.ts'
import { request } from './request.ts'
import { signInWithPassword } from './signInWithPassword.ts'
import { signOut } from './signOut.ts'
import { signUp } from './signUp.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})

afterAll(() => server.remove())

const { connectSignedIn, reload, connect, newName, isAlive, sessionIdOf, endElsewhere } = createPages(() => server)

describe('initialization', () => {
  test.each([
    ['appId', { serverUrl: 'http://localhost:1' }],
    ['serverUrl', { appId: 'app' }],
  ])('R3: without %s the error says so and how to fix it', async (name, options) => {
    const client = createClient({ ...options, throwOnError: true })
    const error = await failure(initialize(client))
    expect(error.message).toMatch(new RegExp(`^No ${name} is provided`))
    expect(error.message).toMatch(/initialize\(.*createClient.*<CountersignProvider>/)
    expect(client.initialization.get()).toEqual({ status: 'error', error })
    expect(client.session.get()).toEqual({ status: 'undefined' })
  })

  test('R2: a failed initialization can be seen and tried again, with what was missing', async () => {
    const client = createClient({ appId: server.appId })
    await initialize(client)
    expect(client.initialization.get().status).toBe('error')
    await initialize(client, { serverUrl: 'not an address' })
    expect(client.initialization.get()).toMatchObject({ error: { name: 'ValidationError' } })
    await initialize(client, { serverUrl: `${server.serverUrl}/` })
    expect(client.initialization.get()).toEqual({ status: 'ready', appId: server.appId, serverUrl: server.serverUrl })
    expect(client.session.get()).toEqual({ status: 'unauthenticated' })
  })

  test('R2: it runs once; calls at the same time and later ones share the outcome', async () => {
    const { storage } = await connectSignedIn()
    const wire = createWire()
    const client = createClient({ storage, fetch: wire.fetch })
    const seen = watchStates(client.initialization)
    const onSuccess = vi.fn()
    const input = { appId: server.appId, serverUrl: server.serverUrl }
    await Promise.all([initialize(client, input, { onSuccess }), initialize(client, input, { onSuccess })])
    await initialize(client, { appId: 'another', serverUrl: 'http://localhost:1' }, { onSuccess })
    expect(onSuccess).toHaveBeenCalledTimes(3)
    expect(wire.calls).toHaveLength(1)
    expect(seen).toEqual(['idle', 'initializing', 'ready'])
    expect(client.initialization.get()).toMatchObject(input)
  })

  test('R4: without a stored session the state is unauthenticated at once, and nothing is asked', async () => {
    const { wire, client } = await reload(createMemory())
    expect(wire.calls).toEqual([])
    expect(client.session.get()).toEqual({ status: 'unauthenticated' })
  })

  test('R4: a stored session stays undefined until the server has confirmed it', async () => {
    const { storage, username } = await connectSignedIn()
    const { wire, seen } = await reload(storage)
    expect(wire.calls).toMatchObject([{ method: 'GET', path: '/users/me' }])
    expect(seen).toEqual(['undefined', `authenticated ${username}`])
  })

  test('R4: a stored session that the server no longer knows is unauthenticated, and forgotten', async () => {
    const { storage, client, username, sessionKey } = await connectSignedIn()
    const token = JSON.parse(storage.getItem(sessionKey) ?? '').token
    await signOut(client)
    storage.setItem(sessionKey, JSON.stringify({ user: { objectId: 'x', username }, token, id: 'x' }))
    const { seen } = await reload(storage)
    expect(seen).toEqual(['undefined', 'unauthenticated'])
    expect(storage.getItem(sessionKey)).toBeNull()
  })

  test('being offline is not being signed out: the stored user stays', async () => {
    const { storage, username, sessionKey } = await connectSignedIn()
    const { client, seen } = await reload(storage, {
      fetch: () => Promise.reject(new TypeError('fetch failed')),
      attemptLimit: 2,
    })
    expect(seen).toEqual(['undefined', `authenticated ${username}`])
    expect(client.initialization.get().status).toBe('ready')
    expect(storage.getItem(sessionKey)).not.toBeNull()
  })

  test('R2: an app id that the server refuses shows as an error and keeps the session for the next try', async () => {
    const { storage, username } = await connectSignedIn()
    const impostor = await startCounterpart(() => ({ status: 403, body: { error: 'unauthorized' } }))
    try {
      const client = createClient({ appId: server.appId, storage })
      await initialize(client, { serverUrl: impostor.serverUrl })
      expect(client.initialization.get()).toMatchObject({ status: 'error', error: { message: 'unauthorized' } })
      expect(client.session.get()).toMatchObject({ status: 'error', error: { message: 'unauthorized' } })
      await initialize(client, { serverUrl: server.serverUrl })
      expect(client.session.get()).toMatchObject({ status: 'authenticated', user: { username } })
    } finally {
      await impostor.close()
    }
  })

  test.each(['null', '{}', 'no json', '{"user":{"objectId":1},"token":"r:1"}', '{"user":{"objectId":"a"}}'])(
    'a stored session that cannot be one (%s) counts as none',
    async (text) => {
      const storage = createMemory()
      storage.setItem(`Countersign/${server.appId}/session`, text)
      const { wire, client } = await reload(storage)
      expect(wire.calls).toEqual([])
      expect(client.session.get()).toEqual({ status: 'unauthenticated' })
    },
  )
})

describe('R4: the way through the states', () => {
  test('sign-up', async () => {
    const { client, seen, storage } = await connect()
    const username = newName()
    const born = new Date('1815-12-10T00:00:00.000Z')
    const fields = { username, password, email: `${username}@example.org`, born, score: 7, tags: ['a', { b: null }] }
    const user = await signUp(client, fields)
    expect(seen).toEqual(['unauthenticated', 'authenticating', `authenticated ${username}`])
    const { password: _, ...shown } = fields
    expect(user).toMatchObject({ ...shown, emailVerified: false, objectId: expect.any(String) })
    expect(user?.createdAt).toBeInstanceOf(Date)
    expect(user?.updatedAt).toBeInstanceOf(Date)
    expect(Object.isFrozen(user)).toBe(true)
    expect(getUser(client)).toBe(user)
    expect(JSON.stringify([...storage.items])).not.toContain(password)
    expect(Object.keys(user ?? {})).not.toContain('sessionToken')
    expect(await server.asMaster('GET', `/users/${user?.objectId}`)).toMatchObject({
      username,
      born: { __type: 'Date', iso: born.toISOString() },
    })
  })

  test('R5: login by POST and by GET, by name and by address', async () => {
    const { client, wire, seen } = await connect()
    const username = newName('ann')
    const email = `${username}@example.org`
    await signUp(client, { username, password, email })
    await signOut(client)
    for (const usePost of [undefined, true, false]) {
      wire.calls.length = 0
      seen.length = 0
      const user = await signInWithPassword(client, { username, password, usePost })
      expect(user?.username).toBe(username)
      expect(seen).toEqual(['authenticating', `authenticated ${username}`])
      const sent = { username, password, ...(usePost === false && { _method: 'GET' }) }
      expect(wire.calls).toMatchObject([{ method: 'POST', path: '/login', body: sent }])
      await signOut(client)
    }
    expect((await signInWithPassword(client, { username: email, password }))?.username).toBe(username)
  })

  test('a failed login is an error without a user', async () => {
    const { client, seen } = await connect()
    const error = await failure(signInWithPassword(client, { username: newName('nobody'), password }))
    expect(error).toMatchObject({ code: errorCodes.ObjectNotFound, message: 'Invalid username/password.' })
    expect(seen).toEqual(['unauthenticated', 'authenticating', 'error'])
    expect(client.session.get()).toEqual({ status: 'error', error })
  })

  test('a failed login ends the session of the user before, here, after a reload and on the server', async () => {
    const { client, seen, storage, username, sessionKey } = await connectSignedIn()
    const token = JSON.parse(storage.getItem(sessionKey) ?? '').token
    await failure(signInWithPassword(client, { username: newName('nobody'), password }))
    expect(seen).toEqual([`authenticated ${username}`, `authenticating ${username}`, 'error'])
    expect(getUser(client)).toBeUndefined()
    expect(storage.getItem(sessionKey)).toBeNull()
    expect((await reload(storage)).seen).toEqual(['undefined', 'unauthenticated'])
    await vi.waitFor(async () => expect(await isAlive(token)).toBe(false), { timeout: 60_000 })
  })

  test('a failed sign-up likewise, with the words and the code of the server', async () => {
    const { client, seen, username } = await connectSignedIn()
    const error = await failure(signUp(client, { username: username.toUpperCase(), password }))
    expect(error).toMatchObject({ code: 202, message: 'Account already exists for this username.' })
    expect(seen.at(-1)).toBe('error')
    expect(getUser(client)).toBeUndefined()
  })

  test('a login as someone else ends the former session on the server', async () => {
    const { storage, username: bob } = await connectSignedIn()
    expect(storage).toBeDefined()
    const { client, username: ada, storage: own, sessionKey } = await connectSignedIn()
    const token = JSON.parse(own.getItem(sessionKey) ?? '').token
    const user = await signInWithPassword(client, { username: bob, password })
    expect(user?.username).toBe(bob)
    expect(user?.username).not.toBe(ada)
    await vi.waitFor(async () => expect(await isAlive(token)).toBe(false), { timeout: 60_000 })
    expect((await refetchUser(client))?.username).toBe(bob)
  })

  test('logout', async () => {
    const { client, seen, storage, username, sessionKey } = await connectSignedIn()
    const token = JSON.parse(storage.getItem(sessionKey) ?? '').token
    await signOut(client)
    expect(seen).toEqual([`authenticated ${username}`, `authenticating ${username}`, 'unauthenticated'])
    expect(storage.getItem(sessionKey)).toBeNull()
    expect(await isAlive(token)).toBe(false)
    await signOut(client)
    expect(client.session.get()).toEqual({ status: 'unauthenticated' })
  })

  test('a failed logout is an error with the user restored, who can go on and log out later', async () => {
    const { client, seen, wire, storage, username } = await connectSignedIn({ attemptLimit: 1 })
    wire.cut()
    const error = await failure(signOut(client))
    expect(error.code).toBe(errorCodes.ConnectionFailed)
    expect(seen).toEqual([`authenticated ${username}`, `authenticating ${username}`, `error ${username}`])
    wire.fix()
    expect((await reload(storage)).seen.at(-1)).toBe(`authenticated ${username}`)
    await saveUser(client, { note: 'still here' })
    expect(getUser(client)?.note).toBe('still here')
    await signOut(client)
    expect(seen.at(-1)).toBe('unauthenticated')
  })

  test('a logout with a session that the server no longer knows is a logout', async () => {
    const { client, seen, storage, sessionKey } = await connectSignedIn()
    const token = JSON.parse(storage.getItem(sessionKey) ?? '').token
    await server.asMaster('DELETE', `/sessions/${await sessionIdOf(token)}`)
    await signOut(client)
    expect(seen.at(-1)).toBe('unauthenticated')
    expect(storage.getItem(sessionKey)).toBeNull()
  })

  test('a logout that gets 209 signs the user out, too', async () => {
    const { client, seen, storage, username, sessionKey } = await connectSignedIn()
    client.internal.options.fetch = async () =>
      Response.json({ code: 209, error: 'Invalid session token' }, { status: 400 })
    await signOut(client)
    expect(seen.slice(0, 2)).toEqual([`authenticated ${username}`, `authenticating ${username}`])
    expect(seen.at(-1)).toBe('unauthenticated')
    expect(storage.getItem(sessionKey)).toBeNull()
  })

  const badInput: [string, (client: Client) => Promise<unknown>, string][] = [
    ['R7', (client) => signUp(client, { username: 1 as never, password }), 'username can only be a string type'],
    ['R7', (client) => signUp(client, { username: 'a', password: {} as never }), 'password can only be a string type'],
    [
      'R7',
      (client) => signUp(client, { username: 'a', password, email: 5 as never }),
      'email can only be a string type',
    ],
    ['R7', (client) => saveUser(client, { username: 1 as never }), 'username can only be a string type'],
    ['R7', (client) => saveUser(client, { password: true as never }), 'password can only be a string type'],
    ['R7', (client) => saveUser(client, { email: null as never }), 'email can only be a string type'],
    ['R8', (client) => signUp(client, { username: '', password }), 'Cannot sign up user with an empty username.'],
    ['R8', (client) => signUp(client, { password } as never), 'Cannot sign up user with an empty username.'],
    ['R8', (client) => signUp(client, { username: 'a', password: '' }), 'Cannot sign up user with an empty password.'],
    ['R8', (client) => signUp(client, { username: 'a' } as never), 'Cannot sign up user with an empty password.'],
    [
      'R8',
      (client) => signInWithPassword(client, { username: 1 as never, password }),
      'username can only be a string type',
    ],
    ['R8', (client) => signInWithPassword(client, { password } as never), 'username can only be a string type'],
    ['R8', (client) => signInWithPassword(client, { username: 'a' } as never), 'password can only be a string type'],
    [
      'R8',
      (client) => signInWithPassword(client, { username: '', password }),
      'Cannot log in user with an empty username.',
    ],
    [
      'R8',
      (client) => signInWithPassword(client, { username: 'a', password: '' }),
      'Cannot log in user with an empty password.',
    ],
    ['R7', (client) => saveUser(client, { when: new Date('never') }), 'The field when is an invalid date'],
  ]
  test.each(badInput)('%s: bad input rejects before the state moves (%#)', async (_, act, message) => {
    const { client, seen, wire, username } = await connectSignedIn()
    const before = getUser(client)
    const error = await failure(act(client))
    expect(error.name).toBe('ValidationError')
    expect(error.code).toBe(errorCodes.ValidationError)
    expect(error.message.startsWith(message)).toBe(true)
    expect(seen).toEqual([`authenticated ${username}`])
    expect(getUser(client)).toBe(before)
    expect(wire.calls).toEqual([])
  })

  test('an operation before the initialization rejects before the state moves', async () => {
    const client = createClient({ throwOnError: true })
    const error = await failure(signInWithPassword(client, { username: 'a', password }))
    expect(error.code).toBe(errorCodes.NotInitialized)
    expect(client.session.get()).toEqual({ status: 'undefined' })
  })

  test('an aborted login ends as an error, not in between', async () => {
    const { client, wire, seen } = await connect()
    const release = wire.hold()
    const controller = new AbortController()
    const login = failure(signInWithPassword(client, { username: 'a', password }, controller))
    expect(client.session.get().status).toBe('authenticating')
    controller.abort()
    expect((await login).message).toBe('The request was canceled.')
    release()
    expect(seen).toEqual(['unauthenticated', 'authenticating', 'error'])
  })

  test('concurrent sign-ins run one after another, and the last one counts', async () => {
    const [first, second] = [await connectSignedIn(), await connectSignedIn()]
    const { client, storage } = await connect()
    const results = await Promise.all(
      [first, second, first].map(({ username }) => signInWithPassword(client, { username, password })),
    )
    expect(results.map((user) => user?.username)).toEqual([first.username, second.username, first.username])
    expect((await refetchUser(client))?.username).toBe(first.username)
    expect((await reload(storage)).seen.at(-1)).toBe(`authenticated ${first.username}`)
  })
})

describe('a session that the server no longer knows', () => {
  test.each<[string, (client: Client) => Promise<unknown>]>([
    ['refetchUser', (client) => refetchUser(client)],
    ['saveUser', (client) => saveUser(client, { note: 'x' })],
    ['listSessions', (client) => listSessions(client)],
    ['revokeOtherSessions', (client) => revokeOtherSessions(client)],
    ['revokeSession', (client) => revokeSession(client, { objectId: 'anything' })],
    ['changePassword', (client) => changePassword(client, { currentPassword: password, newPassword: 'other' })],
    ['deleteUser', (client) => deleteUser(client)],
    ['request', (client) => request(client, 'listSessions', {})],
  ])('209 on %s leads to unauthenticated with nothing left', async (_, act) => {
    const { client, seen, storage, sessionKey } = await connectSignedIn()
    await endElsewhere(storage, sessionKey)
    const error = await failure(act(client))
    expect(error.code).toBe(errorCodes.InvalidSessionToken)
    expect(seen.at(-1)).toBe('unauthenticated')
    expect(client.session.get()).toEqual({ status: 'unauthenticated' })
    expect(storage.getItem(sessionKey)).toBeNull()
    expect((await failure(refetchUser(client))).name).toBe('NotAuthenticatedError')
  })

  test('a 209 for an older session does not end the new one', async () => {
    const { client, wire, storage, username, sessionKey } = await connectSignedIn()
    await endElsewhere(storage, sessionKey)
    const release = wire.hold()
    const late = failure(refetchUser(client))
    await vi.waitFor(() => expect(wire.calls).toHaveLength(1), { timeout: 60_000 })
    // The held response is in flight while the user signs out and in again.
    const fresh = createWire()
    client.internal.options.fetch = fresh.fetch
    await signOut(client)
    await signInWithPassword(client, { username, password })
    release()
    expect((await late).code).toBe(errorCodes.InvalidSessionToken)
    expect(client.session.get()).toMatchObject({ status: 'authenticated', user: { username } })
    expect((await refetchUser(client))?.username).toBe(username)
  })

  test('revoking a session that is gone already is done, and ends nothing else', async () => {
    const { client, username, seen } = await connectSignedIn()
    await revokeSession(client, { objectId: 'goneAlready' })
    expect(seen).toEqual([`authenticated ${username}`])
  })
})
