import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as OlderClient } from 'mcp-older/client/index.js'
import { StreamableHTTPClientTransport as OlderTransport } from 'mcp-older/client/streamableHttp.js'
import { expect, test } from 'vitest'
import { createOidcPeople } from '../../testing/oidc/createOidcPeople.ts'
import { serveTests } from '../../testing/serveTests.ts'

const server = serveTests({ rateLimit: [] })
const { createClient, signIn } = createOidcPeople(() => server)

const address = () => new URL(`${server.context.publicUrl}/mcp`)

type Result = { isError?: boolean; content: { type: string; text: string }[] }
type AnyClient = {
  listResources(): Promise<{ resources: { uri: string }[] }>
  readResource(asked: { uri: string }): Promise<{ contents: { text?: string }[] }>
  listTools(): Promise<{ tools: { name: string; annotations?: object }[] }>
  callTool(call: { name: string; arguments: object }): Promise<unknown>
  close(): Promise<void>
}

async function connect(token: string, kind: 'present' | 'older' = 'present'): Promise<AnyClient> {
  const options = { requestInit: { headers: { authorization: `Bearer ${token}` } } }
  if (kind === 'older') {
    const client = new OlderClient({ name: 'test', version: '1' })
    await client.connect(new OlderTransport(address(), options) as never)
    return client as unknown as AnyClient
  }
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(address(), options))
  return client as unknown as AnyClient
}

const read = (result: unknown) => {
  const { isError, content } = result as Result
  const text = content[0]?.text ?? ''
  return { isError: isError ?? false, text, value: isError ? undefined : JSON.parse(text) }
}

/** An agent that a person gave these rights by the screen of the provider. */
async function connectAgent(name: string, scope: string) {
  const person = await server.signUp(name)
  const client = await createClient({ redirectUris: ['https://agent.example/callback'], name: 'Acme Agent' })
  const { tokens } = await signIn(client, person, { scope: `openid ${scope}`, resource: address().href })
  return { person, token: tokens.access_token }
}

test.each(['present', 'older'] as const)(
  'the official client (%s) finds and writes documents within its scope',
  async (kind) => {
    await server.call('POST', '/classes/Score', { points: 1 }, { master: true })
    const { person, token } = await connectAgent(`agent of ${kind}`, 'Score:read Score:create')
    const agent = await connect(token, kind)
    const { tools } = await agent.listTools()
    expect(tools.map(({ name }) => name).sort()).toEqual(['create_document', 'find_documents', 'get_document'])
    expect(tools.find(({ name }) => name === 'find_documents')?.annotations).toMatchObject({ readOnlyHint: true })
    const create = { className: 'Score', fields: { points: 42 } }
    const made = read(await agent.callTool({ name: 'create_document', arguments: create }))
    expect(made.value).toMatchObject({ objectId: expect.any(String) })
    const find = { className: 'Score', where: { points: 42 } }
    const found = read(await agent.callTool({ name: 'find_documents', arguments: find }))
    expect(found.value.results).toContainEqual(expect.objectContaining({ objectId: made.value.objectId, points: 42 }))

    const { body } = await server.call('GET', '/auth/activity', undefined, { token: person.token })
    expect(body.results).toContainEqual(
      expect.objectContaining({ action: 'agentCall', details: expect.objectContaining({ name: 'Acme Agent' }) }),
    )
    await agent.close()
  },
)

test('tools beyond the scope do not exist, and classes beyond it are refused', async () => {
  await server.call('POST', '/classes/Secret', { of: 'somebody' }, { master: true })
  const { token } = await connectAgent('narrow', 'Score:read')
  const agent = await connect(token)
  for (const call of [
    { name: 'delete_document', arguments: { className: 'Score', objectId: 'x' } },
    { name: 'find_documents', arguments: { className: 'Secret' } },
    { name: 'find_documents', arguments: { className: '_Session' } },
    { name: 'find_documents', arguments: { className: 'Score', limit: 100_000 } },
    {
      name: 'find_documents',
      arguments: { className: 'Score', where: { x: { $inQuery: { className: 'Secret', where: {} } } } },
    },
    { name: 'get_document', arguments: { className: 'Score', objectId: '../Secret' } },
  ]) {
    const outcome = await agent.callTool(call).then(read, () => ({ isError: true, text: '' }))
    expect(outcome.isError, JSON.stringify(call)).toBe(true)
    expect(outcome.text).not.toMatch(/select |node_modules/)
  }
  await agent.close()
})

test('a token of another resource, an ended one, a session and a key open nothing', async () => {
  const person = await server.signUp('other resource')
  const client = await createClient({ redirectUris: ['https://agent.example/callback'] })
  const api = `${server.context.publicUrl}${server.context.config.mount}`
  const forApi = await signIn(client, person, { scope: 'openid Score:read', resource: api })
  const forAgents = await signIn(client, person, { scope: 'openid Score:read', resource: address().href })
  const asApi = await server.call('GET', '/classes/Score', undefined, {
    headers: { authorization: `Bearer ${forAgents.tokens.access_token}` },
  })
  expect(asApi.body.code).toBe(209)
  for (const token of [forApi.tokens.access_token, person.token, server.masterKey, `cs_oat_${'A'.repeat(36)}`, 'x']) {
    const response = await fetch(address(), {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: '{}',
    })
    expect(response.status, token.slice(0, 7)).toBe(401)
    expect(response.headers.get('www-authenticate')).toContain('invalid_token')
  }
})

test.each(['present', 'older'] as const)(
  'the official client (%s) reads schemas of its scope and chains',
  async (kind) => {
    const permissions = { find: { '*': true }, get: { '*': true }, protectedFields: { '*': ['hidden'] } }
    const fields = { points: { type: 'Number' }, hidden: { type: 'String' } }
    await server.call('POST', '/schemas/Described', { fields, classLevelPermissions: permissions }, { master: true })
    await server.call('POST', '/schemas/Closed', { fields, classLevelPermissions: {} }, { master: true })
    const { token } = await connectAgent(`reader ${kind}`, 'Described:read Closed:read chain:read')
    const agent = await connect(token, kind)
    const { resources } = await agent.listResources()
    expect(resources.map(({ uri }) => uri)).toEqual(['schema://classes/Closed', 'schema://classes/Described'])
    const { contents } = await agent.readResource({ uri: 'schema://classes/Described' })
    const schema = JSON.parse(contents[0]?.text ?? '{}')
    expect(schema.fields).toMatchObject({ points: { type: 'Number' } })
    expect(schema.fields).not.toHaveProperty('hidden')
    await expect(agent.readResource({ uri: 'schema://classes/Closed' })).rejects.toThrow()
    await expect(agent.readResource({ uri: 'schema://classes/_Session' })).rejects.toThrow()
    const { tools } = await agent.listTools()
    expect(tools.map(({ name }) => name)).toContain('list_token_balances')
    const chains = read(await agent.callTool({ name: 'list_chains', arguments: {} }))
    expect(chains.value.results).toEqual(expect.any(Array))
    await agent.close()
  },
)

test('without a token, an agent learns where to get one', async () => {
  const response = await fetch(address(), { method: 'POST', body: '{}' })
  expect(response.status).toBe(401)
  const [, place = ''] = /resource_metadata="([^"]+)"/.exec(response.headers.get('www-authenticate') ?? '') ?? []
  const metadata = (await (await fetch(place)).json()) as { resource: string; authorization_servers: string[] }
  expect(metadata).toMatchObject({
    resource: address().href,
    authorization_servers: [`${server.context.publicUrl}/oidc`],
  })
  const discovery = await fetch(`${metadata.authorization_servers[0]}/.well-known/openid-configuration`)
  expect(await discovery.json()).toMatchObject({ code_challenge_methods_supported: ['S256'] })
})

test('an agent loses access when its person ends it', async () => {
  const { person, token } = await connectAgent('ends it', 'Score:read')
  const agent = await connect(token)
  await agent.listTools()
  const { body } = await server.call('GET', '/auth/connectedApps', undefined, { token: person.token })
  const [app] = body.results as { id: string }[]
  await server.call('DELETE', `/auth/connectedApps/${app?.id}`, undefined, { token: person.token })
  await expect
    .poll(
      async () =>
        (await fetch(address(), { method: 'POST', headers: { authorization: `Bearer ${token}` }, body: '{}' })).status,
    )
    .toBe(401)
  await expect(agent.callTool({ name: 'find_documents', arguments: { className: 'Score' } })).rejects.toThrow()
})

test('malformed and oversized requests get a clear 4xx', async () => {
  const { token } = await connectAgent('malformed', 'Score:read')
  for (const body of ['', 'x', '[]', '{"jsonrpc":"2.0"}', `{"x":"${'y'.repeat(300_000)}"}`, '{"__proto__":{}}']) {
    const response = await fetch(address(), {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
      },
      body,
    })
    expect(response.status, body.slice(0, 20)).toBeGreaterThanOrEqual(400)
    expect(response.status, body.slice(0, 20)).toBeLessThan(500)
  }
})
