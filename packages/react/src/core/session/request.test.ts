// @vitest-environment node
import { CountersignError } from '@countersign/protocol'
import { afterAll, expect, test } from 'vitest'
import { type Arrival, type Counterpart, type Reply, startCounterpart } from '../../testing/startCounterpart.ts'
import { createClient } from '../setup/createClient.ts'
import { initialize } from '../setup/initialize.ts'
import { request } from './request.ts'
import { signInWithPassword } from './signInWithPassword.ts'

const counterparts: Counterpart[] = []

afterAll(() => Promise.all(counterparts.map((counterpart) => counterpart.close())))

async function connect(answer: (arrival: Arrival, count: number) => Reply, options: { attemptTimeout?: number } = {}) {
  const started = await startCounterpart(answer)
  counterparts.push(started)
  const client = createClient({ appId: 'app', serverUrl: `${started.serverUrl}/`, javascriptKey: 'js-key', ...options })
  await initialize(client)
  expect(started.arrivals).toEqual([])
  return { client, arrivals: started.arrivals, serverUrl: started.serverUrl }
}

async function failure(promise: Promise<unknown>): Promise<CountersignError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(CountersignError)
  return error as CountersignError
}

test('identity travels in headers, the input as JSON', async () => {
  const { client, arrivals } = await connect(() => ({ body: {} }))
  await request(client, 'requestPasswordReset', { email: 'ada@example.org' })
  const [arrival] = arrivals
  expect(arrival).toMatchObject({ method: 'POST', url: '/server/requestPasswordReset' })
  expect(arrival?.headers).toMatchObject({
    'content-type': 'application/json',
    'x-parse-application-id': 'app',
    'x-parse-javascript-key': 'js-key',
    'x-parse-installation-id': expect.stringMatching(
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    ),
  })
  expect(JSON.parse(arrival?.body ?? '')).toEqual({ email: 'ada@example.org' })
})

test('sends requests for visitors without a session', async () => {
  const user = { objectId: 'u1', username: 'ada', createdAt: '2026-01-01T00:00:00.000Z' }
  const { client, arrivals } = await connect(() => ({ body: { ...user, sessionToken: 'r:1' } }))
  await signInWithPassword(client, { username: 'ada', password: 'secret' })
  await request(client, 'getCurrentUser', {})
  expect(arrivals.at(-1)?.headers['x-parse-session-token']).toBe('r:1')
  await request(client, 'signInWithRecoveryCode', { username: 'ada', code: 'k3m9' })
  await request(client, 'logIn', { username: 'ada', password: 'secret' })
  await request(client, 'requestPasswordReset', { email: 'ada@example.org' })
  for (const { headers } of arrivals.slice(-3)) expect(headers['x-parse-session-token']).toBeUndefined()
})

// The three that wait between attempts do so beside each other.
test.concurrent('R25: a write that meets 5xx responses and cut connections is tried 5 times under one request id', async () => {
  const { client, arrivals } = await connect((_, count) =>
    count >= 5 ? { body: { done: true } } : count % 2 === 0 ? 'cut' : { status: 503, body: { code: 1, error: 'busy' } },
  )
  const input = { email: 'ada@example.org' }
  expect(await request(client, 'requestPasswordReset', input)).toEqual({ done: true })
  expect(arrivals).toHaveLength(5)
  const ids = new Set(arrivals.map(({ headers }) => headers['x-parse-request-id']))
  expect(ids.size).toBe(1)
  expect([...ids][0]).toMatch(/^[0-9a-f-]{36}$/)
  expect(new Set(arrivals.map(({ body }) => body)).size).toBe(1)
  await request(client, 'requestPasswordReset', input)
  expect(arrivals[5]?.headers['x-parse-request-id']).not.toBe([...ids][0])
})

test.concurrent('R25: after the fifth attempt the last response counts, with the server’s text and code', async () => {
  const { client, arrivals } = await connect(() => ({
    status: 500,
    body: { code: 1, message: 'Internal server error.' },
  }))
  const started = Date.now()
  const error = await failure(request(client, 'getHealth', {}))
  expect(arrivals).toHaveLength(5)
  expect(error).toMatchObject({ code: 1, status: 500, message: 'Internal server error.' })
  // Waits of at least 125, 250, 500 and 1000 ms.
  expect(Date.now() - started).toBeGreaterThanOrEqual(1800)
})

test.concurrent('a server that cannot be reached is code 100, in words and with what to check', async () => {
  const { client, serverUrl } = await connect(() => 'cut')
  const error = await failure(request(client, 'getHealth', {}))
  expect(error.code).toBe(100)
  expect(error.message).toBe(`The server at ${serverUrl} cannot be reached.`)
  expect(error.details).toMatch(/Tried 5 times.*serverUrl.*CORS/)
  expect(error.cause).toBeDefined()
})

test.each([
  [400, { code: 202, error: 'Account already exists for this username.' }],
  [404, { code: 101, error: 'Invalid username/password.' }],
  [400, { code: 141, error: 'Words of a cloud function: ✗' }],
])('R22: an error %i reaches the caller with text and code, and is not tried again', async (status, body) => {
  const { client, arrivals } = await connect(() => ({ status, body }))
  const error = await failure(request(client, 'getHealth', {}))
  expect(error).toMatchObject({ code: body.code, message: body.error, status })
  expect(arrivals).toHaveLength(1)
})

test('an error without a code keeps its text, and a refused key says what to check', async () => {
  const { client } = await connect(() => ({ status: 403, body: { error: 'unauthorized' } }))
  const error = await failure(request(client, 'getHealth', {}))
  expect(error).toMatchObject({ code: -1, message: 'unauthorized', status: 403 })
  expect(error.details).toContain('appId')
})

const standard = { 'RateLimit-Limit': '60', 'RateLimit-Remaining': '0', 'RateLimit-Reset': '17', 'Retry-After': '17' }

const older = {
  'X-RateLimit-Limit': '60',
  'X-RateLimit-Remaining': '0',
  'X-RateLimit-Reset': '17',
  'Retry-After': '17',
}

test.each([
  ['standard', standard],
  ['older', older],
])('R23: 429 says that it is a rate limit and carries the values of the %s headers', async (_, headers) => {
  const { client, arrivals } = await connect(() => ({ status: 429, headers, body: { code: 155, error: 'Slow down.' } }))
  const error = await failure(request(client, 'getHealth', {}))
  expect(error).toMatchObject({ code: 155, status: 429 })
  expect(error.message).toBe('Rate limited: Slow down. (limit 60, remaining 0, reset 17, retry after 17)')
  expect(error.rateLimit).toEqual({ limit: 60, remaining: 0, reset: 17, retryAfter: 17 })
  expect(arrivals).toHaveLength(1)
})

test('R23: a 429 of a proxy, without JSON and with a date to wait for, is one too', async () => {
  const headers = { 'Content-Type': 'text/html', 'Retry-After': new Date(Date.now() + 60_000).toUTCString() }
  const { client } = await connect(() => ({ status: 429, headers, body: '<h1>Too many</h1>' }))
  const error = await failure(request(client, 'getHealth', {}))
  expect(error.code).toBe(155)
  expect(error.message).toContain('Rate limited')
  expect(error.rateLimit?.retryAfter).toBeGreaterThan(50)
})

test.each([
  ['a page', '<!doctype html><title>Hello</title>'],
  ['nothing', ''],
  ['null', 'null'],
])('a response that is not a JSON object (%s) is code 107 with details', async (_, body) => {
  const { client, arrivals } = await connect(() => ({ body }))
  const error = await failure(request(client, 'getHealth', {}))
  expect(error).toMatchObject({ code: 107, status: 200 })
  expect(error.details).toContain('serverUrl')
  expect(arrivals).toHaveLength(1)
})

test('an abort ends the attempt under way', async () => {
  const controller = new AbortController()
  const { client, arrivals } = await connect(() => {
    setTimeout(() => controller.abort(), 50)
    return { delay: 60_000 }
  })
  const started = Date.now()
  const error = await failure(request(client, 'getHealth', {}, controller))
  expect(error.message).toBe('The request was canceled.')
  expect(Date.now() - started).toBeLessThan(30_000)
  expect(arrivals).toHaveLength(1)
})

const beginners = [
  ['createChallenge', { purpose: 'signIn' }],
  ['requestEmailCode', { email: 'ada@example.org' }],
  ['createPasskeyRegistration', {}],
] as const
test.concurrent.each(beginners)('an abandoned challenge still finishes before %s is sent', async (name, input) => {
  const { client, arrivals } = await connect((_, count) => (count === 1 ? { delay: 4_000 } : {}))
  const controller = new AbortController()
  const first = failure(request(client, 'createPasskeyChallenge', {}, controller))
  await expect.poll(() => arrivals.length).toBe(1)
  controller.abort()
  expect((await first).message).toBe('The request was canceled.')
  const second = request(client, name, input as never)
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(arrivals).toHaveLength(1)
  await second
  expect(arrivals).toHaveLength(2)
})

test('an abort ends the wait between attempts, and one before the start sends nothing', async () => {
  const { client, arrivals } = await connect(() => ({ status: 503 }))
  const controller = new AbortController()
  setTimeout(() => controller.abort(), 60)
  const pause = () => new Promise((resolve) => setTimeout(resolve, 400))
  await failure(request(client, 'getHealth', {}, controller))
  // An aborted attempt may still arrive.
  await pause()
  const count = arrivals.length
  await failure(request(client, 'getHealth', {}, controller))
  await pause()
  expect(arrivals).toHaveLength(count)
})

test('an attempt that takes too long counts as a failure of the network', async () => {
  const { client, arrivals } = await connect(
    (_, count) => ({ delay: count === 1 ? 60_000 : 0, body: { status: 'ok' } }),
    {
      attemptTimeout: 2_000,
    },
  )
  expect(await request(client, 'getHealth', {})).toEqual({ status: 'ok' })
  expect(arrivals).toHaveLength(2)
})

test('a password is never in a URL, also for a GET endpoint', async () => {
  const { client, arrivals } = await connect(() => ({ body: { objectId: 'a' } }))
  await request(client, 'logInByGet', { username: 'ada', password: 'secret' })
  expect(arrivals[0]).toMatchObject({ method: 'POST', url: '/server/login' })
  expect(JSON.parse(arrivals[0]?.body ?? '')).toEqual({ username: 'ada', password: 'secret', _method: 'GET' })
})

test('ids become one segment of the path, and none that leads elsewhere is sent', async () => {
  const { client, arrivals } = await connect(() => ({ body: {} }))
  await request(client, 'getUser', { objectId: 'a/b?c' })
  expect(arrivals[0]?.url).toBe('/server/users/a%2Fb%3Fc')
  for (const objectId of ['', '.', '..', undefined, 7]) {
    const error = await failure(request(client, 'deleteUser', { objectId: objectId as string }))
    expect(error.name).toBe('ValidationError')
  }
  expect(arrivals).toHaveLength(1)
})

test('the input of a GET goes into the query, each value as JSON', async () => {
  const { client, arrivals } = await connect(() => ({ body: { objectId: 'a' } }))
  const input = { objectId: 'a', hint: { username: '1' }, keys: '12', limit: 2 }
  await request(client, 'getUser', input)
  const query = new URL(arrivals[0]?.url ?? '', 'http://host').searchParams
  expect(JSON.parse(query.get('hint') ?? '')).toEqual({ username: '1' })
  expect(query.get('keys')).toBe('"12"')
  expect(query.get('limit')).toBe('2')
  expect(query.has('objectId')).toBe(false)
})

test('conditions are never in a URL, and a read carries no write id', async () => {
  const { client, arrivals } = await connect(() => ({ body: { results: [] } }))
  await request(client, 'findObjects', { className: 'Game', where: { email: 'ada@example.org' }, limit: 2 })
  expect(arrivals[0]).toMatchObject({ method: 'POST', url: '/server/classes/Game' })
  expect(JSON.parse(arrivals[0]?.body ?? '')).toEqual({ where: { email: 'ada@example.org' }, limit: 2, _method: 'GET' })
  expect(arrivals[0]?.headers).not.toHaveProperty('x-parse-request-id')
})

test('a client that was not initialized says so', async () => {
  const error = await failure(request(createClient({ appId: 'a', serverUrl: 'http://localhost' }), 'getHealth', {}))
  expect(error.code).toBe(109)
  expect(error.details).toContain('initialize')
})
