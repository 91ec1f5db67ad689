import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../db/sql.ts'
import type { TestServer } from '../../testing/createTestServer.ts'
import { createOidcPeople } from '../../testing/oidc/createOidcPeople.ts'
import { inConsole } from '../../testing/openConsole.ts'
import { startThree, type ThreeServers } from '../../testing/revocation/startThree.ts'

let three: ThreeServers
let servers: ThreeServers['servers']

beforeAll(async () => {
  three = await startThree({ metrics: { token: 'a token of sixteen letters or more' } })
  servers = three.servers
  // A cached token is believed for seconds; without time, only a notification ends it.
  for (const { clock } of servers) clock.stop()
})
afterAll(() => three.stop())

const bearer = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } })
const master = { master: true }
const first = () => servers[0]

async function issue(token: string, scopes: string[]) {
  const { body } = await first().call('POST', '/auth/tokens', { name: 'x', scopes }, { token })
  return body as unknown as { objectId: string; token: string }
}

const statusOf = async (server: TestServer, token: string, path = '/classes/Thing') =>
  (await server.call('GET', path, undefined, bearer(token))).status

/**
 * Resolves when each server has received a notification that was sent after everything before: the database delivers
 * them in order, so what was revoked is known there. No clock is read.
 */
async function passMarker(): Promise<void> {
  const channel = 'countersign_marker'
  const heard = await Promise.all(
    servers.map(async ({ context }) => {
      let hear = () => {}
      const arrived = new Promise<void>((resolve) => {
        hear = resolve
      })
      const end = await context.db.listen(channel, hear, hear)
      return { arrived, end }
    }),
  )
  await first().context.db.query(sql`select pg_notify(${channel}, '')`)
  await Promise.all(heard.map(({ arrived }) => arrived))
  await Promise.all(heard.map(({ end }) => end()))
}

test('a revoked token is refused by three servers with the notification of its end, though each had cached it', async () => {
  const { token } = await first().signUp('ann')
  await first().call('POST', '/classes/Thing', { n: 1 }, { token })
  const made = await issue(token, ['Thing:read'])
  const isCached = ({ context, clock }: TestServer) => context.sessionCache.find(made.token, clock.ms()) !== undefined
  for (const server of servers) expect(await statusOf(server, made.token)).toBe(200)
  expect(servers.map(isCached)).toEqual([true, true, true])
  await first().call('DELETE', `/auth/tokens/${made.objectId}`, undefined, { token })
  await passMarker()
  expect(servers.map(isCached)).toEqual([false, false, false])
  for (const server of servers) expect(await statusOf(server, made.token)).toBe(400)
})

test('an agent with an OAuth token loses access on three servers with the end of the connected app', async () => {
  const person = await first().signUp('agent owner')
  const { createClient, signIn } = createOidcPeople(first)
  const client = await createClient({ redirectUris: ['https://agent.example/callback'], name: 'Acme Agent' })
  const asked = { scope: 'openid Thing:read', resource: `${first().context.publicUrl}/mcp` }
  const { tokens } = await signIn(client, person, asked)
  const options = { requestInit: { headers: { authorization: `Bearer ${tokens.access_token}` } } }
  const agents = await Promise.all(
    servers.map(async ({ url }) => {
      const agent = new Client({ name: 'test', version: '1' })
      await agent.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), options))
      return agent
    }),
  )
  const find = { name: 'find_documents', arguments: { className: 'Thing' } }
  for (const agent of agents) expect((await agent.callTool(find)).isError ?? false).toBe(false)
  const { body } = await first().call('GET', '/auth/connectedApps', undefined, { token: person.token })
  const [app] = body.results as { id: string }[]
  expect(
    (await first().call('DELETE', `/auth/connectedApps/${app?.id}`, undefined, { token: person.token })).status,
  ).toBe(200)
  await passMarker()
  for (const agent of agents) await expect(agent.callTool(find)).rejects.toThrow(/invalidSessionToken/)
})

test('a disabled and a deleted owner has no tokens, also after the account is enabled', async () => {
  for (const [name, end] of [
    ['bob', (id: string) => first().call('POST', `/console/users/${id}/disable`, {}, master)],
    ['cid', (id: string) => first().call('DELETE', `/users/${id}`, undefined, master)],
  ] as const) {
    const { token, objectId } = await first().signUp(name)
    const made = await issue(token, ['Thing:read'])
    expect(await statusOf(first(), made.token)).toBe(200)
    await end(objectId)
    for (const server of servers) await expect.poll(() => statusOf(server, made.token)).toBe(400)
    if (name === 'bob') await first().call('POST', `/console/users/${objectId}/enable`, {}, master)
    expect(await statusOf(first(), made.token)).toBe(400)
  }
})

test('keys end with the role of the operator who saw them; those of the master key stay', async () => {
  const root = await first().signUp('root')
  const second = await first().signUp('second')
  for (const { objectId } of [root, second])
    await first().call('PUT', `/console/operators/${objectId}`, { role: 'admin' }, master)
  const draft = { name: 'x', scopes: ['schema:read'] }
  const options = { token: root.token, headers: inConsole }
  const { body: own } = await first().call('POST', '/console/accessKeys', draft, options)
  const { body: kept } = await first().call('POST', '/console/accessKeys', draft, master)
  const status = (body: Record<string, unknown>) => statusOf(first(), String(body.token), '/schemas')
  expect([await status(own), await status(kept)]).toEqual([200, 200])
  await first().call('PUT', `/console/operators/${root.objectId}`, { role: 'viewer' }, master)
  expect([await status(own), await status(kept)]).toEqual([400, 200])
})

test('a token of an operator has no rights of the console', async () => {
  const ada = await first().signUp('ada')
  await first().call('PUT', `/console/operators/${ada.objectId}`, { role: 'admin' }, master)
  const { token } = await issue(ada.token, ['*:read', '*:write', '_User:read', '_Role:read', 'account:read'])
  for (const path of ['/console', '/console/users', '/schemas', '/sessions', '/classes/_Session']) {
    const answer = await first().call('GET', path, undefined, { headers: { ...bearer(token).headers, ...inConsole } })
    expect([path, answer.status]).toEqual([path, 403])
  }
})

test('a planted cookie with a token opens nothing', async () => {
  const { token } = await first().signUp('eve')
  const made = await issue(token, ['account:read'])
  const headers = { 'X-Countersign-Session': 'cookie', Cookie: `countersign=${made.token}` }
  expect((await first().call('GET', '/users/me', undefined, { headers })).body.code).toBe(209)
})

test('metrics are for keys with that scope', async () => {
  const key = async (scopes: string[]) =>
    String((await first().call('POST', '/console/accessKeys', { name: 'x', scopes }, master)).body.token)
  const read = async (token: string) => (await fetch(`${first().url}/metrics`, bearer(token))).status
  expect([await read(await key(['metrics'])), await read(await key(['backup'])), await read('cs_key_x')]).toEqual([
    200, 401, 401,
  ])
})
