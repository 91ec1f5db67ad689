import { type AttackCase, casesOf } from '../AttackCase.ts'
import type { Cast } from '../createCast.ts'
import { guest, type Scene } from '../createScene.ts'
import type { Answer } from '../createTarget.ts'

const make = casesOf('delegation')

const protocol = { Accept: 'application/json, text/event-stream', 'MCP-Protocol-Version': '2025-06-18' }

/** A request to the endpoint of agents. */
function ask(scene: Scene, name: string, token: string | undefined, body: unknown, headers = {}, method = 'POST') {
  const authorization: Record<string, string> = token === undefined ? {} : { Authorization: `Bearer ${token}` }
  return scene.call({ name }, method, '/mcp', body, {
    isRooted: true,
    headers: { ...protocol, ...authorization, ...headers },
  })
}

const callTool = (name: unknown, given: unknown) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: given },
})

const isCarriedOut = ({ status, body }: Answer) =>
  status < 300 && body.result !== undefined && body.result.isError !== true

async function requireAgents(scene: Scene): Promise<void> {
  const { status } = await ask(scene, 'guest', undefined, {})
  if (status === 404 || status === 405) scene.skip('agents are off')
}

async function createToken(scene: Scene, { stranger }: Cast, scopes: string[]): Promise<string> {
  const made = await scene.call(stranger, 'POST', '/auth/tokens', { name: 'attack', scopes, expiresIn: 3_600 })
  if (made.status >= 300) scene.skip(`an access token cannot be created: ${made.body.reason}`)
  return scene.addSecret('ACCESS TOKEN', String(made.body.token), stranger)
}

export const agentCases: AttackCase[] = [
  make('only a token for agents opens the endpoint of agents', 'S27, SEC-2', async (scene, cast) => {
    await requireAgents(scene)
    const { stranger, ended } = cast
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
    const tokens = [
      undefined,
      '',
      'guessed',
      stranger.token,
      ended.token,
      `cs_oat_${'A'.repeat(36)}`,
      `cs_pat_${'A'.repeat(36)}`,
      scene.master?.masterKey,
      'x'.repeat(5_000),
    ]
    for (const token of tokens) scene.refused(await ask(scene, stranger.name, token, list), 'Agents need no token.')
    for (const headers of [
      { Cookie: `countersign=${stranger.token}`, 'X-Countersign-Session': 'cookie' },
      { 'X-Parse-Session-Token': stranger.token },
    ])
      scene.refused(
        await ask(scene, stranger.name, undefined, list, headers),
        'A session opens the endpoint of agents.',
      )
  }),
  make('tools do no more than the scope of their token', 'P5, P13, SEC-2', async (scene, cast) => {
    await requireAgents(scene)
    const { className, doc, stranger, victim } = cast
    const token = await createToken(scene, cast, [`${className}:read`])
    const hidden = await scene.addClass({ value: { type: 'String' } })
    await scene.call(stranger, 'POST', `/classes/${hidden}`, { value: 'x' })
    const beyond = [
      callTool('create_document', { className, fields: { note: 'x' } }),
      callTool('update_document', { className, objectId: doc, fields: { note: 'x' } }),
      callTool('delete_document', { className, objectId: doc }),
      callTool('get_document', { className, objectId: doc }),
      callTool('get_document', { className, objectId: '../../users/me' }),
      callTool('get_document', { className, objectId: '..%2f..%2fusers%2fme' }),
      callTool('find_documents', { className: hidden }),
      ...['_User', '_Session', '_Role', '__proto__', `${className}/../${hidden}`, `${className}?x=`].map((each) =>
        callTool('find_documents', { className: each }),
      ),
      callTool('find_documents', {
        className,
        where: { objectId: { $select: { query: { className: hidden, where: {} }, key: 'value' } } },
      }),
      callTool('find_documents', { className, limit: 1_000_000 }),
      callTool('find_documents', { className, include: 'link', where: { $where: '1' } }),
      callTool('call_function', { name: 'getServerTime' }),
      callTool('__proto__', {}),
      callTool('constructor', {}),
      callTool({ $ne: null }, {}),
    ]
    for (const body of beyond) {
      const answer = await ask(scene, stranger.name, token, body)
      const isPublic = JSON.stringify(body.params.arguments) === JSON.stringify({ className })
      scene.check(
        isPublic || !isCarriedOut(answer),
        answer,
        `${JSON.stringify(body.params).slice(0, 100)} works beyond the scope.`,
      )
    }
    const found = await ask(
      scene,
      stranger.name,
      token,
      callTool('find_documents', { className, where: { owner: victim.id } }),
    )
    scene.check(!found.text.includes(cast.canary), found, 'An agent reads a private document.', 'foreignData')
  }),
  make('malformed and large requests of agents are refused', 'SEC-4, SEC-5, P17', async (scene, cast) => {
    await requireAgents(scene)
    const token = await createToken(scene, cast, [`${cast.className}:read`])
    const bodies: unknown[] = [
      '',
      '{',
      'null',
      '[]',
      '[1]',
      {},
      { jsonrpc: '2.0' },
      { jsonrpc: '2.0', id: { $ne: null }, method: 'tools/list' },
      { jsonrpc: '2.0', id: 1, method: '__proto__' },
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: [] },
      { jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri: 'file:///etc/passwd' } },
      callTool('find_documents', { className: 'x'.repeat(200_000) }),
      callTool('find_documents', { className: cast.className, where: { note: { $regex: '(a+)+$' } } }),
      callTool('find_documents', { className: cast.className, where: { note: '\ud800\u0000' } }),
      callTool('find_documents', { className: cast.className, order: '\u0000' }),
      `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":${'['.repeat(3_000)}${']'.repeat(3_000)}}`,
      'x'.repeat(2_000_000),
    ]
    for (const body of bodies) await ask(scene, cast.stranger.name, token, body)
    for (const headers of [
      { 'MCP-Protocol-Version': '\u00ff' },
      { 'Content-Type': 'text/plain' },
      { 'MCP-Session-Id': 'x'.repeat(5_000) },
    ])
      await ask(scene, cast.stranger.name, token, { jsonrpc: '2.0', id: 1, method: 'tools/list' }, headers)
    for (const method of ['GET', 'DELETE', 'PUT'])
      scene.refused(await ask(scene, cast.stranger.name, token, undefined, {}, method), `Agents may ${method}.`)
    const alive = await scene.call(guest, 'GET', '/health')
    scene.check(alive.status === 200, alive, 'The server does not respond after malformed requests.', 'serverError')
  }),
]
