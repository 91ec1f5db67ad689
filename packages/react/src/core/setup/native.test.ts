// @vitest-environment node
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createMemory } from '../../testing/createMemory.ts'
import { createTestProvider } from '../../testing/createTestProvider.ts'
import type { ClientOptions } from '../client/Client.ts'
import { getUser } from '../session/getUser.ts'
import { signInWithPassword } from '../session/signInWithPassword.ts'
import { signOut } from '../session/signOut.ts'
import { createSignInFlow } from '../signInFlow/createSignInFlow.ts'
import { createEip1193Connector } from '../wallet/connectors/createEip1193Connector.ts'
import { startWallet } from '../wallet/startWallet.ts'
import { createClient } from './createClient.ts'
import { initialize } from './initialize.ts'

/** The globals of React Native: a `window` that is the global object, and nothing of a page. */
const missing = ['addEventListener', 'dispatchEvent', 'document', 'location', 'localStorage', 'Event', 'CustomEvent']
// Node loads its own when they are first used, and they need what is taken away below.
void [new Headers(), new Response()]

beforeEach(() => {
  vi.stubGlobal('window', globalThis)
  for (const name of missing) vi.stubGlobal(name, undefined)
  vi.spyOn(AbortSignal, 'any').mockImplementation(() => {
    throw new TypeError('AbortSignal.any is not a function')
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

/** Like AsyncStorage: every result is asynchronous, and in any order that `wait` gives. */
function createSlowStorage(wait: () => number = () => 1) {
  const { items, ...memory } = createMemory()
  const later = <Result>(act: () => Result) =>
    new Promise<Result>((resolve) => setTimeout(() => resolve(act()), wait()))
  return {
    items,
    storage: {
      getItem: (key: string) => later(() => memory.getItem(key)),
      setItem: (key: string, value: string) => later(() => memory.setItem(key, value)),
      removeItem: (key: string) => later(() => memory.removeItem(key)),
    },
  }
}

const time = '2024-01-01T00:00:00.000Z'
const user = { objectId: 'u1', username: 'ada', createdAt: time, updatedAt: time }

function create(options: ClientOptions) {
  const calls: { path: string; token: string | null; installation: string | null }[] = []
  const client = createClient({
    appId: 'app',
    serverUrl: 'https://server.test/server',
    attemptLimit: 1,
    async fetch(input, init) {
      const headers = new Headers(init?.headers)
      const path = new URL(String(input)).pathname.replace('/server', '')
      const token = headers.get('X-Parse-Session-Token')
      calls.push({ path, token, installation: headers.get('X-Parse-Installation-Id') })
      const body = path === '/login' ? { ...user, sessionToken: 'r:token' } : path === '/logout' ? {} : user
      return new Response(JSON.stringify(body), { headers: { 'Content-Type': 'application/json' } })
    },
    ...options,
  })
  return { client, calls }
}

test('without a page: it is initialized, and wallets of the application’s own are offered', async () => {
  const wallet = createTestProvider()
  const connector = createEip1193Connector({ id: 'own', kind: 'custom', name: 'Own' }, async () => wallet)
  const { client } = create({ connectors: [connector], storage: createMemory() })
  await initialize(client, {}, { throwOnError: true })
  await startWallet(client)
  expect(client.initialization.get().status).toBe('ready')
  expect(client.session.get().status).toBe('unauthenticated')
  expect(client.wallet.get()).toEqual({ status: 'disconnected' })
  expect(client.connectors.get().map(({ id }) => id)).toEqual(['own'])
})

test('without a page: a server that is away is waited for', async () => {
  const wallet = createTestProvider()
  const connector = createEip1193Connector({ id: 'own', kind: 'custom', name: 'Own' }, async () => wallet)
  const { client } = create({
    connectors: [connector],
    storage: createMemory(),
    fetch: async () => {
      throw new TypeError('Network request failed')
    },
  })
  await initialize(client, {}, { throwOnError: true })
  const flow = createSignInFlow(client)
  flow.connect(connector)
  await vi.waitFor(() => expect(flow.state.get().status).toBe('offline'), 60_000)
  flow.reset()
})

test('asynchronous storage: the first check of the session waits for it', async () => {
  const { storage, items } = createSlowStorage()
  const first = create({ storage })
  const states: string[] = []
  first.client.session.subscribe(() => states.push(first.client.session.get().status))
  await initialize(first.client, {}, { throwOnError: true })
  await signInWithPassword(first.client, { username: 'ada', password: 'x' }, { throwOnError: true })
  await vi.waitFor(() => expect(items.get('Countersign/app/session')).toContain('r:token'), { timeout: 60_000 })
  expect(states).toEqual(['unauthenticated', 'authenticating', 'authenticated'])

  // The application is started again.
  const again = create({ storage })
  const shown: string[] = []
  again.client.session.subscribe(() => shown.push(again.client.session.get().status))
  const initializing = initialize(again.client, {}, { throwOnError: true })
  expect(again.client.initialization.get().status).toBe('initializing')
  await initializing
  expect(shown, 'nobody is shown as signed out in between').toEqual(['undefined', 'authenticated'])
  expect(getUser(again.client)?.username).toBe('ada')
  expect(again.calls[0]).toMatchObject({ path: '/users/me', token: 'r:token' })
  expect(again.calls[0]?.installation, 'the same installation').toBe(first.calls[0]?.installation)

  await signOut(again.client, { throwOnError: true })
  await vi.waitFor(() => expect(items.has('Countersign/app/session')).toBe(false), { timeout: 60_000 })
  const last = create({ storage })
  await initialize(last.client, {}, { throwOnError: true })
  expect(last.client.session.get().status).toBe('unauthenticated')
})

test('asynchronous storage: the last write stays', async () => {
  let wait = 60
  const { storage, items } = createSlowStorage(() => {
    wait -= 10
    return Math.max(1, wait)
  })
  const { client } = create({ storage })
  await initialize(client, {}, { throwOnError: true })
  wait = 60
  await signInWithPassword(client, { username: 'ada', password: 'x' }, { throwOnError: true })
  await signOut(client, { throwOnError: true })
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(items.has('Countersign/app/session')).toBe(false)
})

test('asynchronous storage that fails counts as none: signing in works', async () => {
  const fail = () => Promise.reject(new Error('disk'))
  const { client } = create({ storage: { getItem: fail, setItem: fail, removeItem: fail } })
  await initialize(client, {}, { throwOnError: true })
  await signInWithPassword(client, { username: 'ada', password: 'x' }, { throwOnError: true })
  expect(getUser(client)?.username).toBe('ada')
  await signOut(client, { throwOnError: true })
  expect(client.session.get().status).toBe('unauthenticated')
})

test('asynchronous storage: the last used wallet is connected again', async () => {
  const { storage, items } = createSlowStorage()
  items.set('Countersign/wallet', JSON.stringify({ id: 'own', connected: true }))
  const wallet = createTestProvider()
  const connector = createEip1193Connector({ id: 'own', kind: 'custom', name: 'Own' }, async () => wallet)
  const { client } = create({ connectors: [connector], storage })
  await startWallet(client)
  expect(client.wallet.get().status).toBe('connected')
})
