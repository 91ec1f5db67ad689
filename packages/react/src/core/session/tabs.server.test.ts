import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createWire } from '../../testing/createWire.ts'
import { serveTests } from '../../testing/serveTests.ts'
import { watchStates } from '../../testing/watchStates.ts'
import { refetchUser } from '../account/account.ts'
import { changePassword } from '../account/passwords.ts'
import { saveUser } from '../account/saveUser.ts'
import { createClient } from '../setup/createClient.ts'
import { initialize } from '../setup/initialize.ts'
import { getUser } from './getUser.ts'
import { request } from './request.ts'
import { signInWithPassword } from './signInWithPassword.ts'
import { signOut } from './signOut.ts'
import { signUp } from './signUp.ts'

const server = serveTests()
let tabs = new AbortController()
beforeEach(() => window.localStorage.clear())
afterEach(() => {
  tabs.abort()
  tabs = new AbortController()
})

const password = 'correct horse battery'
let counter = 0
const newName = () => `tab-${++counter}`
const key = () => `Countersign/${server.appId}/session`

/**
 * A browser reports a change of storage to every tab but the one that made it. Here both tabs live in one window, so each
 * gets the listeners of its own client, and what one writes is passed on to the other.
 */
async function openTab() {
  const listeners = new Map<string, (event: Event) => void>()
  const add = window.addEventListener
  window.addEventListener = ((type: string, listener: (event: Event) => void) => {
    listeners.set(type, listener)
  }) as typeof add
  const wire = createWire()
  const client = createClient({
    appId: server.appId,
    serverUrl: server.serverUrl,
    session: 'storage',
    throwOnError: true,
    fetch: wire.fetch,
  })
  await initialize(client)
  window.addEventListener = add
  wire.calls.length = 0
  const dispatch = (type: string, event: Event) => {
    if (!tabs.signal.aborted) listeners.get(type)?.(event)
  }
  return {
    client,
    wire,
    seen: watchStates(client.session),
    hear: (of: string | null = key()) =>
      dispatch('storage', new StorageEvent('storage', { key: of, storageArea: window.localStorage })),
    comeBack: () => dispatch('pageshow', Object.assign(new Event('pageshow'), { persisted: true })),
  }
}

async function openTwoSignedIn() {
  const first = await openTab()
  const username = newName()
  await signUp(first.client, { username, password })
  const second = await openTab()
  expect(getUser(second.client)?.username).toBe(username)
  second.seen.length = 0
  return { first, second, username }
}

test('another tab signs out: this one follows, without asking', async () => {
  const { first, second } = await openTwoSignedIn()
  await signOut(first.client)
  second.hear()
  expect(second.seen).toEqual(['unauthenticated'])
  expect(second.wire.calls).toEqual([])
})

test('another tab finds the session dead: this one follows', async () => {
  const { first, second } = await openTwoSignedIn()
  await server.asMaster('DELETE', `/users/${getUser(first.client)?.objectId}`)
  await refetchUser(first.client).catch(() => undefined)
  expect(window.localStorage.getItem(key())).toBeNull()
  second.hear()
  expect(second.seen).toEqual(['unauthenticated'])
})

test('the whole storage is cleared: this tab follows', async () => {
  const { second } = await openTwoSignedIn()
  window.localStorage.clear()
  second.hear(null)
  expect(second.seen).toEqual(['unauthenticated'])
})

test('another tab signs in: this one asks the server once, and follows', async () => {
  const [first, second] = [await openTab(), await openTab()]
  const username = newName()
  await signUp(first.client, { username, password })
  second.hear()
  second.hear()
  second.hear()
  await vi.waitFor(() => expect(getUser(second.client)?.username).toBe(username), { timeout: 60_000 })
  expect(second.seen).toEqual(['unauthenticated', 'authenticating', `authenticated ${username}`])
  expect(second.wire.calls.map(({ path }) => path)).toEqual(['/users/me'])
  // The second tab's write reaches the first, which does nothing.
  first.wire.calls.length = 0
  first.hear()
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(first.wire.calls).toEqual([])
  expect((await saveUser(second.client, { note: 'from the second' }))?.note).toBe('from the second')
})

test('another tab signs in as someone else: the former user is gone before the new one is known', async () => {
  const { first, second, username } = await openTwoSignedIn()
  const other = newName()
  await signUp(first.client, { username: other, password })
  second.hear()
  expect(getUser(second.client)).toBeUndefined()
  await vi.waitFor(() => expect(getUser(second.client)?.username).toBe(other), { timeout: 60_000 })
  expect(second.seen).toEqual(['authenticating', `authenticated ${other}`])
  expect(second.seen.join()).not.toContain(username)
})

test('a sign-out and a sign-in before this tab looks: it ends signed in', async () => {
  const { first, second, username } = await openTwoSignedIn()
  await signOut(first.client)
  await signInWithPassword(first.client, { username, password })
  second.hear()
  second.hear()
  await vi.waitFor(async () => expect((await refetchUser(second.client))?.username).toBe(username), { timeout: 60_000 })
  expect(second.seen).not.toContain('unauthenticated')
})

test('a 209 before the event of a new session leads to it', async () => {
  const { first, second, username } = await openTwoSignedIn()
  await changePassword(first.client, { currentPassword: password, newPassword: 'another one' })
  await refetchUser(second.client).catch(() => undefined)
  await vi.waitFor(async () => expect((await refetchUser(second.client))?.username).toBe(username), { timeout: 60_000 })
  expect(window.localStorage.getItem(key())).not.toBeNull()
  expect(second.seen).not.toContain('unauthenticated')
})

test.each(['changePassword', 'saveUser'] as const)(
  'a 209 of the former token during %s ends nothing; a real one does',
  async (name) => {
    const tab = await openTab()
    const username = newName()
    await signUp(tab.client, { username, password })
    tab.seen.length = 0
    const release = tab.wire.hold()
    const changing =
      name === 'saveUser'
        ? saveUser(tab.client, { password: 'another one' })
        : changePassword(tab.client, { currentPassword: password, newPassword: 'another one' })
    const isChanged = async () => {
      const { ok } = await fetch(`${server.serverUrl}/login`, {
        method: 'POST',
        headers: { 'X-Parse-Application-Id': server.appId, 'Content-Type': 'application/json' },
        body: JSON.stringify({ username, password: 'another one' }),
      })
      return ok
    }
    await vi.waitFor(async () => expect(await isChanged()).toBe(true), { timeout: 60_000, interval: 200 })
    tab.wire.letPass()
    await expect(request(tab.client, 'listSessions', {})).rejects.toMatchObject({ code: 209 })
    expect(getUser(tab.client)?.username).toBe(username)
    release()
    await changing
    expect((await refetchUser(tab.client))?.username).toBe(username)
    expect(tab.seen).not.toContain('unauthenticated')
    expect(window.localStorage.getItem(key())).not.toBeNull()

    await server.asMaster('DELETE', `/users/${getUser(tab.client)?.objectId}`)
    await refetchUser(tab.client).catch(() => undefined)
    expect(tab.seen).toContain('unauthenticated')
  },
)

test('a change in another tab shows here, without asking and without an echo', async () => {
  const { first, second } = await openTwoSignedIn()
  await saveUser(first.client, { note: 'from the first' })
  const written = window.localStorage.getItem(key())
  second.hear()
  expect(getUser(second.client)?.note).toBe('from the first')
  expect(second.wire.calls).toEqual([])
  expect(window.localStorage.getItem(key())).toBe(written)
})

test('an old session in this tab does not overwrite the new one of another', async () => {
  const { first, second } = await openTwoSignedIn()
  const release = second.wire.hold()
  const refetching = refetchUser(second.client).catch(() => undefined)
  await vi.waitFor(() => expect(second.wire.calls).toHaveLength(1), { timeout: 60_000 })
  const other = newName()
  await signUp(first.client, { username: other, password })
  const written = window.localStorage.getItem(key())
  release()
  await refetching
  expect(window.localStorage.getItem(key())).toBe(written)
  second.hear()
  await vi.waitFor(() => expect(getUser(second.client)?.username).toBe(other), { timeout: 60_000 })
})

test('ignores other keys', async () => {
  const { second } = await openTwoSignedIn()
  window.localStorage.removeItem(key())
  second.hear('something else')
  expect(second.seen).toEqual([])
})

test('a page restored from the back-forward cache catches up', async () => {
  const { first, second } = await openTwoSignedIn()
  await signOut(first.client)
  second.comeBack()
  expect(second.seen).toEqual(['unauthenticated'])
})
