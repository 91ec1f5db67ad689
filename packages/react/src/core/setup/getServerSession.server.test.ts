// @vitest-environment node
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startServer, type TestServer } from '../../testing/startServer.ts'
import { getServerSession, type ServerSessionInput } from './getServerSession.ts'

let server: TestServer
let cookie = ''
let user: Record<string, unknown>
const sent = vi.fn<(headers: Record<string, string>) => void>()

beforeAll(async () => {
  server = await startServer()
  const response = await fetch(`${server.serverUrl}/users`, {
    method: 'POST',
    headers: { 'X-Parse-Application-Id': server.appId, 'X-Countersign-Session': 'cookie' },
    body: JSON.stringify({ username: 'rendered', password: 'correct horse battery', city: 'London' }),
  })
  user = (await response.json()) as Record<string, unknown>
  cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? ''
})
afterAll(() => server.remove())

function ask(headers: ServerSessionInput['headers'], more: Partial<ServerSessionInput> = {}) {
  sent.mockClear()
  const { appId, serverUrl } = server
  const noting: typeof fetch = (url, init) => {
    sent(init?.headers as Record<string, string>)
    return fetch(url, init)
  }
  return getServerSession({ appId, serverUrl, headers, fetch: noting, ...more })
}

test('the cookie of a page’s request gives the user, as plain JSON and without the token', async () => {
  const session = await ask(new Headers({ cookie: `theme=dark; ${cookie}; other=secret` }))
  expect(session).toMatchObject({ status: 'authenticated', user: { objectId: user.objectId, city: 'London' } })
  expect(JSON.parse(JSON.stringify(session))).toEqual(session)
  expect(JSON.stringify(session)).not.toContain('sessionToken')
  expect(JSON.stringify(session)).not.toContain(cookie.split('=')[1])
  expect(await ask({ cookie, host: 'example.org' }), 'headers as Node.js has them').toEqual(session)
})

test('no other cookie of the site is sent on, nor any other header but the visitor’s address', async () => {
  await ask({
    cookie: `theme=dark; ${cookie}; countersign-asks=1`,
    authorization: 'Basic x',
    'x-forwarded-for': '9.9.9.9',
  })
  const [[headers] = []] = sent.mock.calls
  expect(headers).toEqual({
    Accept: 'application/json',
    Cookie: cookie,
    'X-Forwarded-For': '9.9.9.9',
    'X-Parse-Application-Id': server.appId,
    'X-Countersign-Session': 'cookie',
  })
})

test('without a session cookie the server is not asked', async () => {
  expect(await ask({})).toEqual({ status: 'unauthenticated' })
  expect(await ask(new Headers({ cookie: 'theme=dark; xcountersign=1' }))).toEqual({ status: 'unauthenticated' })
  expect(sent).not.toHaveBeenCalled()
})

test('an ended session has no user', async () => {
  expect(await ask({ cookie: 'countersign=r%3Adead' })).toEqual({ status: 'unauthenticated' })
  expect(sent).toHaveBeenCalledOnce()
})

test('a server that is down, slow or in trouble leaves the question to the page', async () => {
  const slow = createServer((request, response) => {
    if (request.url?.startsWith('/broken')) response.writeHead(503).end('{"code":1,"error":"out of order"}')
  }).listen(0, '127.0.0.1')
  await once(slow, 'listening')
  const at = `http://127.0.0.1:${(slow.address() as AddressInfo).port}`
  const onError = vi.fn()
  for (const [serverUrl, timeout] of [
    ['http://127.0.0.1:9/server', 5_000],
    [`${at}/slow`, 100],
    [`${at}/broken`, 5_000],
  ] as const) {
    expect(await ask({ cookie }, { serverUrl, timeout, onError })).toEqual({ status: 'undefined' })
  }
  expect(onError.mock.calls.map(([error]) => error.message)).toEqual([
    'The server at http://127.0.0.1:9/server cannot be reached.',
    expect.stringMatching(/slow cannot be reached\.$/),
    'out of order',
  ])
  slow.closeAllConnections()
  slow.close()
})

test('a wrong app id and a wrong address are errors for the developer', async () => {
  await expect(ask({ cookie }, { appId: 'another' })).rejects.toThrow('unauthorized')
  await expect(ask({ cookie }, { serverUrl: '/server' })).rejects.toThrow('serverUrl is not a URL')
})
