import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Parse from 'parse/node'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createTestServer, type TestServer } from '../../testing/createTestServer.ts'
import { openLiveSocket } from '../../testing/openLiveSocket.ts'
import { stayOnThisMachine } from '../../testing/stayOnThisMachine.ts'

/** Common API of both packages, whose types are incomplete. */
type Subscription = {
  on(event: string, handle: (...received: SdkObject[]) => void): void
  unsubscribe(): Promise<void>
}
type SdkObject = {
  id: string
  className: string
  get(name: string): unknown
  set(fields: object): SdkObject
  setACL(acl: object): void
  save(fields?: object | null): Promise<SdkObject>
  destroy(): Promise<SdkObject>
}
type Query = {
  equalTo(name: string, value: unknown): Query
  greaterThan(name: string, value: number): Query
  subscribe(token?: string): Promise<Subscription>
}
type Sdk = {
  Object: new (className: string, fields?: object) => SdkObject
  Query: new (className: string) => Query
  User: {
    enableUnsafeCurrentUser(): void
    disableUnsafeCurrentUser(): void
    logOut(): Promise<void>
    signUp(name: string, password: string): Promise<SdkObject & { getSessionToken(): string }>
  }
  ACL: new (user: unknown) => object
  LiveQuery: { close(): Promise<void>; on(event: string, handle: (received: unknown) => void): void }
}

/** Hooks as they are written for parse-server. */
const cloud = `
  Parse.Cloud.beforeConnect((request) => {
    if (request.installationId === 'unwanted') throw 'Go away.'
  })
  Parse.Cloud.beforeSubscribe('Hooked', (request) => {
    if (!request.user) throw new Parse.Error(141, 'Sign in first.')
    request.query.greaterThan('n', 5)
  })
  Parse.Cloud.afterLiveQueryEvent('Hooked', (request) => {
    if (request.object.get('n') === 7) request.sendEvent = false
    if (request.event === 'update') request.event = 'enter'
    request.object.set('said', request.user.get('username') + ' ' + request.event)
  })
  Parse.Cloud.afterLiveQueryEvent('Endless', (request) => {
    if (request.object.get('n') === 1) return new Promise(() => {})
  })
`

let server: TestServer
let folder: string
const sdks = new Map<string, Sdk>()
beforeAll(async () => {
  stayOnThisMachine()
  folder = await mkdtemp(join(tmpdir(), 'countersign-cloud-'))
  await writeFile(join(folder, 'main.js'), cloud)
  server = await createTestServer({ cloud: folder })
  const parse = Parse as unknown as Sdk & { initialize(appId: string): void; serverURL: string }
  parse.initialize(server.appId)
  parse.serverURL = server.serverUrl
  const moralis: Sdk & { start(options: object): Promise<void> } = createRequire(import.meta.url)('moralis-v1/node')
  await moralis.start({ serverUrl: server.serverUrl, appId: server.appId })
  for (const sdk of [parse, moralis]) sdk.User.enableUnsafeCurrentUser()
  sdks.set('parse', parse).set('moralis-v1', moralis)
})
afterAll(async () => {
  // Other files may share the packages: they find them as they were.
  for (const sdk of sdks.values()) {
    await sdk.LiveQuery.close()
    await sdk.User.logOut()
    sdk.User.disableUnsafeCurrentUser()
  }
  vi.restoreAllMocks()
  await server.stop()
  await rm(folder, { recursive: true })
})

function record(subscription: Subscription) {
  const received: [string, SdkObject, SdkObject | undefined][] = []
  for (const event of ['create', 'update', 'enter', 'leave', 'delete']) {
    subscription.on(event, (object, original) => received.push([event, object as SdkObject, original]))
  }
  const until = (count: number) =>
    vi.waitFor(() => expect(received.length).toBe(count), { timeout: 60_000, interval: 10 })
  return { received, until }
}

test.each(['parse', 'moralis-v1'])('R24: the public client of %s receives everything, as it is', async (name) => {
  const sdk = sdks.get(name) as Sdk
  const user = await sdk.User.signUp(`user-of-${name}`, 'a secret')
  const className = name === 'parse' ? 'ParseGame' : 'MoralisGame'
  const subscription = await new sdk.Query(className).greaterThan('score', 10).subscribe()
  const { received, until } = record(subscription)
  const game = await new sdk.Object(className, { score: 11, at: new Date('2020-02-02') }).save()
  await until(1)
  await game.save({ score: 12 })
  await until(2)
  await game.save({ score: 5 })
  await until(3)
  await game.save({ score: 50 })
  await until(4)
  await game.destroy()
  await until(5)
  expect(received.map(([event]) => event)).toEqual(['create', 'update', 'leave', 'enter', 'delete'])
  const [[, created] = [], [, updated, before] = []] = received as [string, SdkObject, SdkObject | undefined][]
  expect([created?.id, created?.className, created?.get('at')]).toEqual([game.id, className, new Date('2020-02-02')])
  expect([updated?.get('score'), before?.get('score')]).toEqual([12, 11])

  // Objects of the user's own, by the token that the client sends along.
  const own = await new sdk.Query('Own').subscribe(user.getSessionToken())
  const mine = record(own)
  const secret = new sdk.Object('Own', { owner: name })
  secret.setACL(new sdk.ACL(user))
  await secret.save()
  await mine.until(1)
  await own.unsubscribe()
  await secret.save({ owner: 'nobody hears' })
  const again = record(await new sdk.Query('Own').equalTo('owner', `end of ${name}`).subscribe())
  await secret.save({ owner: `end of ${name}` })
  await again.until(1)
  expect([again.received[0]?.[0], mine.received.length]).toEqual(['enter', 1])
})

test('the public parse client reconnects after its socket was cut', async () => {
  const sdk = sdks.get('parse') as Sdk
  const { received, until } = record(await new sdk.Query('Again').subscribe())
  const { stats } = server.live
  const { sockets, subscriptions } = stats
  // As a server that stops would do it.
  const { getDefaultLiveQueryClient } = (
    Parse as unknown as {
      CoreManager: { getLiveQueryController(): { getDefaultLiveQueryClient(): Promise<{ socket: { close(): void } }> } }
    }
  ).CoreManager.getLiveQueryController()
  const client = await getDefaultLiveQueryClient()
  client.socket.close()
  await vi.waitFor(() => expect(stats.sockets).toBe(sockets - 1), { timeout: 60_000, interval: 5 })
  await vi.waitFor(() => expect(stats.sockets).toBe(sockets), { timeout: 60_000, interval: 10 })
  await vi.waitFor(() => expect(stats.subscriptions).toBe(subscriptions), { timeout: 60_000, interval: 10 })
  await new sdk.Object('Again').save()
  await until(1)
  expect(received[0]?.[0]).toBe('create')
})

test('the public parse client logs out and closes without an unhandled rejection', async () => {
  const sdk = sdks.get('parse') as Sdk
  const rejected: unknown[] = []
  const note = (reason: unknown) => rejected.push(reason)
  process.on('unhandledRejection', note)
  try {
    const user = await sdk.User.signUp('leaves', 'a secret')
    await new sdk.Query('Left').subscribe(user.getSessionToken())
    const { sockets, subscriptions } = server.live.stats
    // The server ends the subscription before the client hears that it is logged out.
    await sdk.User.logOut()
    await vi.waitFor(() => expect(server.live.stats.subscriptions).toBe(subscriptions - 1), {
      timeout: 60_000,
      interval: 1,
    })
    await sdk.LiveQuery.close()
    await vi.waitFor(() => expect(server.live.stats.sockets).toBe(sockets - 1), { timeout: 60_000, interval: 5 })
    await new Promise((resolve) => setTimeout(resolve, 700))
    expect(rejected).toEqual([])
  } finally {
    process.off('unhandledRejection', note)
  }
})

test('an unknown field is refused in the form that older clients recover from', async () => {
  const socket = await openLiveSocket(server)
  const refusal = { code: 1, error: 'Additional properties not allowed', reconnect: true, requestId: null }
  for (const frame of [
    { query: { className: 'Any', where: {} }, more: 1 },
    { query: { className: 'Any', where: {}, more: 1 } },
  ]) {
    const before = socket.frames.length
    socket.send({ op: 'subscribe', requestId: 1, ...frame })
    await vi.waitFor(() => expect(socket.frames.length).toBe(before + 1), { timeout: 60_000 })
    expect(socket.frames.at(-1)).toMatchObject(refusal)
  }
  socket.close()
})

test('hooks that were written for parse-server are asked, as they are', async () => {
  const refused = await openLiveSocket(server, { connect: { installationId: 'unwanted' } })
  expect(refused.frames[0]).toMatchObject({ op: 'error', error: 'Go away.' })
  const { token } = await server.signUp('hooked')
  const socket = await openLiveSocket(server)
  expect(await socket.subscribe(1, { className: 'Hooked' })).toMatchObject({ code: 141, error: 'Sign in first.' })
  await socket.subscribe(1, { className: 'Hooked' }, { sessionToken: token })
  for (const n of [1, 6, 7, 8])
    await server.call('POST', '/classes/Hooked', { n, at: { __type: 'Date', iso: '2020-02-02T00:00:00.000Z' } })
  const first = await socket.next('create')
  await server.call('PUT', `/classes/Hooked/${first.object?.objectId}`, { n: 9 })
  expect(await socket.next('enter')).toMatchObject({ object: { n: 9, said: 'hooked enter' }, original: { n: 6 } })
  expect(first.object).toEqual({
    className: 'Hooked',
    objectId: expect.any(String),
    n: 6,
    at: { __type: 'Date', iso: '2020-02-02T00:00:00.000Z' },
    said: 'hooked create',
    createdAt: expect.stringMatching(/Z$/),
    updatedAt: expect.stringMatching(/Z$/),
  })
  expect(socket.frames.filter(({ object }) => object).map(({ object }) => object?.n)).toEqual([6, 8, 9])
  socket.close()
})

test('a hook is asked about a class that is not open to live queries, and its reason is returned', async () => {
  const closed = await createTestServer({ cloud: folder, liveQuery: { classNames: ['Open'] } })
  const socket = await openLiveSocket(closed)
  expect(await socket.subscribe(1, { className: 'Hooked' })).toMatchObject({ code: 141, error: 'Sign in first.' })
  const { token } = await closed.signUp('hooked')
  expect(await socket.subscribe(1, { className: 'Hooked' }, { sessionToken: token })).toMatchObject({ code: 119 })
  socket.close()
  await closed.stop()
})

test('a parse-server hook that never ends is canceled, and delays no other caller', async () => {
  const [endless, other] = [await openLiveSocket(server), await openLiveSocket(server)]
  await endless.subscribe(1, { className: 'Endless' })
  await other.subscribe(1, { className: 'Prompt' })
  server.context.config.functions.timeoutMs = 2_000
  for (const n of [1, 2]) await server.call('POST', '/classes/Endless', { n }, { master: true })
  await server.call('POST', '/classes/Prompt', { n: 3 }, { master: true })
  await other.next('create')
  expect(endless.frames.filter(({ op }) => op === 'create')).toEqual([])
  expect(await endless.next('create')).toMatchObject({ object: { n: 2 } })
  server.context.config.functions.timeoutMs = 15_000
  for (const socket of [endless, other]) socket.close()
})
