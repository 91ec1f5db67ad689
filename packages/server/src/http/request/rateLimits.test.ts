import { connect } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { configSchema } from '../../config/Config.ts'
import { createTestServer, type TestServer } from '../../testing/createTestServer.ts'

/** Row 6 and 7: limits count the endpoint that was matched, however its path was written. */
let server: TestServer

const most = 3

beforeAll(async () => {
  // The rules that hold by default, with a count that a test can reach, for this machine too.
  const rules = configSchema.parse({}).rateLimit
  server = await createTestServer({
    rateLimit: [
      ...rules.map((rule) => ({ ...rule, requestCount: most, includeInternalRequests: true })),
      { requestPath: '/files/*', requestTimeWindow: 60_000, requestCount: most, includeInternalRequests: true },
      { requestPath: '/roles', requestTimeWindow: 60_000, requestCount: most, includeInternalRequests: true },
      { requestPath: '/nowhere*', requestTimeWindow: 60_000, requestCount: most, includeInternalRequests: true },
    ],
  })
})

beforeEach(() => server.clock.forward(61_000))

afterAll(() => server.stop())

/** A request written by hand: `fetch` leaves out what stands behind a #. */
function send(method: string, path: string, body: object = {}): Promise<number> {
  const { port, hostname, pathname } = new URL(server.serverUrl)
  const text = JSON.stringify({ _ApplicationId: server.appId, ...body })
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname)
    let answer = ''
    socket.on('data', (data) => {
      answer += String(data)
    })
    socket.on('end', () => resolve(Number(answer.slice(9, 12))))
    socket.on('error', reject)
    socket.write(
      `${method} ${pathname}${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Parse-Application-Id: ${server.appId}\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
    )
  })
}

const batch = async (requests: object[]) =>
  (await server.call('POST', '/batch', { requests })).body as unknown as { error?: { code: number; error: string } }[]

describe('SEC-6', () => {
  test.each(['/login#x', '/requestPasswordReset#k', '/users#', '/verifyPassword#1?a=b', '/#', '/functions/x#y'])(
    'SEC-6: a path with a fragment leads nowhere: %s',
    async (path) => {
      expect([400, 404]).toContain(await send('POST', path, { email: 'nobody@example.com' }))
      const answer = await server.call('POST', '/batch', { requests: [{ method: 'POST', path: `/server${path}` }] })
      expect([answer.status, answer.body.code]).toEqual([400, 107])
      expect(server.logs.join('')).not.toContain('nobody@example.com')
    },
  )

  test('SEC-6: nor does one to a page, a file or the health of the server', async () => {
    const { port, hostname } = new URL(server.url)
    for (const path of ['/health#x', '/config.json#x', `/server/files/${server.appId}/x.txt#y`, '/server/health#x']) {
      const answer = await new Promise<string>((resolve, reject) => {
        const socket = connect(Number(port), hostname)
        socket.on('data', (data) => {
          resolve(String(data))
          socket.destroy()
        })
        socket.on('error', reject)
        socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
      })
      expect([path, answer.slice(9, 12)]).toEqual([path, '400'])
    }
  })

  test.each([
    ['/login', ['/login', '/LOGIN/', '//login', '/lo%67in', '/%6Cogin/', '/login?x=1#y', '/login//?']],
    ['/requestPasswordReset', ['/requestpasswordreset', '/request%50asswordReset', '/requestPasswordReset//']],
    ['/verifyPassword', ['/verifyPassword', '/VERIFYPASSWORD', '/verifyPassword/?username=x']],
    ['/auth/challenge', ['/auth/challenge', '/Auth//Challenge', '/auth/%63hallenge', '/auth/signInWithRecoveryCode']],
  ])('SEC-6: %s is counted in any spelling', async (_path, spellings) => {
    const answers: number[] = []
    for (let index = 0; index <= most; index++) {
      answers.push(await send('POST', spellings[index % spellings.length] as string, { email: 'x@example.com' }))
    }
    expect(answers.slice(0, most)).not.toContain(429)
    expect(answers.at(-1)).toBe(429)
    for (const path of spellings) expect([path, await send('POST', path)]).toEqual([path, 429])
  })

  test('SEC-6: the parts of a batch count like requests, and together with them', async () => {
    await send('POST', '/verifyPassword', { username: 'a', password: 'b' })
    const parts = ['/verifyPassword', '/verifyPassword/', '/%76erifyPassword', '//VERIFYPASSWORD'].map((path) => ({
      method: 'POST',
      path: `/server${path}`,
      body: { username: 'a', password: 'b' },
    }))
    const answers = await batch(parts)
    expect(answers.filter(({ error }) => error?.code === 155)).toHaveLength(2)
    expect(await send('POST', '/verifyPassword')).toBe(429)
  })

  test('SEC-6: a line break in a name does not lead around a rule with *', async () => {
    for (let times = 0; times < most; times++) await send('GET', '/auth/wallets/a%0Ab')
    expect(await send('DELETE', '/auth/wallets/a%0Ab')).toBe(429)
  })

  test('SEC-6: unknown paths count, too', async () => {
    for (let times = 0; times < most; times++) expect(await send('POST', `/nowhere/${times}`)).toBe(404)
    expect(await send('POST', '/nowhere')).toBe(429)
    expect(await send('GET', '/NOWHERE//x')).toBe(429)
  })

  test('SEC-6: a request refused for its key or session is counted, too', async () => {
    const wrong = { headers: { 'X-Parse-Application-Id': 'wrong' } }
    for (let times = 0; times < most; times++) {
      expect((await server.call('POST', '/login', {}, wrong)).status).toBe(403)
    }
    expect((await server.call('POST', '/login', {}, wrong)).status).toBe(429)
    for (let times = 0; times < most; times++) {
      expect((await server.call('POST', '/verifyPassword', {}, { token: 'r:none' })).body.code).toBe(209)
    }
    expect((await server.call('POST', '/verifyPassword', {}, { token: 'r:none' })).status).toBe(429)
  })
})

describe('SEC-7', () => {
  test.each([
    ['/users', '/classes/_User', { username: 'x' }],
    ['/users', '/Classes//_user/', { username: 'x' }],
    ['/resetPassword', '/apps/any/request_password_reset', { token: 'x', new_password: 'y' }],
    ['/resetPassword', '/Apps/other/REQUEST_password_reset/', { token: 'x', new_password: 'y' }],
    ['/roles', '/classes/_Role', {}],
  ])('SEC-7: %s and %s are one endpoint', async (path, alias, body) => {
    for (let times = 0; times < most; times++) {
      expect(await send('POST', times % 2 ? path : alias, body)).not.toBe(429)
    }
    expect(await send('POST', path, body)).toBe(429)
    expect(await send('POST', alias, body)).toBe(429)
    const answer = await server.call('POST', '/batch', {
      requests: [{ method: 'POST', path: `/server${alias}`, body }],
    })
    // A request that opens no session may be part of a batch, and is counted.
    if (answer.status === 200) expect(answer.body).toMatchObject([{ error: { code: 155 } }])
  })

  test('SEC-7: by GET, by POST and by _method it is the same sign-in', async () => {
    for (const path of ['/login', '/verifyPassword']) {
      await server.call('GET', `${path}?username=a&password=b`)
      await server.call('POST', path, { username: 'a', password: 'b' })
      await server.call('POST', path, { _method: 'GET', username: 'a', password: 'b' })
      expect((await server.call('GET', `${path}?username=a&password=b`)).status).toBe(429)
      expect((await server.call('POST', path, { _method: 'GET' })).status).toBe(429)
    }
  })

  test('SEC-7: a rule for sign-ups does not count queries for users', async () => {
    for (let times = 0; times <= most; times++) {
      expect((await server.call('POST', '/users', { _method: 'GET', limit: 1 })).status).toBe(200)
    }
    for (let times = 0; times <= most; times++) await server.call('POST', '/users', {})
    expect((await server.call('POST', '/users', {})).status).toBe(429)
    expect((await server.call('POST', '/users', { _method: 'GET', limit: 1 })).status).toBe(200)
  })

  test('SEC-7: a rule for the class applies to its own path, and to POST by GET', async () => {
    const rule = { requestTimeWindow: 60_000, requestCount: 1, includeInternalRequests: true }
    const strict = await createTestServer({
      rateLimit: [
        { ...rule, requestPath: '/classes/_User', requestMethods: ['POST'] },
        { ...rule, requestPath: '/login', requestMethods: ['POST'] },
      ],
    })
    try {
      await strict.call('POST', '/classes/_User', {})
      expect((await strict.call('POST', '/users', {})).status).toBe(429)
      await strict.call('POST', '/login', {})
      expect((await strict.call('GET', '/login?username=a&password=b')).status).toBe(429)
    } finally {
      await strict.stop()
    }
  })
})
