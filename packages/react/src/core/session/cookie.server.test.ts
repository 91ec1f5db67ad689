import { beforeEach, expect, test } from 'vitest'
import { serveTests } from '../../testing/serveTests.ts'
import { visit } from '../../testing/visit.ts'
import { watchStates } from '../../testing/watchStates.ts'
import { refetchUser } from '../account/account.ts'
import { listOutbox } from '../account/email.ts'
import { changePassword } from '../account/passwords.ts'
import { listSessions } from '../account/sessions.ts'
import type { ClientOptions } from '../client/Client.ts'
import { createClient } from '../setup/createClient.ts'
import { initialize } from '../setup/initialize.ts'
import { getUser } from './getUser.ts'
import { signInWithPassword } from './signInWithPassword.ts'
import { signOut } from './signOut.ts'
import { signUp } from './signUp.ts'

const server = serveTests()
beforeEach(() => {
  window.localStorage.clear()
  visit(`${server.origin}/profile`)
})

const password = 'correct horse battery'
let counter = 0

async function open(options: ClientOptions = {}) {
  const client = createClient({ appId: server.appId, serverUrl: '/server', throwOnError: true, ...options })
  const seen = watchStates(client.session)
  await initialize(client)
  return { client, seen, username: `cookie-${++counter}` }
}

const storedText = () => window.localStorage.getItem(`Countersign/${server.appId}/session`) ?? ''

test('the session is in an HttpOnly cookie if page and server share an origin', async () => {
  const { client, username } = await open()
  await signUp(client, { username, password })
  expect(client.initialization.get()).toMatchObject({ serverUrl: server.serverUrl })
  expect(getUser(client)?.username).toBe(username)
  expect(storedText()).toContain(username)
  expect(storedText()).not.toContain('token')
  expect(storedText()).not.toContain('r:')
  expect(document.cookie).not.toContain('r:')

  const again = await open()
  expect(again.seen).toEqual(['undefined', `authenticated ${username}`])
  await signOut(again.client)
  expect(storedText()).toBe('')
  expect((await open()).seen).toEqual(['undefined', 'unauthenticated'])
})

test('a new password renews the cookie, and the session goes on', async () => {
  const { client, username } = await open()
  await signUp(client, { username, password })
  await changePassword(client, { currentPassword: password, newPassword: 'another one' })
  expect((await refetchUser(client))?.username).toBe(username)
  expect(await listSessions(client)).toHaveLength(1)
})

test('a dead cookie that the page knows nothing of does not get in the way of a sign-up', async () => {
  const first = await open()
  await signUp(first.client, { username: first.username, password })
  await server.asMaster('DELETE', `/users/${getUser(first.client)?.objectId}`)
  window.localStorage.clear()
  const { client, seen, username } = await open()
  await signUp(client, { username, password })
  expect(seen).toEqual(['undefined', 'unauthenticated', 'authenticating', `authenticated ${username}`])
  expect((await refetchUser(client))?.username).toBe(username)
})

test('a failed login ends the cookie session of the user before, and not the one of the next login', async () => {
  const { client, username } = await open({
    async fetch(input, init) {
      if (String(input).endsWith('/logout')) await new Promise((resolve) => setTimeout(resolve, 300))
      return fetch(input, init)
    },
  })
  await signUp(client, { username, password })
  const objectId = getUser(client)?.objectId
  await expect(signInWithPassword(client, { username, password: 'wrong' })).rejects.toThrow(
    'Invalid username/password.',
  )
  expect(storedText()).toBe('')
  await signInWithPassword(client, { username, password })
  expect(getUser(client)?.objectId).toBe(objectId)
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(await listSessions(client)).toHaveLength(1)
})

test('without a session the outbox can be read all the same', async () => {
  const { client } = await open()
  expect(await listOutbox(client)).toEqual(expect.any(Array))
})

test('another origin, or the wish for it, means a token in storage', async () => {
  const wanted = await open({ session: 'storage' })
  await signUp(wanted.client, { username: wanted.username, password })
  expect(JSON.parse(storedText()).token).toMatch(/^r:/)

  window.localStorage.clear()
  visit('http://elsewhere.example/')
  const { client, username } = await open({ serverUrl: server.serverUrl })
  await signUp(client, { username, password })
  expect(JSON.parse(storedText()).token).toMatch(/^r:/)
  expect((await refetchUser(client))?.username).toBe(username)
})
