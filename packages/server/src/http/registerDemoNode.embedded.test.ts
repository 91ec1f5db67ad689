import { afterAll, beforeAll, expect, test } from 'vitest'
import { startChain } from '../testing/chain/startChain.ts'
import { createTestServer } from '../testing/createTestServer.ts'

let chain: Awaited<ReturnType<typeof startChain>>
let server: Awaited<ReturnType<typeof createTestServer>>

beforeAll(async () => {
  chain = await startChain()
  server = await createTestServer({
    usePublicNodes: false,
    chains: [{ id: chain.chainId, rpcUrls: [chain.url] }],
  })
})

afterAll(async () => {
  await server.stop()
  await chain.stop()
})

async function ask(body: unknown, id: number | string = chain.chainId) {
  const response = await fetch(`${server.url}/demo/node/${id}`, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  return { status: response.status, body: (await response.json()) as { error: { code: number } } }
}

const call = (method: string, ...params: unknown[]) => ({ jsonrpc: '2.0', id: 7, method, params })

test('the demo wallet gets the server’s own chain, and its node responds', async () => {
  const config = await (await fetch(`${server.url}/config.json`)).json()
  expect(config).toHaveProperty('demoChains', [{ id: chain.chainId, rpcUrls: [`/demo/node/${chain.chainId}`] }])
  const { body } = await ask(call('eth_chainId'))
  expect(body).toEqual({ jsonrpc: '2.0', id: 7, result: `0x${chain.chainId.toString(16)}` })
})

test('methods that act with accounts of the node, other chains and other bodies are rejected', async () => {
  for (const method of ['eth_sendTransaction', 'eth_accounts', 'eth_sign', 'hardhat_setBalance', 'debug_traceCall'])
    expect((await ask(call(method, {}))).body.error.code).toBe(-32601)
  expect((await ask(call('eth_chainId'), 1)).status).toBe(404)
  expect((await ask(call('eth_chainId'), 'x')).status).toBe(404)
  for (const body of ['', '[]', 'null', '{', JSON.stringify([call('eth_chainId')]), `{"a":"${'x'.repeat(200_000)}"}`])
    expect((await ask(body)).status).toBe(404)
  expect((await ask(call('eth_sendRawTransaction', '0x1234'))).body.error.code).toBeLessThan(0)
})

test('a server in production, and one whose nodes are elsewhere, pass nothing on', async () => {
  const chains = [{ id: chain.chainId, rpcUrls: [chain.url] }]
  const live = await createTestServer({ production: true, publicUrl: 'https://app.example', chains })
  const far = await createTestServer({ chains: [{ id: 1, rpcUrls: ['https://node.example/key'] }] })
  for (const other of [live, far]) {
    expect(await (await fetch(`${other.url}/config.json`)).json()).not.toHaveProperty('demoChains')
    const body = JSON.stringify(call('eth_chainId'))
    expect((await fetch(`${other.url}/demo/node/${chain.chainId}`, { method: 'POST', body })).status).toBe(404)
    expect((await fetch(`${other.url}/demo/node/1`, { method: 'POST', body })).status).toBe(404)
    await other.stop()
  }
})

test('calls are counted: beyond a rule’s limit they are refused', async () => {
  const rule = { requestPath: '/demo/*', requestTimeWindow: 60_000, requestCount: 2, includeInternalRequests: true }
  const chains = [{ id: chain.chainId, rpcUrls: [chain.url] }]
  const limited = await createTestServer({ usePublicNodes: false, chains, rateLimit: [rule] })
  try {
    const statuses: number[] = []
    for (let count = 0; count < 3; count++) {
      const body = JSON.stringify(call('eth_chainId'))
      statuses.push((await fetch(`${limited.url}/demo/node/${chain.chainId}`, { method: 'POST', body })).status)
    }
    expect(statuses).toEqual([200, 200, 429])
  } finally {
    await limited.stop()
  }
})
