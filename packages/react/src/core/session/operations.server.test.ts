// @vitest-environment node
import type { CountersignError } from '@countersign/protocol'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createPages, password } from '../../testing/createPages.ts'
import { createWire } from '../../testing/createWire.ts'
import { failure } from '../../testing/failure.ts'
import { startServer, type TestServer } from '../../testing/startServer.ts'
import { deleteUser, refetchUser } from '../account/account.ts'
import { requestEmailVerification, verifyEmail } from '../account/email.ts'
import { changePassword, requestPasswordReset, resetPassword } from '../account/passwords.ts'
import { saveUser } from '../account/saveUser.ts'
import { listSessions, revokeOtherSessions, revokeSession } from '../account/sessions.ts'
import type { Client } from '../client/Client.ts'
import { getUser } from './getUser.ts'
import { signInWithPassword } from './signInWithPassword.ts'
import { signOut } from './signOut.ts'
import { signUp } from './signUp.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})

afterAll(() => server.remove())

const { newName, connectSignedIn, connect, reload, endCurrent, isAlive } = createPages(() => server)

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
  ])('%s is not a session operation: it rejects on failure, with any setting of the client', async (_, act) => {
    const { client, wire } = await connectSignedIn({ throwOnError: false, attemptLimit: 1 })
    wire.cut()
    expect((await failure(act(client))).code).toBe(100)
    wire.fix()
    await act(client)
  })

  test('throwOnError of the client counts unless the call sets it', async () => {
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
