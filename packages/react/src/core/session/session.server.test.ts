// @vitest-environment node
import { type CountersignError, errorCodes } from '@countersign/protocol'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createMemory } from '../../testing/createMemory.ts'
import { createWire } from '../../testing/createWire.ts'
import { startCounterpart } from '../../testing/startCounterpart.ts'
import { startServer, type TestServer } from '../../testing/startServer.ts'
import { watchStates } from '../../testing/watchStates.ts'
import { deleteUser, getUser, refetchUser } from '../actions/account/account.ts'
import { requestEmailVerification, verifyEmail } from '../actions/account/email.ts'
import { changePassword, requestPasswordReset, resetPassword } from '../actions/account/passwords.ts'
import { saveUser } from '../actions/account/saveUser.ts'
import { listSessions, revokeOtherSessions, revokeSession } from '../actions/account/sessions.ts'
import { initialize } from '../actions/initialize.ts'
import { signInWithPassword } from '../actions/signIn/signInWithPassword.ts'
import { signOut } from '../actions/signIn/signOut.ts'
import { type SignUpInput, signUp } from '../actions/signIn/signUp.ts'
import type { Client, ClientOptions } from '../Client.ts'
import { createClient } from '../createClient.ts'
import { request } from '../http/request.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})

afterAll(() => server.remove())

let counter = 0

const newName = (name = 'ada') => `${name}-${++counter}`

const password = 'correct horse battery'

/** A client that is connected and throws, with the wire under it and the storage behind it. */
async function connect(options: ClientOptions = {}) {
  const wire = createWire()
  const storage = createMemory()
  const client = createClient({
    appId: server.appId,
    serverUrl: server.serverUrl,
    storage,
    fetch: wire.fetch,
    throwOnError: true,
    ...options,
  })
  await initialize(client)
  return { client, wire, storage, seen: watchStates(client.session) }
}

async function connectSignedIn(options: ClientOptions = {}, fields: Partial<SignUpInput> = {}) {
  const connected = await connect(options)
  const username = newName()
  await signUp(connected.client, { username, password, ...fields })
  connected.wire.calls.length = 0
  connected.seen.length = 0
  connected.seen.push(`authenticated ${username}`)
  return { ...connected, username, sessionKey: `Countersign/${server.appId}/session` }
}

/** The same page again: a new client over the same storage. */
async function reload(storage: ClientOptions['storage'], options: ClientOptions = {}) {
  const wire = createWire()
  const { appId, serverUrl } = server
  const client = createClient({ appId, serverUrl, storage, fetch: wire.fetch, ...options })
  const seen = watchStates(client.session)
  await initialize(client)
  return { client, wire, seen }
}

async function failure(promise: Promise<unknown>): Promise<CountersignError> {
  return promise.then(
    () => expect.fail('it should have failed'),
    (error: CountersignError) => error,
  )
}

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

  test('R4: a stored session stays undefined until the server has answered for it', async () => {
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

  test('being offline is not being signed out: the stored user stands', async () => {
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

  test('a server that answers 209 to the logout itself has the user signed out, too', async () => {
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
    ['R7', (client) => saveUser(client, { when: new Date('never') }), 'The field when holds an invalid date'],
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

  test('sign-ins at the same time run one after another, and the last one stands', async () => {
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

  test('a 209 that answers an older session does not end the new one', async () => {
    const { client, wire, storage, username, sessionKey } = await connectSignedIn()
    await endElsewhere(storage, sessionKey)
    const release = wire.hold()
    const late = failure(refetchUser(client))
    await vi.waitFor(() => expect(wire.calls).toHaveLength(1), { timeout: 60_000 })
    // The held answer is on its way while the user signs out and in again.
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

describe('R6: one rule for all operations', () => {
  const operations: [string, (client: Client, callbacks: object) => Promise<unknown>, boolean?][] = [
    ['signUp', (client, callbacks) => signUp(client, { username: newName('fresh'), password }, callbacks)],
    [
      'logIn',
      (client, callbacks) =>
        signInWithPassword(client, { username: getUser(client)?.username ?? '', password }, callbacks),
    ],
    ['logOut', (client, callbacks) => signOut(client, callbacks), true],
    ['saveUser', (client, callbacks) => saveUser(client, { note: newName() }, callbacks)],
    ['refetchUser', (client, callbacks) => refetchUser(client, callbacks)],
  ]

  test.each(operations)('%s', async (_, act, answersNothing) => {
    const success = await connectSignedIn({ throwOnError: false })
    const log: unknown[] = []
    const callbacks = {
      onSuccess: (data: unknown) => log.push(['success', data]),
      onError: (error: CountersignError) => log.push(['error', error.code]),
      onComplete: () => log.push('complete'),
    }
    const data = await act(success.client, callbacks)
    expect(log).toEqual([['success', data], 'complete'])
    if (!answersNothing) expect(data).toBeDefined()

    const { client, wire } = await connectSignedIn({ throwOnError: false, attemptLimit: 1 })
    wire.cut()
    log.length = 0
    expect(await act(client, { ...callbacks, throwOnError: true })).toBeUndefined()
    expect(log).toEqual([['error', 100], 'complete'])

    const { onComplete } = callbacks
    wire.fix()
    if (!getUser(client)) await signUp(client, { username: newName(), password })
    wire.cut()
    log.length = 0
    expect(await act(client, { onComplete })).toBeUndefined()
    expect(log).toEqual(['complete'])

    wire.fix()
    if (!getUser(client)) await signUp(client, { username: newName(), password })
    wire.cut()
    log.length = 0
    expect((await failure(act(client, { onComplete, throwOnError: true }))).code).toBe(100)
    expect(log).toEqual(['complete'])
  })

  test.each<[string, (client: Client) => Promise<unknown>]>([
    ['changePassword', (client) => changePassword(client, { currentPassword: password, newPassword: 'other one' })],
    ['requestPasswordReset', (client) => requestPasswordReset(client, { email: 'a@b.c' })],
    ['requestEmailVerification', (client) => requestEmailVerification(client, { email: 'a@b.c' })],
    ['listSessions', (client) => listSessions(client)],
    ['revokeOtherSessions', (client) => revokeOtherSessions(client)],
    ['revokeSession', (client) => revokeSession(client, { objectId: 'gone' })],
    ['deleteUser', (client) => deleteUser(client)],
  ])('%s is no operation of a session: it rejects where it fails, whatever the client is set to', async (_, act) => {
    const { client, wire } = await connectSignedIn({ throwOnError: false, attemptLimit: 1 })
    wire.cut()
    expect((await failure(act(client))).code).toBe(100)
    wire.fix()
    await act(client)
  })

  test('throwOnError of the client counts where the call says nothing, and the call has the last word', async () => {
    const { client } = await connect({ throwOnError: true })
    await expect(refetchUser(client)).rejects.toThrow()
    await expect(refetchUser(client, { throwOnError: false })).resolves.toBeUndefined()
    await expect(refetchUser(client, { onError: () => undefined })).resolves.toBeUndefined()
  })

  test('an onSuccess that throws is the caller’s own error, not a failed operation', async () => {
    const { client } = await connectSignedIn()
    const onError = vi.fn()
    const onComplete = vi.fn()
    const onSuccess = () => {
      throw new Error('mine')
    }
    await expect(refetchUser(client, { onSuccess, onError, onComplete })).rejects.toThrow('mine')
    expect(onError).not.toHaveBeenCalled()
    expect(onComplete).toHaveBeenCalledTimes(1)
  })
})

describe('user data', () => {
  test('R9: saving without a signed-in user', async () => {
    const { client, wire } = await connect()
    const error = await failure(saveUser(client, { note: 'x' }))
    expect(error.message).toBe('User needs to be authenticated before setting new data')
    expect(error.name).toBe('NotAuthenticatedError')
    expect(wire.calls).toEqual([])
  })

  test('R9: refetching without a signed-in user', async () => {
    const { client, wire } = await connect()
    const error = await failure(refetchUser(client))
    expect(error.message).toBe('User needs to be authenticated before refetching')
    expect(error.name).toBe('NotAuthenticatedError')
    expect(wire.calls).toEqual([])
  })

  test('R5: only changed fields are sent; undefined is skipped and null is stored', async () => {
    const born = new Date('1815-12-10T00:00:00.000Z')
    const fields = { born, tags: ['a', { deep: [1, born] }], city: 'London', gone: 'x' }
    const { client, wire } = await connectSignedIn({}, fields)
    const before = getUser(client)
    await saveUser(client, {
      ...before,
      born: new Date(born),
      tags: ['a', { deep: [1, new Date(born)] }],
      city: undefined,
    })
    expect(wire.calls).toEqual([])
    expect(getUser(client)).toBe(before)

    const after = await saveUser(client, { ...before, tags: ['a', { deep: [2, born] }], gone: null })
    expect(wire.calls).toMatchObject([{ method: 'PUT', path: `/users/${before?.objectId}` }])
    expect(wire.calls[0]?.body).toEqual({
      tags: ['a', { deep: [2, { __type: 'Date', iso: born.toISOString() }] }],
      gone: null,
    })
    expect(after).toMatchObject({ born, city: 'London', gone: null, tags: ['a', { deep: [2, born] }] })
    expect(after).not.toBe(before)
    expect(await refetchUser(client)).toBe(after)
  })

  test('a date in a snapshot that the application moved by hand is still seen as changed', async () => {
    const { client } = await connectSignedIn({}, { born: new Date('1815-12-10T00:00:00.000Z') })
    const born = getUser(client)?.born as Date
    born.setUTCFullYear(1900)
    const user = await saveUser(client, { born })
    expect(user?.born).toEqual(new Date('1900-12-10T00:00:00.000Z'))
    expect((await server.asMaster('GET', `/users/${user?.objectId}`)).born).toMatchObject({
      iso: '1900-12-10T00:00:00.000Z',
    })
  })

  test('an edit shows at once', async () => {
    const { client, wire } = await connectSignedIn()
    const release = wire.hold()
    const saving = saveUser(client, { note: 'new' })
    expect(getUser(client)?.note).toBe('new')
    expect(client.session.get().status).toBe('authenticated')
    release()
    await saving
    expect(getUser(client)?.note).toBe('new')
  })

  test('R10: a failed save reverts the local edits, with the words of the server', async () => {
    const other = await connectSignedIn()
    const { client, username, storage } = await connectSignedIn({}, { note: 'old' })
    const before = getUser(client)
    const saving = failure(saveUser(client, { username: other.username, note: 'new' }))
    expect(getUser(client)).toMatchObject({ username: other.username, note: 'new' })
    expect(await saving).toMatchObject({ code: 202, message: 'Account already exists for this username.' })
    expect(getUser(client)).toEqual(before)
    expect(client.session.get()).toMatchObject({ status: 'authenticated', user: { username, note: 'old' } })
    expect((await reload(storage)).client.session.get()).toMatchObject({ user: { username, note: 'old' } })
  })

  test('R10: a save that fails does not take back another one that succeeded', async () => {
    const other = await connectSignedIn()
    const { client } = await connectSignedIn({}, { note: 'old', city: 'Rome' })
    const saves = [
      saveUser(client, { note: 'first' }, { throwOnError: false }),
      saveUser(client, { username: other.username, city: 'Oslo' }, { throwOnError: false }),
      saveUser(client, { city: 'Bern' }, { throwOnError: false }),
      saveUser(client, { note: 'old' }, { throwOnError: false }),
    ]
    expect(getUser(client)).toMatchObject({ note: 'old', city: 'Bern' })
    const results = await Promise.all(saves)
    expect(results.map((user) => user?.note)).toEqual(['old', undefined, 'old', 'old'])
    expect(getUser(client)).toMatchObject({ note: 'old', city: 'Bern' })
    const kept = await server.asMaster('GET', `/users/${getUser(client)?.objectId}`)
    expect(kept).toMatchObject({ note: 'old', city: 'Bern' })
  })

  test('R10: no user data after a save', async () => {
    const { client, wire } = await connectSignedIn()
    const release = wire.hold()
    const saving = failure(saveUser(client, { note: 'x' }))
    await vi.waitFor(() => expect(wire.calls).toHaveLength(1), { timeout: 60_000 })
    await endCurrent(client, release)
    expect((await saving).message).toBe('No user data found after save')
    expect(client.session.get()).toEqual({ status: 'unauthenticated' })
  })

  test('R10: no user data after a refetch', async () => {
    const { client, wire } = await connectSignedIn()
    const release = wire.hold()
    const refetching = failure(refetchUser(client))
    await vi.waitFor(() => expect(wire.calls).toHaveLength(1), { timeout: 60_000 })
    await endCurrent(client, release)
    expect((await refetching).message).toBe('No user data found after refetch')
  })

  test('refetch brings what changed elsewhere, as a new object', async () => {
    const { client, storage } = await connectSignedIn({}, { note: 'old' })
    const before = getUser(client)
    await server.asMaster('PUT', `/users/${before?.objectId}`, { note: 'from elsewhere' })
    const after = await refetchUser(client)
    expect(after?.note).toBe('from elsewhere')
    expect(before?.note).toBe('old')
    expect(await refetchUser(client)).toBe(after)
    expect([...storage.items.values()].join()).toContain('from elsewhere')
  })

  test('a refetch that a save has overtaken does not take the save back', async () => {
    const { client, wire } = await connectSignedIn({}, { note: 'old' })
    const release = wire.hold()
    const refetching = refetchUser(client)
    await vi.waitFor(() => expect(wire.calls).toHaveLength(1), { timeout: 60_000 })
    await new Promise((resolve) => setTimeout(resolve, 100))
    client.internal.options.fetch = createWire().fetch
    await saveUser(client, { note: 'new' })
    release()
    expect((await refetching)?.note).toBe('new')
    expect(getUser(client)?.note).toBe('new')
  })

  test('operations: the server’s result is shown', async () => {
    const { client } = await connectSignedIn({}, { score: 5, gone: 'x' })
    const user = await saveUser(client, { score: { __op: 'Increment', amount: 2 }, gone: { __op: 'Delete' } })
    expect(user?.score).toBe(7)
    expect(user && 'gone' in user).toBe(false)
  })

  test('a new address is shown as not verified', async () => {
    const { client, username } = await connectSignedIn({}, { email: `${newName('mail')}@example.org` })
    const objectId = getUser(client)?.objectId
    await server.asMaster('PUT', `/users/${objectId}`, { emailVerified: true })
    expect((await refetchUser(client))?.emailVerified).toBe(true)
    const user = await saveUser(client, { email: `${username}-new@example.org` })
    expect(user?.emailVerified).toBe(false)
  })

  test('a new password is not shown, and the session goes on with its new token', async () => {
    const { client, username, storage, sessionKey } = await connectSignedIn()
    const before = JSON.parse(storage.getItem(sessionKey) ?? '').token
    const user = await saveUser(client, { password: 'another one' })
    expect(user && 'password' in user).toBe(false)
    const after = JSON.parse(storage.getItem(sessionKey) ?? '').token
    expect(after).not.toBe(before)
    expect(await isAlive(before)).toBe(false)
    expect((await refetchUser(client))?.username).toBe(username)
    expect((await reload(storage)).seen.at(-1)).toBe(`authenticated ${username}`)
  })
})

describe('further operations', () => {
  test('changePassword asks for the present one and ends the other sessions', async () => {
    const { client, username, storage, seen } = await connectSignedIn()
    const device = await connect()
    await signInWithPassword(device.client, { username, password })
    const wrong = await failure(changePassword(client, { currentPassword: 'wrong', newPassword: 'another one' }))
    expect(wrong.message).toBe('The current password is incorrect.')
    expect(seen).toEqual([`authenticated ${username}`])
    await changePassword(client, { currentPassword: password, newPassword: 'another one' })
    expect((await refetchUser(client))?.username).toBe(username)
    expect((await reload(storage)).seen.at(-1)).toBe(`authenticated ${username}`)
    await failure(refetchUser(device.client))
    expect(device.client.session.get().status).toBe('unauthenticated')
    await signInWithPassword(device.client, { username, password: 'another one' })
  })

  test('sessions are listed, revoked one by one and all but one', async () => {
    const { client, username } = await connectSignedIn()
    const devices = [await connect(), await connect(), await connect()]
    for (const device of devices) await signInWithPassword(device.client, { username, password })
    const sessions = (await listSessions(client)) ?? []
    expect(sessions).toHaveLength(4)
    expect(sessions.filter((session) => session.current)).toHaveLength(1)
    for (const session of sessions) {
      expect(session.createdAt).toBeInstanceOf(Date)
      expect(session.expiresAt).toBeInstanceOf(Date)
      expect(JSON.stringify(session)).not.toContain('r:')
    }
    const [other] = sessions.filter((session) => !session.current)
    await revokeSession(client, { objectId: other?.objectId ?? '' })
    expect(await listSessions(client)).toHaveLength(3)
    expect(await revokeOtherSessions(client)).toBe(2)
    expect(await listSessions(client)).toHaveLength(1)
    for (const device of devices) {
      await failure(refetchUser(device.client))
      expect(device.client.session.get().status).toBe('unauthenticated')
    }
  })

  test('deleteUser deletes the account and signs out; its owner restores it by signing in', async () => {
    const { client, username, storage, sessionKey, seen } = await connectSignedIn()
    const objectId = getUser(client)?.objectId
    await deleteUser(client)
    expect(seen.at(-1)).toBe('unauthenticated')
    expect(storage.getItem(sessionKey)).toBeNull()
    const refused = await failure(signInWithPassword(client, { username, password }))
    expect(refused).toMatchObject({ reason: 'accountDeletionPending', params: { time: expect.any(String) } })
    expect(await signInWithPassword(client, { username, password, restoreAccount: true })).toMatchObject({ objectId })
    await server.asMaster('DELETE', `/users/${objectId}`)
    await failure(signInWithPassword(client, { username, password, restoreAccount: true }))
  })

  test('mails: the address is verified and the password reset by their links', async () => {
    const email = `${newName('mail')}@example.org`
    const { client, username } = await connectSignedIn({}, { email })
    const first = await mailedToken(email)
    await verifyEmail(client, { token: first })
    expect(getUser(client)?.emailVerified).toBe(true)
    await failure(verifyEmail(client, { token: 'made up' }))

    await requestPasswordReset(client, { email })
    const token = await vi.waitFor(
      async () => {
        const found = await mailedToken(email)
        expect(found).not.toBe(first)
        return found
      },
      { timeout: 60_000 },
    )
    await resetPassword(client, { token, password: 'set again' })
    const fresh = await connect()
    expect((await signInWithPassword(fresh.client, { username, password: 'set again' }))?.username).toBe(username)
    await failure(resetPassword(client, { token, password: 'again' }))
  })
})

async function endCurrent(client: Client, release: () => void): Promise<void> {
  const { connection, current } = client.internal
  if (!connection || !current) throw new Error('nobody is signed in')
  // Another request of the same page learns first that the session is over.
  await server.asMaster('DELETE', `/sessions/${await sessionIdOf(current.credential.token ?? '')}`)
  const held = client.internal.options.fetch
  client.internal.options.fetch = createWire().fetch
  await request(client, 'listSessions', {}).catch(() => undefined)
  client.internal.options.fetch = held
  release()
}

async function endElsewhere(storage: ReturnType<typeof createMemory>, sessionKey: string): Promise<void> {
  const { token } = JSON.parse(storage.getItem(sessionKey) ?? '')
  await server.asMaster('DELETE', `/sessions/${await sessionIdOf(token)}`)
}

async function callWithToken(path: string, token: string): Promise<{ objectId?: string; code?: number }> {
  const response = await fetch(`${server.serverUrl}${path}`, {
    headers: { 'X-Parse-Application-Id': server.appId, 'X-Parse-Session-Token': token },
  })
  return (await response.json()) as { objectId?: string; code?: number }
}

async function sessionIdOf(token: string): Promise<string | undefined> {
  return (await callWithToken('/sessions/me', token)).objectId
}

async function isAlive(token: string): Promise<boolean> {
  return (await callWithToken('/users/me', token)).code !== 209
}

async function mailedToken(address: string): Promise<string> {
  return vi.waitFor(
    async () => {
      const { results } = (await server.asMaster('GET', '/outbox')) as {
        results: { to: string; link: string | null; createdAt: string }[]
      }
      const [latest] = results
        .filter((mail) => mail.to === address)
        .sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1))
      expect(latest?.link).toBeTruthy()
      return new URL(latest?.link ?? '').searchParams.get('token') ?? ''
    },
    { timeout: 60_000 },
  )
}
