// @vitest-environment node
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startCounterpart } from '../../testing/startCounterpart.ts'
import { startServer, type TestServer } from '../../testing/startServer.ts'
import { listSessions } from '../account/sessions.ts'
import { findDocuments } from '../documents/findDocuments.ts'
import { defineQuery } from '../documents/Query.ts'
import { createDocument } from '../documents/saveDocuments.ts'
import { getUser } from '../session/getUser.ts'
import { createServerClient, type ServerClientInput } from './createServerClient.ts'
import { getServerSession } from './getServerSession.ts'

let server: TestServer
const people: { name: string; cookie: string; token: string; objectId: string }[] = []

beforeAll(async () => {
  server = await startServer()
  for (const name of ['ada', 'grace']) {
    const open = async (transport: Record<string, string>, path: string) => {
      const response = await fetch(`${server.serverUrl}${path}`, {
        method: 'POST',
        headers: { 'X-Parse-Application-Id': server.appId, ...transport },
        body: JSON.stringify({ username: name, password: 'correct horse battery' }),
      })
      return { cookie: response.headers.getSetCookie()[0]?.split(';')[0] ?? '', body: Object(await response.json()) }
    }
    const { cookie, body } = await open({ 'X-Countersign-Session': 'cookie' }, '/users')
    const { sessionToken } = (await open({}, '/login')).body
    people.push({ name, cookie, token: sessionToken, objectId: body.objectId })
    await server.asMaster('POST', '/classes/Note', { text: name, ACL: { [body.objectId]: { read: true } } })
  }
})
afterAll(() => server.remove())

const notes = defineQuery('Note')

function create(headers: ServerClientInput['headers'], more: Partial<ServerClientInput> = {}) {
  return createServerClient({ appId: server.appId, serverUrl: server.serverUrl, headers, ...more })
}

async function read(headers: ServerClientInput['headers']): Promise<unknown[]> {
  return (await findDocuments(create(headers), notes)).map(({ text }) => text)
}

test('it reads as the user of the request: by cookie, by session token, by bearer; as a guest without', async () => {
  const [ada, grace] = people
  expect(await read(new Headers({ cookie: `theme=dark; ${ada?.cookie}` }))).toEqual(['ada'])
  expect(await read({ cookie: grace?.cookie })).toEqual(['grace'])
  expect(await read({ 'x-parse-session-token': ada?.token })).toEqual(['ada'])
  expect(await read({ authorization: `Bearer ${grace?.token}` })).toEqual(['grace'])
  expect(await read({ authorization: 'Bearer eyJhbGciOi.of.another' })).toEqual([])
  expect(await read(undefined)).toEqual([])
})

test('requests at the same time share nothing', async () => {
  const many = Array.from({ length: 20 }, (_, n) => people[n % 2])
  const found = await Promise.all(many.map((person) => read({ cookie: person?.cookie })))
  expect(found).toEqual(many.map((person) => [person?.name]))
})

test('with the result of getServerSession it has the user, and reads the user’s data', async () => {
  const headers = { cookie: people[0]?.cookie }
  const session = await getServerSession({ appId: server.appId, serverUrl: server.serverUrl, headers })
  const client = create(headers, { session })
  expect(getUser(client)?.username).toBe('ada')
  expect((await listSessions(client)).length).toBeGreaterThan(0)
  expect(getUser(create(headers))).toBeUndefined()
})

test('it writes as the user; a form of another site is refused as the API itself would', async () => {
  const headers = { cookie: people[0]?.cookie }
  const note = await createDocument(create(headers), 'Note', { text: 'made' })
  const stored = await server.asMaster('GET', `/classes/Note/${note.objectId}`)
  expect(stored.text).toBe('made')
  await server.asMaster('DELETE', `/classes/Note/${note.objectId}`)
  expect(await read({ ...headers, origin: 'https://evil.example' }), 'nobody is signed in there').toEqual([])
  expect(await read({ ...headers, origin: server.origin })).toEqual(['ada'])
})

test('a session that is over is an error, and is not read around', async () => {
  await expect(read({ 'x-parse-session-token': 'r:00000000000000000000000000000000' })).rejects.toMatchObject({
    code: 209,
  })
})

test('the session goes to the configured server alone, and no redirect takes it along', async () => {
  const thief = await startCounterpart(() => ({ body: { results: [] } }))
  const redirecting = await startCounterpart(() => ({
    status: 307,
    headers: { Location: `${thief.serverUrl}/classes/Note` },
  }))
  try {
    const headers = {
      cookie: `theme=dark; ${people[0]?.cookie}`,
      authorization: 'Basic x',
      'x-forwarded-for': '9.9.9.9',
    }
    const client = create(headers, { serverUrl: redirecting.serverUrl, attemptLimit: 1 })
    await expect(findDocuments(client, notes)).rejects.toMatchObject({ reason: 'serverUnreachable' })
    expect(thief.arrivals).toEqual([])
    expect(redirecting.arrivals[0]?.headers).toMatchObject({ cookie: people[0]?.cookie, 'x-forwarded-for': '9.9.9.9' })
    expect(redirecting.arrivals[0]?.headers.authorization).toBeUndefined()
    const { fetch } = client.internal.options
    await fetch?.(`${thief.serverUrl}/classes/Note`, {})
    expect(thief.arrivals[0]?.headers.cookie).toBeUndefined()
  } finally {
    await Promise.all([thief.close(), redirecting.close()])
  }
})
