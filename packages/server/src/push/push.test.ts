import { createECDH, generateKeyPairSync, sign, X509Certificate } from 'node:crypto'
import { createServer, globalAgent, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PushAdapter, PushDevice } from '../config/pushSettings.ts'
import { createPushBrowser } from '../testing/createPushBrowser.ts'
import { createTestServer, type TestServer } from '../testing/createTestServer.ts'

// A push service as browsers have one: https, and what arrives is opened by the keys of the browser.
type Arrival = { path: string; headers: Record<string, unknown>; body: Buffer }

const arrivals: Arrival[] = []
const signer = createECDH('prime256v1')
const vapid = { publicKey: signer.generateKeys('base64url'), privateKey: signer.getPrivateKey('base64url') }
const sent: { devices: PushDevice[]; data: object }[] = []
const adapter: PushAdapter = {
  getValidPushTypes: () => ['ios'],
  async send({ data }, devices) {
    sent.push({ devices, data })
    return devices.map(({ deviceToken }) => ({ transmitted: deviceToken !== 'bad', response: 'no such token' }))
  },
}
let service: Server
let origin: string
let server: TestServer

beforeAll(async () => {
  const { key, cert } = makeCertificate()
  service = createServer({ key, cert }, async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    arrivals.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks) })
    if (request.url === '/moved') response.writeHead(302, { Location: `${origin}/target` })
    else response.statusCode = request.url === '/gone' ? 410 : 201
    response.end()
  })
  await new Promise<void>((resolve) => service.listen(0, 'localhost', resolve))
  origin = `https://localhost:${(service.address() as AddressInfo).port}`
  globalAgent.options.ca = cert
  const web = { ...vapid, subject: 'mailto:ops@example.com', hosts: ['localhost'] }
  server = await createTestServer({ push: { adapter, web } })
})
afterAll(async () => {
  delete globalAgent.options.ca
  service.close()
  await server.stop()
})

/** A browser with keys of its own. */
function createBrowser(path: string) {
  const { keys, open } = createPushBrowser()
  return {
    fields: {
      installationId: `browser-${path.slice(1)}`,
      deviceType: 'web',
      deviceToken: `${origin}${path}`,
      pushKeys: keys,
    },
    open: (body: Buffer): unknown => JSON.parse(open(body)),
  }
}

async function push(input: object) {
  const answer = await server.call('POST', '/push', input, { master: true })
  await server.context.background.settle()
  const id = answer.headers.get('X-Parse-Push-Status-Id')
  const status = id ? (await server.call('GET', `/classes/_PushStatus/${id}`, undefined, { master: true })).body : {}
  return { answer, status }
}

test('a push reaches the browsers that the query finds, encrypted for each and signed', async () => {
  const one = createBrowser('/one')
  const other = createBrowser('/other')
  const third = createBrowser('/third')
  await server.call('POST', '/installations', { ...one.fields, channels: ['news'] })
  await server.call('POST', '/installations', { ...other.fields, channels: ['news', 'sport'] })
  await server.call('POST', '/installations', { ...third.fields, channels: [] })
  const { answer, status } = await push({
    where: { channels: 'news' },
    data: { alert: 'Hello', title: 'News' },
    expiration_interval: 60,
  })
  expect([answer.status, answer.body]).toEqual([200, { result: true }])
  expect(status).toMatchObject({ status: 'succeeded', numSent: 2, numFailed: 0, count: 2, sentPerType: { web: 2 } })
  expect(arrivals.map(({ path }) => path).sort()).toEqual(['/one', '/other'])
  for (const { path, headers, body } of arrivals) {
    expect(body.toString('latin1')).not.toContain('Hello')
    expect((path === '/one' ? one : other).open(body)).toEqual({ alert: 'Hello', title: 'News' })
    expect(headers).toMatchObject({ ttl: '60', 'content-encoding': 'aes128gcm' })
    expect(String(headers.authorization)).toContain(`k=${vapid.publicKey}`)
  }
})

test('channels and audiences choose, an adapter gets its types, and failures are counted', async () => {
  arrivals.length = 0
  await server.call('POST', '/installations', { installationId: 'phone-1', deviceType: 'ios', deviceToken: 'good' })
  await server.call('POST', '/installations', { installationId: 'phone-2', deviceType: 'ios', deviceToken: 'bad' })
  await server.call('POST', '/installations', { installationId: 'phone-3', deviceType: 'android', deviceToken: 'x' })
  const query = JSON.stringify({ deviceType: { $in: ['ios', 'android'] } })
  const { body } = await server.call('POST', '/classes/_Audience', { name: 'phones', query }, { master: true })
  const audience = body.objectId
  const { status } = await push({ audience_id: audience, data: { alert: 'x' } })
  expect(status).toMatchObject({ numSent: 1, numFailed: 2, failedPerType: { ios: 1, android: 1 } })
  expect(
    sent
      .at(-1)
      ?.devices.map(({ deviceToken }) => deviceToken)
      .sort(),
  ).toEqual(['bad', 'good'])
  const used = await server.call('GET', `/classes/_Audience/${audience}`, undefined, { master: true })
  expect(used.body.timesUsed).toBe(1)
  expect((await push({ channels: ['sport'], data: { alert: 'y' } })).status).toMatchObject({ numSent: 1 })
})

test('a device names only its own user, and gets nothing of a user who signed out there', async () => {
  arrivals.length = 0
  const browser = createBrowser('/own')
  const { installationId } = browser.fields
  const there = { 'X-Parse-Installation-Id': installationId }
  const ann = await server.signUp('ann')
  const bob = await server.signUp('bob')
  const pointer = (objectId: string) => ({ __type: 'Pointer', className: '_User', objectId })
  const { body } = await server.call(
    'POST',
    '/login',
    { username: 'ann', password: 'ann password' },
    { headers: there },
  )
  const token = String(body.sessionToken)
  const register = (user: unknown, options: object) =>
    server.call('POST', '/installations', { ...browser.fields, user }, options)
  expect((await register(pointer(bob.objectId), { token })).body.code).toBe(119)
  expect((await register(pointer(ann.objectId), {})).body.code).toBe(119)
  for (const options of [{ token }, {}]) {
    const asFirst = { __op: 'SetOnInsert', amount: pointer(bob.objectId) }
    expect((await register(asFirst, options)).body.code, 'whichever operation sets it').toBe(119)
  }
  const made = await register(pointer(ann.objectId), { token })
  expect(made.status, made.text).toBe(201)
  const taken = { user: pointer(bob.objectId) }
  const changed = await server.call('PUT', `/installations/${made.body.objectId}`, taken, { token })
  expect(changed.body.code).toBe(119)

  const toAnn = { where: { user: pointer(ann.objectId) }, data: { alert: 'for Ann' } }
  expect((await push(toAnn)).status).toMatchObject({ numSent: 1, numFailed: 0 })
  await server.call('POST', '/logout', {}, { token })
  // She is signed in elsewhere still.
  expect((await server.call('GET', '/users/me', undefined, { token: ann.token })).status).toBe(200)
  expect((await push(toAnn)).status).toMatchObject({ numSent: 0, numFailed: 1 })
  expect(arrivals.map(({ path }) => path)).toEqual(['/own'])
  const again = await server.call('POST', '/login', { username: 'ann', password: 'ann password' }, { headers: there })
  expect(again.status).toBe(200)
  expect((await push(toAnn)).status).toMatchObject({ numSent: 1 })

  // A browser ends its subscription this way.
  const gone = { deviceToken: null, pushKeys: { __op: 'Delete' }, user: { __op: 'Delete' } }
  expect((await server.call('POST', '/installations', { installationId, ...gone })).status).toBe(200)
  expect((await push(toAnn)).status).toMatchObject({ count: 0, numSent: 0, numFailed: 0 })
  const left = await server.call('GET', `/installations/${made.body.objectId}`, undefined, { master: true })
  for (const field of ['deviceToken', 'pushKeys', 'user']) expect(left.body).not.toHaveProperty(field)
})

test('no other host is posted to, no redirect followed, and a browser that is gone is forgotten', async () => {
  arrivals.length = 0
  const addresses = [
    'http://localhost/plain',
    'https://localhost.evil.example/x',
    'https://127.0.0.1/x',
    'https://user:secret@localhost/x',
    'no address',
  ]
  for (const [at, deviceToken] of addresses.entries()) {
    const { fields } = createBrowser(`/bad${at}`)
    await server.call('POST', '/installations', { ...fields, deviceToken, channels: ['bad'] })
  }
  for (const path of ['/moved', '/gone']) {
    await server.call('POST', '/installations', { ...createBrowser(path).fields, channels: ['bad'] })
  }
  const { status } = await push({ channels: ['bad'], data: {} })
  expect(status).toMatchObject({ numSent: 0, numFailed: 7 })
  expect(arrivals.map(({ path }) => path).sort()).toEqual(['/gone', '/moved'])
  expect((await push({ channels: ['bad'], data: {} })).status).toMatchObject({ numFailed: 6 })
})

test('a browser with invalid keys, a service that does not respond and a large message fail alone', async () => {
  arrivals.length = 0
  const good = createBrowser('/good')
  const register = (fields: object) => server.call('POST', '/installations', { ...fields, channels: ['odd'] })
  await register(good.fields)
  await register({ ...createBrowser('/odd').fields, pushKeys: { p256dh: 'AAAA', auth: 'AAAA' } })
  await register({ ...createBrowser('/closed').fields, deviceToken: 'https://localhost:1/closed' })
  const { status } = await push({ channels: ['odd'], data: { alert: 'x' } })
  expect(status).toMatchObject({ numSent: 1, numFailed: 2 })
  expect(arrivals.map(({ path }) => path)).toEqual(['/good'])
  const large = await push({ channels: ['odd'], data: { alert: 'x'.repeat(4000) } })
  expect(large.status).toMatchObject({ numSent: 0, numFailed: 3 })
})

test('reports errors; only the master key sends; browsers get the public key', async () => {
  for (const input of [
    { data: {} },
    { where: {}, channels: ['a'], data: {} },
    { where: {}, data: {}, expiration_time: 'soon' },
    { where: {}, data: {}, expiration_time: '2001-01-01T00:00:00Z' },
    { where: {}, data: {}, expiration_time: 1, expiration_interval: 1 },
    { where: {}, data: {}, push_time: '2999-01-01T00:00:00Z' },
    { audience_id: 'nosuch', data: {} },
    { where: { $nosuch: 1 }, data: {} },
  ]) {
    const { answer } = await push(input)
    expect([answer.status >= 400, answer.status < 500], JSON.stringify(input)).toEqual([true, true])
  }
  expect((await server.call('POST', '/push', { where: {}, data: {} })).status).toBe(403)
  expect((await server.call('GET', '/push/key')).body).toEqual({ publicKey: vapid.publicKey })
  expect((await server.call('GET', '/classes/_PushStatus')).body.code).toBe(119)
})

/** A self-signed certificate for localhost, with the minimum of X.509. */
function makeCertificate(): { key: string; cert: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const der = (tag: number, ...parts: Buffer[]) => {
    const content = Buffer.concat(parts)
    const length =
      content.length < 128
        ? Buffer.from([content.length])
        : Buffer.from([0x82, content.length >> 8, content.length & 0xff])
    return Buffer.concat([Buffer.from([tag]), length, content])
  }
  const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'))
  const time = (date: Date) => der(0x18, Buffer.from(`${date.toISOString().replace(/[-:T]|\.\d+/g, '')}`))
  const algorithm = der(0x30, oid('2a8648ce3d040302'))
  const name = der(0x30, der(0x31, der(0x30, oid('550403'), der(0x0c, Buffer.from('localhost')))))
  const names = der(0x30, der(0x82, Buffer.from('localhost')))
  const isAuthority = der(0x30, oid('551d13'), der(0x04, der(0x30, der(0x01, Buffer.from([0xff])))))
  const extensions = der(0xa3, der(0x30, isAuthority, der(0x30, oid('551d11'), der(0x04, names))))
  const validity = der(0x30, time(new Date(Date.now() - 86_400_000)), time(new Date(Date.now() + 86_400_000)))
  const content = der(
    0x30,
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    algorithm,
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    extensions,
  )
  const signature = sign('sha256', content, privateKey)
  const whole = der(0x30, content, algorithm, der(0x03, Buffer.from([0]), signature))
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: new X509Certificate(whole).toString(),
  }
}
