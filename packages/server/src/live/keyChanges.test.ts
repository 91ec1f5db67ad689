import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { retireConsoleKeys, rotateConsoleKeys } from '../console/keys.ts'
import { createTestServer, type TestServer } from '../testing/createTestServer.ts'
import { type LiveSocket, openLiveSocket } from '../testing/openLiveSocket.ts'

/** Two servers on one database: keys are changed by the first. */
let one: TestServer
let two: TestServer
let cloud: string
const opened: LiveSocket[] = []

beforeAll(async () => {
  cloud = await mkdtemp(join(tmpdir(), 'countersign-cloud-'))
  await writeFile(
    join(cloud, 'main.js'),
    `Parse.Cloud.define('countSecrets', () => new Parse.Query('Secret').count({ useMasterKey: true }))`,
  )
  one = await createTestServer({ cloud })
  two = await createTestServer({ readOnlyMasterKey: 'the key that only reads' }, one.database)
})
afterEach(() => {
  for (const socket of opened.splice(0)) socket.close()
})
afterAll(async () => {
  await two.stop()
  await one.stop()
  await rm(cloud, { recursive: true })
})

async function open(server: TestServer, connect: object): Promise<LiveSocket> {
  const socket = await openLiveSocket(server, { connect })
  opened.push(socket)
  return socket
}

const patience = 200

async function isKnownTo(server: TestServer, masterKey: string): Promise<void> {
  await vi.waitFor(() => expect(server.context.keys).toMatchObject({ masterKey }), { timeout: 20_000 })
}

test('SEC-66: a socket of a revoked master key is closed on every server and receives nothing more', async () => {
  const former = one.context.keys.masterKey
  const users = { className: '_User' }
  const sockets = [await open(one, { masterKey: former }), await open(two, { masterKey: former })]
  const others = [
    await open(one, {}),
    await open(two, { masterKey: 'the key that only reads' }),
    await open(two, { masterKey: 'a wrong key' }),
  ]
  for (const socket of sockets) expect(await socket.subscribe(1, users)).toMatchObject({ op: 'subscribed' })
  for (const socket of others) await socket.subscribe(1, { className: 'Open' })

  const { masterKey } = await rotateConsoleKeys(one.context, patience)
  await isKnownTo(two, masterKey as string)
  // The former key holds until it is retired.
  await one.signUp('between')
  for (const socket of sockets) await socket.next('create')
  const latest = await open(two, { masterKey })
  expect(await latest.subscribe(1, users)).toMatchObject({ op: 'subscribed' })

  await retireConsoleKeys(one.context)
  for (const socket of sockets) {
    expect(await socket.next('error')).toMatchObject({ code: 4, requestId: null, reconnect: false })
    expect(await socket.closed).toBe(1008)
  }
  await one.signUp('after')
  await latest.next(({ op, object }) => op === 'create' && object?.username === 'after')
  for (const socket of sockets) expect(JSON.stringify(socket.frames)).not.toContain('"after"')
  await one.call('POST', '/classes/Open', { n: 1 })
  for (const socket of others) await socket.next('create')
  const again = await open(two, { masterKey: former })
  expect(await again.subscribe(1, { className: '_Session' })).toMatchObject({ op: 'error' })
})

test('SEC-66: a client that ignores the close is cut off, and a pending subscription does not join', async () => {
  const former = one.context.keys.masterKey
  const { masterKey } = await rotateConsoleKeys(one.context, patience)
  const socket = await open(one, { masterKey: former })
  let asked = () => {}
  const isAsked = new Promise<void>((resolve) => {
    asked = resolve
  })
  let go = () => {}
  const { hooks } = one.context.registry
  hooks.set('beforeSubscribe Held', [
    () =>
      new Promise((resolve) => {
        go = () => resolve(undefined)
        asked()
      }),
  ])
  socket.send({ op: 'subscribe', requestId: 2, query: { className: 'Held', where: {} } })
  await isAsked
  // It reads nothing and never responds. For that alone it would be cut off after ten seconds, at the earliest.
  socket.socket.pause()
  const before = one.live.stats.sockets
  await retireConsoleKeys(one.context)
  go()
  await vi.waitFor(() => expect(one.live.stats.sockets).toBe(before - 1), { timeout: 8_000 })
  expect(one.live.stats.subscriptions).toBe(0)
  hooks.delete('beforeSubscribe Held')
  await isKnownTo(two, masterKey as string)
})

test('SEC-66: the parts of a batch that come after the key was retired are refused', async () => {
  const former = one.context.keys.masterKey
  await rotateConsoleKeys(one.context, patience)
  const { hooks } = one.context.registry
  let retired: Promise<unknown> | undefined
  const retire = () => {
    retired ??= retireConsoleKeys(one.context)
    return retired
  }
  hooks.set('afterSave Part', [async () => void (await retire())])
  const part = { method: 'POST', path: `${one.context.config.mount}/classes/Part`, body: { n: 1, ACL: {} } }
  const requests = Array(40).fill(part)
  const { body } = await one.call('POST', '/batch', { requests }, { headers: { 'X-Parse-Master-Key': former } })
  hooks.delete('afterSave Part')
  const answers = body as unknown as object[]
  expect(answers[0]).toMatchObject({ success: { objectId: expect.any(String) } })
  expect(answers.at(-1)).toMatchObject({ error: { error: 'unauthorized' } })
})

test('SEC-66: code of the application keeps its rights when keys are retired', async () => {
  const headers = () => ({ headers: { 'X-Parse-Master-Key': one.context.keys.masterKey } })
  expect((await one.call('POST', '/classes/Secret', { ACL: {} }, headers())).status).toBe(201)
  expect((await one.call('POST', '/functions/countSecrets', {})).body).toEqual({ result: 1 })
  await rotateConsoleKeys(one.context, patience)
  await retireConsoleKeys(one.context)
  expect((await one.call('POST', '/functions/countSecrets', {})).body).toEqual({ result: 1 })
})
