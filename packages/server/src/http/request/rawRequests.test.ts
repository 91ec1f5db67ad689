import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestServer, type TestServer } from '../../testing/createTestServer.ts'
import { openLiveSocket } from '../../testing/openLiveSocket.ts'
import { sendRaw } from '../../testing/sendRaw.ts'

let server: TestServer
/** Behind a proxy, with https outside. */
let behind: TestServer

beforeAll(async () => {
  server = await createTestServer({ mountPath: ['/parse'] })
  behind = await createTestServer(
    {
      trustProxy: 1,
      publicUrl: 'https://acme.example',
      masterKeyIps: ['127.0.0.1', '::1'],
      liveQuery: { maxSocketsPerAddress: 2 },
      rateLimit: [{ requestPath: '/users', requestMethods: ['GET'], requestTimeWindow: 600_000, requestCount: 3 }],
    },
    server.database,
  )
  await server.call('POST', '/classes/Game', { n: 1 })
})
afterAll(async () => {
  await behind.stop()
  await server.stop()
})

async function get(target: string, method = 'GET'): Promise<{ status: number; text: string; body: unknown }> {
  const lines = [`${method} ${target} HTTP/1.1`, 'Host: x', `X-Parse-Application-Id: ${server.appId}`]
  const text = await sendRaw(server, `${[...lines, 'Connection: close'].join('\r\n')}\r\n\r\n`)
  const content = text.slice(text.indexOf('\r\n\r\n') + 4)
  return { status: Number(text.slice(9, 12)), text, body: content.startsWith('{') ? JSON.parse(content) : content }
}

describe('SEC-72: a request is routed and carried out by one path', () => {
  test.each([
    '/server/classes/Game',
    'http://x/server/classes/Game',
    'https://classes/server/classes/Game',
    'HTTPS://user@host:80/parse/classes/Game',
    '/parse/classes/Game?limit=1',
    '/%73erver/classes/Game',
    '/s%65rve%72/%63lasses/Gam%65?limit=1',
    '/server//classes///Game/',
  ])('%s lists the class', async (target) => {
    expect(await get(target)).toMatchObject({ status: 200, body: { results: [{ n: 1 }] } })
  })

  test.each([
    // As a path cut off after the mount's length it would be /classes/server.
    'https://classes/server',
    'http://classes/Game',
    'https://users/me',
    '//server/classes/Game',
    '/server%2Fclasses%2FGame',
    '/server/classes%2FGame',
    '/serverx/classes/Game',
    '/server%3F/classes/Game',
    'https://x?/server/classes/Game',
    'http://server/../server/classes/Game',
    '/SERVER/classes/Game',
  ])('%s leads nowhere', async (target) => {
    const { status, text } = await get(target)
    expect([status, text.includes('"n":1')]).toEqual([404, false])
  })

  test('also for sockets, health and files', async () => {
    expect((await get('http://elsewhere/server/health')).body).toEqual({ status: 'ok' })
    expect((await get('http://elsewhere/health')).body).toEqual({ status: 'ok' })
    expect((await get(`https://files/server/files/${server.appId}/none.txt`)).status).toBe(404)
    const socket = await openLiveSocket(server, { path: '/%61nywhere' })
    socket.close()
    expect((await get('*', 'OPTIONS')).status).toBe(404)
  })
})

describe('SEC-70: shared caches keep nothing that is a caller’s', () => {
  test('every API response has no-store, refusals too', async () => {
    const ann = await server.signUp('ann')
    const token = { token: ann.token }
    for (const answer of [
      await server.call('GET', '/users/me', undefined, token),
      await server.call('GET', '/classes/Game'),
      await server.call('POST', '/classes/Game', { n: 2 }),
      await server.call('GET', '/classes/Game/none'),
      await server.call('GET', '/nowhere'),
      await server.call('GET', '/health'),
      await server.call('GET', '/config'),
      await server.call('GET', `/files/${server.appId}/none.txt`),
      await server.call('GET', '/users/me', undefined, { token: 'r:wrong' }),
      await server.call('GET', '/%zz'),
      await server.call('OPTIONS', '/classes/Game'),
    ])
      expect([answer.status, answer.headers.get('Cache-Control')]).toEqual([answer.status, 'no-store'])
    for (const path of ['/health', '/ready', '/config.json', '/nowhere'])
      expect((await fetch(`${server.url}${path}`)).headers.get('Cache-Control')).toBe('no-store')
  })

  test('public files last, by their names', async () => {
    const { body } = await server.call('POST', '/files/note.txt', 'content', {
      master: true,
      headers: { 'Content-Type': 'text/plain' },
    })
    const file = await fetch(new URL(new URL(body.url as string).pathname, server.url))
    expect([file.status, file.headers.get('Cache-Control')]).toEqual([200, 'public, max-age=31536000, immutable'])
    const assets = await fetch(server.url, { headers: { Accept: 'text/html' } })
    if (assets.status === 200) expect(assets.headers.get('Cache-Control')).toBe('no-cache')
  })

  test('browsers keep to https where the public address has it', async () => {
    const of = async (url: string) => (await fetch(url)).headers.get('Strict-Transport-Security')
    for (const path of ['/health', '/server/health', '/', '/nowhere'])
      expect(await of(`${behind.url}${path}`)).toBe('max-age=31536000')
    expect(await of(`${server.url}/health`)).toBe(null)
  })
})

describe('SEC-71: any spelling of an address by a proxy is one caller', () => {
  const from = (address: string, more: object = {}) =>
    behind.call('GET', '/users', undefined, { ...more, headers: { 'X-Forwarded-For': address } })
  const count = async (addresses: string[]) => {
    const statuses: number[] = []
    for (const address of addresses) statuses.push((await from(address)).status)
    return statuses
  }

  test.each([
    ['ports', ['203.0.113.1:1', '203.0.113.1:2', '203.0.113.1', '203.0.113.1:65535']],
    ['IPv4 in IPv6', ['203.0.113.2', '::ffff:203.0.113.2', '[::FFFF:cb00:7102]:80', '0:0:0:0:0:ffff:203.0.113.2']],
    ['brackets and zones', ['[2001:db8:1::1]:80', '[2001:db8:1::2]', '2001:db8:1:0::3%eth0', '2001:0DB8:1::4']],
    ['nonsense', ['nonsense', '1.2.3', 'x'.repeat(500), '203.0.113.999']],
    ['more nonsense', ['[', '0x7f.1', '127.1', '"203.0.113.7"']],
  ])('%s', async (name, addresses) => {
    const statuses = await count(addresses)
    // All nonsense together is one caller.
    expect(statuses).toEqual(name === 'more nonsense' ? [429, 429, 429, 429] : [200, 200, 200, 429])
  })

  test('invalid addresses have no rights, and are not this machine', async () => {
    for (const address of ['nonsense', '', ',', '127.0.0.1, nonsense', 'localhost', '127.0.0.1:x']) {
      const refused = await from(address, { master: true })
      const withKey = await behind.call('GET', '/classes/Game', undefined, {
        master: true,
        headers: { 'X-Forwarded-For': address },
      })
      expect([address, refused.status]).toEqual([address, 429])
      expect([address, withKey.status, withKey.body.error]).toEqual([
        address,
        403,
        expect.stringContaining('may not be used from 0.0.0.0'),
      ])
    }
    const own = await behind.call('GET', '/classes/Game', undefined, {
      master: true,
      headers: { 'X-Forwarded-For': '[::ffff:127.0.0.1]:4711' },
    })
    expect(own.status).toBe(200)
  })

  test('sockets are counted the same', async () => {
    const open = (address: string) => openLiveSocket(behind, { headers: { 'X-Forwarded-For': address } })
    const sockets = [await open('203.0.113.9:1'), await open('[::ffff:203.0.113.9]:2')]
    await expect(open('203.0.113.9:3')).rejects.toThrow(/429/)
    for (const socket of sockets) socket.close()
  })
})
