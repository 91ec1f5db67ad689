import { expect, test, vi } from 'vitest'
import { callerOf } from '../../context/codeCaller.ts'
import { type LiveFrame, openLiveSocket } from '../../testing/openLiveSocket.ts'
import { serveTests } from '../../testing/serveTests.ts'

const server = serveTests({ rateLimit: [], trustProxy: true, masterKeyIps: ['10.0.0.0/8'] })

const office = { 'X-Forwarded-For': '10.1.2.3' }
const elsewhere = { 'X-Forwarded-For': '203.0.113.7' }
const asMaster = (method: string, path: string, body?: object) =>
  server.call(method, path, body, { master: true, headers: office })
const bearer = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } })

type User = { objectId: string; token: string }

async function makeToken(user: User, scopes: string[]): Promise<string> {
  const made = await server.call('POST', '/auth/tokens', { name: 'attack', scopes }, { token: user.token })
  expect(made.status, made.text).toBe(201)
  return String(made.body.token)
}

async function makeKey(scopes: string[], more: object = {}): Promise<string> {
  const made = await asMaster('POST', '/console/accessKeys', { name: 'key', scopes, ...more })
  expect(made.status, made.text).toBe(201)
  return String(made.body.token)
}

const isFor = (requestId: number) => (frame: LiveFrame) => frame.requestId === requestId

test('a key of operators is held to the addresses of the master key, also in live queries and forgiving endpoints', async () => {
  const token = await makeKey(['Score:read', 'config:read', 'chain:read'])
  await asMaster('POST', '/classes/Score', { points: 1, ACL: {} })
  const read = (headers: object) => server.call('GET', '/classes/Score', undefined, { token, headers: { ...headers } })
  expect((await read(office)).body.results).toHaveLength(1)
  expect((await read(elsewhere)).body.reason).toBe('addressNotAllowed')
  for (const [headers, op] of [
    [office, 'subscribed'],
    [elsewhere, 'error'],
  ] as const) {
    const ofFrame = await openLiveSocket(server, { headers })
    expect((await ofFrame.subscribe(1, { className: 'Score' }, { sessionToken: token })).op).toBe(op)
    ofFrame.close()
    const ofConnection = await openLiveSocket(server, { headers, connect: { sessionToken: token } })
    expect((await ofConnection.subscribe(1, { className: 'Score' })).op).toBe(op)
    ofConnection.close()
  }
})

test('a cookie with a token opens no live query: a planted one would act as somebody else', async () => {
  const user = await server.signUp('planter')
  const token = await makeToken(user, ['Diary:read'])
  await server.call('POST', '/classes/Diary', { ACL: { [user.objectId]: { read: true } } }, { token: user.token })
  const headers = { Origin: server.context.publicUrl, Cookie: `countersign=${token}` }
  const socket = await openLiveSocket(server, { headers })
  const subscribed = await socket.subscribe(1, { className: 'Diary' })
  await asMaster('POST', '/classes/Diary', { note: 'public' })
  await server.call('POST', '/classes/Diary', { note: 'own', ACL: { [user.objectId]: { read: true } } }, user)
  if (subscribed.op === 'subscribed') {
    await asMaster('POST', '/classes/Diary', { note: 'last' })
    await socket.next((frame) => frame.object?.note === 'last')
  }
  expect(socket.frames.filter(isFor(1)).map(({ object }) => object?.note)).not.toContain('own')
  socket.close()
})

test('a service account that writes as an agent is in the audit log, as by the API', async () => {
  const service = await asMaster('POST', '/console/services', { name: 'writer' })
  const token = await makeKey(['Report:create', 'Report:read'], { service: service.body.objectId })
  await asMaster('POST', '/classes/Report', {})
  const call = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'create_document', arguments: { className: 'Report', fields: { title: 'x' } } },
  }
  const answer = await askAgents(token, call)
  expect(answer.status, answer.text).toBe(200)
  expect(answer.text).toContain('objectId')
  // The log follows plain writes; nobody waits for it.
  const entry = { action: 'createObject', actor: 'service:writer', subject: expect.stringMatching(/^Report/) }
  await vi.waitFor(async () => {
    const { body } = await asMaster('GET', '/audit?limit=20')
    expect(body.results).toContainEqual(expect.objectContaining(entry))
  }, 20_000)
})

async function askAgents(token: string, body: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(`${server.url}/mcp`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': '2025-06-18',
      ...headers,
    },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  // As an event where the revision of the client wants a stream.
  return { status: response.status, text: /^data: (.*)$/m.exec(text)?.[1] ?? text }
}

test('functions whose long names begin alike do not take the tools from agents', async () => {
  const { functions } = server.context.registry
  const long = 'aFunctionWithANameThatIsLongerThanTheNamesOfToolsMayEverBeAtAll'
  for (const end of ['One', 'Two', 'three.four']) functions.set(`${long}${end}`, { run: async () => end })
  const token = await makeToken(await server.signUp('caller'), ['function:*'])
  const listed = await askAgents(token, { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} })
  expect(listed.status, listed.text).toBe(200)
  const { tools } = JSON.parse(listed.text).result as { tools: { name: string; title: string }[] }
  const names = tools.filter(({ title }) => title.includes(long)).map(({ name }) => name)
  expect([names.length, new Set(names).size]).toEqual([3, 3])
  for (const name of names) expect(name).toMatch(/^[\w.-]{1,64}$/)
  const answers = await Promise.all(
    names.map((name) =>
      askAgents(token, { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {} } }),
    ),
  )
  const said = answers.map(({ text }) => JSON.parse(text).result.content[0].text)
  expect(said.sort()).toEqual(['{"result":"One"}', '{"result":"Two"}', '{"result":"three.four"}'].sort())
  for (const end of ['One', 'Two', 'three.four']) functions.delete(`${long}${end}`)
})

test('calls in a list carry nothing out at the endpoint of agents', async () => {
  const user = await server.signUp('batcher')
  const token = await makeToken(user, ['Batched:create', 'Batched:read'])
  await asMaster('POST', '/classes/Batched', { n: 0 })
  const call = (n: number) => ({
    jsonrpc: '2.0',
    id: n,
    method: 'tools/call',
    params: { name: 'create_document', arguments: { className: 'Batched', fields: { n } } },
  })
  for (const version of ['2025-03-26', '2025-06-18', '2026-07-28'])
    for (const length of [1, 2, 200]) {
      const list = Array.from({ length }, (_, n) => call(n + 1))
      const { status, text } = await askAgents(token, list, { 'MCP-Protocol-Version': version })
      expect([version, length, status, text.includes('"error"')]).toEqual([version, length, 400, true])
    }
  const counted = await asMaster('GET', '/classes/Batched?count=1&limit=0')
  expect(counted.body.count).toBe(1)
})

/** Attempts to get more than the token has, as body of the usual and of the older form. */
const beyond = (user: User): [method: string, path: string, body?: object][] => [
  ['POST', '/auth/reauthenticate', { password: 'climber password' }],
  ['POST', '/auth/tokens', { name: 'more', scopes: ['*:read'] }],
  ['POST', '/auth/passkeys/challenge', {}],
  ['POST', '/auth/passkeys', {}],
  ['POST', '/auth/challenge', { purpose: 'link' }],
  ['POST', '/auth/recoveryCodes', {}],
  ['POST', '/auth/secondFactor', {}],
  ['GET', '/auth/connectedApps'],
  ['POST', '/oidc/requests/x', { allow: true }],
  ['GET', '/oidc/requests/x'],
  ['POST', '/sessions', {}],
  ['POST', '/users', { username: 'another', password: 'of a thief' }],
  ['PUT', `/users/${user.objectId}`, { password: 'of a thief' }],
  ['PUT', `/users/${user.objectId}`, { authData: { anonymous: { id: 'x' } } }],
  ['PUT', `/classes/_User/${user.objectId}`, { email: 'thief@example.com' }],
  ['POST', '/upgradeToRevocableSession', {}],
  ['POST', '/requestPasswordReset', { email: 'climber@example.com' }],
  ['POST', '/verifyPassword', { password: 'climber password' }],
  ['GET', '/verifyPassword?username=climber&password=climber%20password'],
  ['POST', '/logout', {}],
  ['POST', '/functions/linkAddress', {}],
  ['POST', '/functions/requestMessage', {}],
  ['POST', '/functions/logIn', {}],
  ['GET', '/classes/_EthAddress'],
  ['DELETE', '/classes/_EthAddress/0x00'],
  ['GET', '/classes/_Session'],
  ['GET', '/sessions/me'],
  ['POST', '/installations', { installationId: 'x', deviceType: 'web' }],
  ['PUT', '/installations/x', {}],
  ['DELETE', '/files/x.txt'],
  ['POST', '/push', { where: {}, data: { alert: 'x' } }],
  ['POST', '/loginAs', { userId: user.objectId }],
  ['POST', '/console/sql', { query: 'select 1' }],
  ['GET', '/console/sql'],
  ['GET', '/graphql'],
  ['POST', '/graphql', { query: '{ users { edges { node { id } } } }' }],
  ['GET', '/hooks/functions'],
  ['POST', '/hooks/triggers', {}],
  ['GET', '/aggregate/Score'],
  ['POST', '/jobs/x', {}],
  ['POST', '/purge/Score', {}],
  ['DELETE', `/users/${user.objectId}`],
]

test('a token never widens through its own requests, in any form', async () => {
  const user = await server.signUp('climber', { email: 'climber@example.com' })
  // An operator's own token is no key of operators.
  await asMaster('PUT', `/console/operators/${user.objectId}`, { role: 'admin' })
  const token = await makeToken(user, ['*:read', '*:write', '_User:read', '_Role:read', 'files:write', 'account:read'])
  const { mount } = server.context.config
  for (const [method, path, body] of beyond(user)) {
    const older = { ...body, _method: method, _ApplicationId: server.appId, _SessionToken: token }
    const plain = path.split('?')[0] ?? path
    const overridden = { 'X-HTTP-Method-Override': method }
    const responses = {
      header: await server.call(method, path, body, { token }),
      console: await server.call(method, path, body, { token, headers: { 'X-Countersign-Console': '1' } }),
      bearer: await server.call(method, path, body, bearer(token)),
      override: await server.call('POST', path, body ?? {}, { token, headers: overridden }),
      older: await fetch(`${server.serverUrl}${plain}`, {
        method: 'POST',
        headers: { 'Content-Type': 'text/plain' },
        body: JSON.stringify(older),
      }),
      slashes: await server.call(method, `/${plain.toUpperCase()}//`, body, { token }),
    }
    const batch = await server.call(
      'POST',
      '/batch',
      { requests: [{ method, path: `${mount}${path}`, ...(body && { body }) }] },
      { token },
    )
    for (const [form, { status }] of Object.entries(responses))
      expect(status, `${method} ${path} by ${form}`).toBeGreaterThanOrEqual(400)
    expect(batch.text, `${method} ${path} in a batch`).not.toContain('"success"')
  }
  // All is as it was: the password holds, and nobody was added.
  const again = await server.call('POST', '/login', { username: 'climber', password: 'climber password' })
  expect(again.status, again.text).toBe(200)
  const tokens = await server.call('GET', '/auth/tokens', undefined, { token: user.token })
  expect(tokens.body.results).toHaveLength(1)
  expect((await asMaster('GET', '/users?where={"username":"another"}')).body.results).toEqual([])
})

test('a token beside a session or the master key of a thief adds nothing', async () => {
  const [owner, thief] = [await server.signUp('beside'), await server.signUp('thief')]
  const token = await makeToken(owner, ['Diary:read'])
  const besides: Record<string, string>[] = [
    { Authorization: `Bearer ${token}`, 'X-Parse-Session-Token': thief.token },
    { Authorization: `Bearer ${token}`, Cookie: `countersign=${thief.token}`, 'X-Countersign-Session': 'cookie' },
  ]
  for (const headers of besides) {
    const made = await server.call('POST', '/auth/tokens', { name: 'x', scopes: ['*:read'] }, { headers })
    expect(made.body.reason).toBe('tokenNotAllowed')
  }
  const key = { Authorization: `Bearer ${token}`, 'X-Parse-Master-Key': 'guessed' }
  expect((await server.call('GET', '/schemas', undefined, { headers: key })).status).toBe(403)
})

test('functions, hooks and their requests have the scope of the token that called, until they name the master key', async () => {
  const user = await server.signUp('scoped code')
  const own = { ACL: { [user.objectId]: { read: true, write: true } } }
  await server.call('POST', '/classes/Vault', { secret: 'v', ...own }, { token: user.token })
  await server.call('POST', '/classes/Note', own, { token: user.token })
  const seen: unknown[] = []
  const { functions, hooks } = server.context.registry
  const asCaller = async (token: string | undefined, method: string, path: string, more: object = {}) => {
    const body = { _method: method, _ApplicationId: server.appId, ...(token && { _SessionToken: token }), ...more }
    return server.context.ask({ method: 'POST', path, body: JSON.stringify(body) })
  }
  functions.set('look', {
    run: async ({ caller }) => {
      const { session, token, isMaster } = callerOf(caller)
      seen.push([isMaster, token?.grant.name])
      const inside = [
        await asCaller(session?.token, 'GET', '/classes/Vault'),
        await asCaller(session?.token, 'POST', '/auth/tokens', { name: 'x', scopes: ['*:read'] }),
        await asCaller(session?.token, 'POST', '/batch', {
          requests: [{ method: 'GET', path: '/server/classes/Vault' }],
        }),
      ]
      const whole = await asCaller(undefined, 'GET', '/classes/Vault', { _MasterKey: server.masterKey })
      return { inside: JSON.stringify(inside), whole: JSON.stringify(whole) }
    },
  })
  const hooked: string[] = []
  hooks.set('beforeSave Note', [
    async ({ caller }) => {
      hooked.push(JSON.stringify(await asCaller(callerOf(caller).session?.token, 'GET', '/classes/Vault')))
      return undefined
    },
  ])
  const token = await makeToken(user, ['function:look', 'Note:write'])
  expect((await server.call('POST', '/functions/other', {}, { token })).body.reason).toBe('insufficientScope')
  expect((await server.call('POST', '/functions/LOOK', {}, { token })).body.reason).toBe('insufficientScope')
  const { body, text } = await server.call('POST', '/functions/look', {}, { token })
  const result = body.result as { inside: string; whole: string }
  expect(seen, text).toEqual([[false, 'attack']])
  expect((await server.call('POST', '/classes/Note', own, { token })).status).toBe(201)
  expect(hooked).toEqual([expect.stringContaining('insufficientScope')])
  expect(result.inside).not.toContain('"secret"')
  expect(result.inside).not.toContain('cs_pat_')
  // Code with the master key decides for itself.
  expect(result.whole).toContain('"secret":"v"')
  functions.delete('look')
  hooks.delete('beforeSave Note')
})
