import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../db/sql.ts'
import { isPublicAddress } from '../network/publicAddress.ts'
import { createTestServer, type TestServer } from '../testing/createTestServer.ts'
import { sign, verifyWebhook } from './signature.ts'

type Event = { id: string; type: string; [member: string]: unknown }
type Request = { path: string; headers: IncomingHttpHeaders; text: string; event: Event }
type Delivery = { objectId: string; status: string; attempts: number; [member: string]: unknown }

let server: TestServer
let receiver: Server
let base: string
const requests: Request[] = []
/** Responses of the receiver by path; 204 by default. */
const answers = new Map<string, { status: number; text?: string; location?: string }>()
const master = { master: true }

beforeAll(async () => {
  receiver = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request.setEncoding('utf8')) text += chunk
    const path = request.url ?? ''
    requests.push({ path, headers: request.headers, text, event: JSON.parse(text || '{}') })
    if (path === '/silent') return
    const answer = answers.get(path) ?? { status: 204 }
    response.writeHead(answer.status, answer.location ? { location: answer.location } : {}).end(answer.text)
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  base = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
  server = await createTestServer({ webhooks: { allowPrivateAddresses: true, timeout: 3_000 } })
})
afterAll(async () => {
  await server.stop()
  receiver.closeAllConnections()
  receiver.close()
})

async function until<Value>(read: () => Promise<Value> | Value, holds: (value: Value) => boolean): Promise<Value> {
  const deadline = Date.now() + 15_000
  for (;;) {
    const value = await read()
    if (holds(value)) return value
    if (Date.now() > deadline) throw new Error(`not in time: ${JSON.stringify(value)}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

const at = (path: string) => requests.filter((request) => request.path === path)
const arrived = (path: string, count = 1) =>
  until(
    () => at(path),
    ({ length }) => length >= count,
  )
const wake = () => server.context.db.query(sql`select pg_notify('countersign_deliveries', '')`)

async function create(path: string, rest: object): Promise<{ objectId: string; secret: string }> {
  const { status, body } = await server.call('POST', '/webhooks', { url: `${base}${path}`, ...rest }, master)
  expect(body).toMatchObject({ secret: expect.stringMatching(/^whsec_/) })
  expect(status).toBe(201)
  return body as { objectId: string; secret: string }
}

async function deliveries(objectId: string, query = ''): Promise<Delivery[]> {
  const { body } = await server.call('GET', `/webhooks/${objectId}/deliveries${query}`, undefined, master)
  return body.results as Delivery[]
}

const post = async (path: string, body: object, options = {}) =>
  (await server.call('POST', path, body, options)).body as { objectId: string }

describe('deliveries', () => {
  test('created, changed and deleted objects, by any path', async () => {
    // Before the class is there.
    await create('/games', { events: ['object.created', 'object.updated', 'object.deleted'], classes: ['Game'] })
    const place = { __type: 'GeoPoint', latitude: 1.5, longitude: -2 }
    const when = { __type: 'Date', iso: '2026-02-03T04:05:06.789Z' }
    const { objectId } = await post('/classes/Game', {
      score: 1,
      place,
      when,
      note: null,
      ACL: { '*': { read: true } },
    })
    await server.call('PUT', `/classes/Game/${objectId}`, { score: { __op: 'Increment', amount: 2 } }, master)
    await server.call('DELETE', `/classes/Game/${objectId}`, undefined, master)
    const seen = (await arrived('/games', 3)).map(({ event }) => event)
    const byType = (type: string) => seen.find((event) => event.type === type)
    const object = { objectId, score: 1, place, when, note: null, ACL: { '*': { read: true } } }
    expect(byType('object.created')).toMatchObject({ className: 'Game', object })
    expect(byType('object.updated')).toMatchObject({ object: { ...object, score: 3 }, original: object })
    expect(byType('object.deleted')).toMatchObject({ className: 'Game', object: { ...object, score: 3 } })
    expect(at('/games')).toHaveLength(3)
  })

  test('of a transaction that is rolled back: nothing', async () => {
    await create('/rolled', { events: ['object.created'], classes: ['Rolled'] })
    const request = (body: object) => ({ method: 'POST', path: '/server/classes/Rolled', body })
    const { status } = await server.call('POST', '/batch', {
      transaction: true,
      requests: [request({ number: 1 }), request({ number: 'text' })],
    })
    expect(status).toBe(400)
    await post('/classes/Rolled', { number: 2 })
    const [only, ...more] = await arrived('/rolled')
    expect(only?.event).toMatchObject({ object: { number: 2 } })
    expect(more).toEqual([])
  })

  test.runIf(process.env.TEST_DATABASE === 'postgres')(
    'a webhook deleted during a change does not fail the change',
    async () => {
      const { db } = server.context
      await post('/classes/Meanwhile', {})
      const events = { events: ['object.created'], classes: ['Meanwhile'] }
      const [gone, stays] = [await create('/meanwhile', events), await create('/meanwhile', events)]
      let created: ReturnType<typeof post> | undefined
      await db.transaction(async () => {
        await db.query(sql`delete from countersign.webhooks where "objectId" = ${gone.objectId}`)
        created = post('/classes/Meanwhile', { n: 1 })
        await until(
          () => db.query(sql`select from pg_locks where not granted`),
          ({ length }) => length > 0,
        )
      })
      expect(await created).toMatchObject({ objectId: expect.any(String) })
      const told = await db.query(sql`select d.webhook from countersign.deliveries d
      join countersign.events e on e.id = d.event where e.class_name = 'Meanwhile'`)
      expect(told).toEqual([{ webhook: stays.objectId }])
    },
  )

  test('webhooks come and go during saves: no save fails, and one that stays gets each', async () => {
    const className = 'Busy'
    const events = { events: ['object.created'], classes: [className] }
    const { objectId: stays } = await create('/busy', events)
    await post(`/classes/${className}`, {})
    let isOver = false
    const changing = [1, 2].map(async () => {
      while (!isOver) {
        const { objectId } = await create('/busy-gone', events)
        expect((await server.call('DELETE', `/webhooks/${objectId}`, undefined, master)).status).toBe(200)
      }
    })
    const save = () => server.call('POST', `/classes/${className}`, {}, {})
    const rounds = Array.from({ length: 8 }, async () => {
      const statuses: number[] = []
      for (let n = 0; n < 25; n++) statuses.push((await save()).status)
      return statuses
    })
    const statuses = (await Promise.all(rounds)).flat()
    isOver = true
    await Promise.all(changing)
    expect(new Set(statuses)).toEqual(new Set([201]))
    const [row] = await server.context.db.query<{ count: number }>(
      sql`select count(*)::int from countersign.deliveries where webhook = ${stays}`,
    )
    expect(row?.count).toBe(201)
  })

  test('the last webhook of a class goes during saves: no save fails', async () => {
    const className = 'Left'
    await post(`/classes/${className}`, {})
    for (let round = 0; round < 10; round++) {
      const { objectId } = await create('/left', { events: ['object.created'], classes: [className] })
      const saves = Array.from({ length: 8 }, () => server.call('POST', `/classes/${className}`, {}, {}))
      const gone = server.call('DELETE', `/webhooks/${objectId}`, undefined, master)
      expect((await gone).status).toBe(200)
      expect((await Promise.all(saves)).map(({ status }) => status)).toEqual(Array(8).fill(201))
    }
  })

  test('of a field that got another type since have no value for it', async () => {
    await post('/classes/Game', {})
    const values = {
      String: 'abc',
      Number: 5,
      Boolean: true,
      Date: { __type: 'Date', iso: '2026-02-03T04:05:06.789Z' },
      Array: [1, 'a'],
      Object: { a: 1 },
      GeoPoint: { __type: 'GeoPoint', latitude: 1, longitude: 2 },
      Polygon: {
        __type: 'Polygon',
        coordinates: [
          [0, 0],
          [0, 1],
          [1, 1],
          [0, 0],
        ],
      },
      Bytes: { __type: 'Bytes', base64: 'AQID' },
      Pointer: { __type: 'Pointer', className: 'Game', objectId: 'one' },
      File: { __type: 'File', name: 'a.txt', url: 'https://example.com/a.txt' },
    }
    // Texts in storage fit a text and the id of a pointer; a polygon is a list there, and a file an object.
    const texts = ['String', 'Pointer', 'Date', 'GeoPoint', 'Bytes']
    const alike = new Set([
      'Polygon Array',
      'File Object',
      ...texts.flatMap((type) => [`${type} String`, `${type} Pointer`]),
    ])
    for (const [type, value] of Object.entries(values)) {
      const className = `Retyped${type}`
      const { objectId: webhook } = await create('/retyped', { events: ['object.created'], classes: [className] })
      const { objectId } = await post(`/classes/${className}`, { value, kept: 'kept' })
      for (const [next, its] of Object.entries(values).filter(([other]) => other !== type)) {
        const drop = { className, fields: { value: { __op: 'Delete' } } }
        expect(await server.call('PUT', `/schemas/${className}`, drop, master)).toMatchObject({ status: 200 })
        await post(`/classes/${className}`, { value: its })
        const told = (await deliveries(webhook)).map(({ event }) => event as Event)
        const first = told.find(({ object }) => (object as { objectId: string }).objectId === objectId)
        expect(first?.object, `${type} → ${next}`).toMatchObject({ objectId, kept: 'kept' })
        if (!alike.has(`${type} ${next}`)) expect(first?.object, `${type} → ${next}`).not.toHaveProperty('value')
      }
      await server.call('DELETE', `/webhooks/${webhook}`, undefined, master)
    }
  })

  test('users without their secrets, and only where they are named', async () => {
    await create('/everything', { events: ['object.created'] })
    await create('/users', { events: ['object.created'], classes: ['_User'] })
    await create('/activity', { events: ['user.signUp', 'user.signIn'] })
    const { objectId } = await server.signUp('watched', { email: 'watched@example.com' })
    await server.call('POST', '/login', { username: 'watched', password: 'watched password' })
    const [request] = await arrived('/users')
    expect(request?.event).toMatchObject({ className: '_User', object: { objectId, username: 'watched' } })
    expect(request?.text).not.toMatch(/password|argon|_username_key|sessionToken/)
    const activity = (await arrived('/activity', 2)).map(({ event }) => event)
    expect(activity.map(({ type }) => type).sort()).toEqual(['user.signIn', 'user.signUp'])
    expect(activity[0]).toMatchObject({ user: { __type: 'Pointer', className: '_User', objectId } })
    await post('/classes/Anything', { a: 1 })
    await arrived('/everything')
    expect(at('/everything').map(({ event }) => event.className)).toEqual(['Anything'])
  })

  test('a class without a webhook has no trigger', async () => {
    const triggers = () =>
      server.context.db.query<{ name: string }>(
        sql`select tgrelid::regclass::text as name from pg_trigger where tgname = 'countersign_webhooks'`,
      )
    const { objectId } = await create('/brief', { events: ['object.updated'], classes: ['_Role'] })
    expect((await triggers()).map(({ name }) => name)).toContain('"_Role"')
    await server.call('PUT', `/webhooks/${objectId}`, { enabled: false }, master)
    expect((await triggers()).map(({ name }) => name)).not.toContain('"_Role"')
    await server.call('PUT', `/webhooks/${objectId}`, { enabled: true }, master)
    expect((await triggers()).map(({ name }) => name)).toContain('"_Role"')
    await server.call('DELETE', `/webhooks/${objectId}`, undefined, master)
    expect((await triggers()).map(({ name }) => name)).not.toContain('"_Role"')
  })
})

describe('a delivery', () => {
  test('is signed over id, time and body', async () => {
    const { objectId, secret } = await create('/signed', { events: ['user.none'] })
    await post(`/webhooks/${objectId}/test`, { hello: 'there' }, master)
    const [request] = await arrived('/signed')
    if (!request) throw new Error('nothing arrived')
    const { headers, text, event } = request
    expect(event).toMatchObject({ type: 'test', details: { hello: 'there' } })
    // As a receiver does it that knows the documentation alone.
    const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
    expect(headers['webhook-signature']).toBe(`v1,${createHmac('sha256', key).update(content).digest('base64')}`)
    expect(headers['webhook-id']).toBe(event.id)
    expect(Math.abs(Number(headers['webhook-timestamp']) - server.clock.now().getTime() / 1000)).toBeLessThan(10)

    expect(verifyWebhook(secret, headers, text)).toBe(true)
    expect(verifyWebhook(secret, headers, text.replace('there', 'where'))).toBe(false)
    expect(verifyWebhook(`whsec_${Buffer.from('another').toString('base64')}`, headers, text)).toBe(false)
    expect(verifyWebhook(secret, headers, text, { now: new Date(Date.now() + 3_600_000) })).toBe(false)
    expect(verifyWebhook(secret, { ...headers, 'webhook-id': 'another' }, text)).toBe(false)
    expect(verifyWebhook(secret, {}, text)).toBe(false)
  })

  test('continues with a new secret once it is renewed, which no response shows again', async () => {
    const made = await create('/renewed', { events: ['user.none'] })
    const renewed = await server.call('PUT', `/webhooks/${made.objectId}`, { renewSecret: true }, master)
    const secret = renewed.body.secret as string
    expect(secret).not.toBe(made.secret)
    await post(`/webhooks/${made.objectId}/test`, {}, master)
    const [request] = await arrived('/renewed')
    expect(verifyWebhook(secret, request?.headers ?? {}, request?.text ?? '')).toBe(true)
    const { text } = await server.call('GET', `/webhooks/${made.objectId}`, undefined, master)
    expect(text).not.toContain('whsec_')
    const [row] = await server.context.db.query<{ secret: Buffer }>(
      sql`select secret from countersign.webhooks where "objectId" = ${made.objectId}`,
    )
    expect(row?.secret.includes(Buffer.from(secret.slice(6)))).toBe(false)
  })

  test('is retried with growing delays, under the same id, and its log shows the results', async () => {
    answers.set('/flaky', { status: 500, text: 'not today\0' })
    const { objectId } = await create('/flaky', { events: ['user.none'] })
    await post(`/webhooks/${objectId}/test`, {}, master)
    const failed = async (attempts: number) =>
      until(
        () => deliveries(objectId),
        ([delivery]) => delivery?.attempts === attempts && delivery.error !== undefined,
      )
    const [first] = await failed(1)
    expect(first).toMatchObject({ status: 'pending', responseStatus: 500, error: 'The receiver responded with 500.' })
    server.clock.forward(6_100)
    await wake()
    await failed(2)
    answers.delete('/flaky')
    server.clock.forward(37_000)
    await wake()
    const [last] = await until(
      () => deliveries(objectId),
      ([delivery]) => delivery?.status === 'delivered',
    )
    expect(last).toMatchObject({ attempts: 3, responseStatus: 204, event: { type: 'test' } })
    expect(new Set(at('/flaky').map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(at('/flaky')).toHaveLength(3)

    const again = await post(`/webhooks/${objectId}/deliveries/${last?.objectId}`, {}, master)
    await arrived('/flaky', 4)
    const log = await until(
      () => deliveries(objectId, '?status=delivered'),
      ({ length }) => length === 2,
    )
    expect(log.map((delivery) => delivery.objectId)).toContain(again.objectId)
  })

  test('fails for good at the end, and redirects are not followed', async () => {
    answers.set('/moved', { status: 302, location: `${base}/elsewhere` })
    const { objectId } = await create('/moved', { events: ['user.none'] })
    await post(`/webhooks/${objectId}/test`, {}, master)
    for (let attempt = 1; attempt <= 9; attempt++) {
      await until(
        () => deliveries(objectId),
        ([delivery]) => delivery?.attempts === attempt && delivery.error !== undefined,
      )
      server.clock.forward(30 * 3_600_000)
      await wake()
    }
    const [delivery] = await deliveries(objectId)
    expect(delivery).toMatchObject({ status: 'failed', attempts: 9, responseStatus: 302 })
    expect(at('/elsewhere')).toEqual([])
  })

  test('to a receiver that never responds delays no other delivery', async () => {
    const silent = await create('/silent', { events: ['object.created'], classes: ['Quiet'] })
    await create('/quick', { events: ['object.created'], classes: ['Quiet'] })
    await Promise.all(Array.from({ length: 12 }, (_, number) => post('/classes/Quiet', { number })))
    await arrived('/quick', 12)
    expect(at('/quick')).toHaveLength(12)
    const log = await until(
      () => deliveries(silent.objectId),
      (all) => all.some(({ error }) => error !== undefined),
    )
    expect(log.find(({ error }) => error !== undefined)?.error).toBe('No response within 3000 milliseconds.')
    await server.call('DELETE', `/webhooks/${silent.objectId}`, undefined, master)
  })

  test('that another server left behind is taken over', async () => {
    const { objectId } = await create('/orphan', { events: ['user.none'], enabled: false })
    await post(`/webhooks/${objectId}/test`, {}, master)
    // As a server does that is killed right after it took the delivery.
    await server.context.db.query(sql`
      update countersign.deliveries set runner = 'gone', attempts = 1,
        lease_until = ${new Date(server.clock.now().getTime() + 120_000)}
      where webhook = ${objectId}`)
    await server.call('PUT', `/webhooks/${objectId}`, { enabled: true }, master)
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(at('/orphan')).toEqual([])
    server.clock.forward(121_000)
    await wake()
    await arrived('/orphan')
    await until(
      () => deliveries(objectId),
      ([delivery]) => delivery?.status === 'delivered' && delivery.attempts === 2,
    )
  })
})

describe('rejects', () => {
  test('an invalid webhook, with a sentence', async () => {
    const refused = async (body: object) => {
      const given = { url: `${base}/x`, events: ['object.created'], ...body }
      const answer = await server.call('POST', '/webhooks', given, master)
      expect(answer.status).toBe(400)
      return answer.body.code
    }
    expect(await refused({ url: 'ftp://example.com' })).toBe(162)
    expect(await refused({ url: 5 })).toBe(162)
    expect(await refused({ url: 'https://user:password@example.com' })).toBe(162)
    expect(await refused({ events: [] })).toBe(111)
    expect(await refused({ events: ['object.exploded'] })).toBe(162)
    expect(await refused({ classes: ['no class'] })).toBe(103)
    expect(await refused({ classes: ['_Session'] })).toBe(119)
    expect(await refused({ enabled: 'yes' })).toBe(111)
    expect((await server.call('POST', '/webhooks', { events: ['object.created'] }, master)).body.code).toBe(135)
    for (const path of ['/webhooks/nobody', '/webhooks/nobody/deliveries']) {
      expect((await server.call('GET', path, undefined, master)).body.code).toBe(101)
    }
    const { objectId } = await create('/odd', { events: ['user.none'] })
    for (const query of ['?before=soon', '?limit=0', '?limit=x']) {
      const { body } = await server.call('GET', `/webhooks/${objectId}/deliveries${query}`, undefined, master)
      expect(body.code).toBe(162)
    }
    expect((await server.call('POST', `/webhooks/${objectId}/deliveries/none`, {}, master)).body.code).toBe(101)
  })

  test('internal addresses, in any spelling', async () => {
    const inside = [
      '127.0.0.1',
      '10.1.2.3',
      '169.254.169.254',
      '172.31.0.1',
      '192.168.1.1',
      '100.64.0.1',
      '0.0.0.0',
      '224.0.0.1',
      '255.255.255.255',
      '::1',
      '::',
      '::ffff:127.0.0.1',
      '::ffff:7f00:1',
      '::127.0.0.1',
      'fc00::1',
      'fd12:3456::1',
      'fe80::1%eth0',
      'ff02::1',
      '64:ff9b::7f00:1',
      '2002:7f00:1::',
      '2001:db8::1',
    ]
    for (const address of inside)
      expect({ address, public: isPublicAddress(address) }).toEqual({ address, public: false })
    for (const address of ['1.1.1.1', '172.32.0.1', '2606:4700:4700::1111']) {
      expect({ address, public: isPublicAddress(address) }).toEqual({ address, public: true })
    }
  })

  test('to send anything inside where the operator did not allow it, by address or by name', async () => {
    const strict = await createTestServer({}, server.database)
    try {
      const events = ['user.none']
      for (const host of ['127.0.0.1', '2130706433', '0x7f.1', '[::1]', '[::ffff:127.0.0.1]']) {
        const { body } = await strict.call('POST', '/webhooks', { url: `http://${host}/`, events }, master)
        expect({ host, code: body.code }).toEqual({ host, code: 119 })
      }
    } finally {
      await strict.stop()
    }
    // A name is judged when it is looked up, by the server that sends.
    const { postJson } = await import('./postJson.ts')
    const options = { timeout: 2_000, allowPrivateAddresses: false, signal: new AbortController().signal }
    const before = requests.length
    const named = base.replace('127.0.0.1', 'localhost')
    for (const url of [`${named}/inside`, `${base}/inside`]) {
      await expect(postJson(url, {}, '{}', options)).rejects.toThrow('is in a private network')
    }
    expect(requests).toHaveLength(before)
  })

  test('signatures are those of the specification', () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
    const body = '{"test": 2432232314}'
    expect(sign(secret, { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: 1614265330, body })).toBe(
      'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    )
  })
})
