// Program of `node scripts/revocation.mjs`: how long after its revocation a token still works on each of three servers,
// at the API and for the official client of agents.
import { parseArgs } from 'node:util'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { TestServer } from '../createTestServer.ts'
import { createOidcPeople } from '../oidc/createOidcPeople.ts'
import { startThree } from './startThree.ts'

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '30' } } })
const rounds = Number(values.rounds)

const { servers, stop } = await startThree({ rateLimit: [] })
const [first] = servers
const scope = 'Thing:read'

/** Milliseconds from the response to the revocation until no server accepts the token. */
async function measure(revoke: () => Promise<unknown>, works: ((server: TestServer) => Promise<boolean>)[]) {
  for (const [at, server] of servers.entries()) if (!(await works[at]?.(server))) throw new Error('does not work')
  await revoke()
  const start = performance.now()
  const until = servers.map(async (server, at) => {
    while (await works[at]?.(server)) if (performance.now() - start > 60_000) throw new Error('still works')
    return performance.now() - start
  })
  return Math.max(...(await Promise.all(until)))
}

async function measurePersonal(person: { token: string }): Promise<number> {
  const { body } = await first.call('POST', '/auth/tokens', { name: 'x', scopes: [scope] }, { token: person.token })
  const headers = { Authorization: `Bearer ${body.token}` }
  const works = async (server: TestServer) =>
    (await server.call('GET', '/classes/Thing', undefined, { headers })).status === 200
  const path = `/auth/tokens/${body.objectId}`
  return measure(() => first.call('DELETE', path, undefined, { token: person.token }), [works, works, works])
}

const { createClient, signIn } = createOidcPeople(() => first)

async function measureAgent(person: { objectId: string; token: string }): Promise<number> {
  const client = await createClient({ redirectUris: ['https://agent.example/callback'] })
  const resource = `${first.context.publicUrl}/mcp`
  const { tokens } = await signIn(client, person, { scope: `openid ${scope}`, resource })
  const options = { requestInit: { headers: { authorization: `Bearer ${tokens.access_token}` } } }
  const find = { name: 'find_documents', arguments: { className: 'Thing' } }
  const works = await Promise.all(
    servers.map(async ({ url }) => {
      const agent = new Client({ name: 'measure', version: '1' })
      await agent.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), options))
      return () =>
        agent.callTool(find).then(
          () => true,
          () => false,
        )
    }),
  )
  const { body } = await first.call('GET', '/auth/connectedApps', undefined, { token: person.token })
  const [app] = body.results as { id: string }[]
  return measure(
    () => first.call('DELETE', `/auth/connectedApps/${app?.id}`, undefined, { token: person.token }),
    works,
  )
}

await first.call('POST', '/classes/Thing', { n: 1 }, { master: true })
const person = await first.signUp('owner')
for (const [name, once] of [
  ['personal token at the API', measurePersonal],
  ['OAuth token, official client at /mcp', measureAgent],
] as const) {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) times.push(await once(person))
  times.sort((a, b) => a - b)
  const at = (share: number) => (times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0).toFixed(1)
  console.log(`${name}: median ${at(0.5)} ms, 90 % ${at(0.9)} ms, most ${at(1)} ms, ${rounds} rounds, three servers`)
}
await stop()
