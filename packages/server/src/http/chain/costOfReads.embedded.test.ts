import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { RpcCall, Settled } from '../../chain/nodes/Chain.ts'
import { createBatcher } from '../../chain/nodes/createDispatcher.ts'
import { createBucket } from '../../chain/nodes/createNode.ts'
import type { Chain } from '../../testing/chain/Chain.ts'
import { deployContract } from '../../testing/chain/deployContract.ts'
import { getArtifact } from '../../testing/chain/getArtifact.ts'
import { RpcError } from '../../testing/chain/RpcError.ts'
import { startChain } from '../../testing/chain/startChain.ts'
import { createTestServer, type TestServer } from '../../testing/createTestServer.ts'

let chain: Chain
let server: TestServer
let multicall: string
let token: string

beforeAll(async () => {
  chain = await startChain()
  multicall = (await deployContract(chain, getArtifact('Multicall3'))).toLowerCase()
  token = (await deployContract(chain, getArtifact('Token'), ['Coin', 'CN', 18])).toLowerCase()
  server = await createTestServer({
    trustProxy: true,
    chainApi: { requestsPerMinute: 300 },
    chains: [{ id: chain.chainId, name: 'local', rpcUrls: [chain.url], contracts: { multicall } }],
  })
})

afterAll(async () => {
  await server.stop()
  await chain.stop()
})

afterEach(() => {
  delete chain.faults.answer
  server.clock.forward(61_000)
})

/** Addresses whose contracts burn all gas that a call has, and that of everything in the same call. */
const burners = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => `0xbad${(from + index).toString(16).padStart(37, '0')}`)

const burnGas = () => {
  chain.faults.answer = (method, params) => {
    const { data = '', to = '' } = (params[0] ?? {}) as { data?: string; to?: string }
    if (method === 'eth_call' && (data.includes('bad0000') || to.startsWith('0xbad'))) {
      throw new RpcError({ code: -32_000, message: 'out of gas' })
    }
    return undefined
  }
}

const from = (address: string) => ({ headers: { 'X-Forwarded-For': address } })
const ask = (addresses: string[], address: string) =>
  server.call('POST', '/functions/getTokenMetadata', { chain: 'local', addresses }, from(address))
const callsOf = (method: string) => chain.faults.calls[method] ?? 0

test('SEC-61: a list of more than 100 addresses is refused before a node is asked', async () => {
  const before = chain.faults.requests
  for (const path of ['/chain/local/tokens', '/chain/local/balances']) {
    const { status, body } = await server.call('GET', `${path}?addresses=${burners(101).join()}`)
    expect([path, status, body.code]).toEqual([path, 400, 162])
  }
  const older = await ask(burners(101), '203.0.113.1')
  expect([older.status, String(older.body.error)]).toEqual([400, expect.stringMatching(/addresses.*100/)])
  expect(chain.faults.requests).toBe(before)
})

test('SEC-61: node requests are counted, and halving is limited', async () => {
  burnGas()
  const before = callsOf('eth_call')
  const answers = await Promise.all(
    Array.from({ length: 5 }, (_, index) => ask(burners(100, 1_000 * (index + 1)), '203.0.113.2')),
  )
  expect(answers.map(({ status }) => status >= 400 && status < 500)).toEqual([true, true, true, true, true])
  expect(callsOf('eth_call') - before).toBeLessThanOrEqual(310)
  // The same caller has used up the minute; another has not.
  const over = await server.call('GET', `/chain/local/addresses/${token}/balance`, undefined, from('203.0.113.2'))
  expect([over.status, over.body.code]).toEqual([429, 155])
  const other = await server.call('GET', `/chain/local/addresses/${token}/balance`, undefined, from('203.0.113.3'))
  expect(other.status).toBe(200)
})

test('SEC-61: contracts that burn gas are singled out once, and the rest of the list succeeds', async () => {
  burnGas()
  const list = [...burners(6, 90_000), token]
  let answer = await ask(list, '203.0.113.4')
  for (let tries = 0; answer.status !== 200 && tries < 4; tries++) {
    server.clock.forward(61_000)
    answer = await ask(list, '203.0.113.4')
  }
  expect(answer.status, answer.text).toBe(200)
  const before = callsOf('eth_call')
  await chain.mine(1)
  await ask([...list, `0x${'1'.repeat(40)}`], '203.0.113.4')
  expect(callsOf('eth_call') - before).toBeLessThanOrEqual(2)
})

test('SEC-61: the server is asked for first, and visitors take turns', async () => {
  const sent: string[] = []
  const open: (() => void)[] = []
  const dispatch = (calls: readonly RpcCall[]) =>
    new Promise<Settled[]>((resolve) => {
      sent.push(String(calls[0]?.params[0]))
      open.push(() => resolve(calls.map(() => ({ result: null }))))
    })
  const { ask: send } = createBatcher(dispatch, { size: 1, timeout: 1_000 })
  const all = Array.from({ length: 50 }, () => send({ method: 'm', params: ['busy'] }, 1_000, 'busy'))
  all.push(send({ method: 'm', params: ['other'] }, 1_000, 'other'))
  all.push(send({ method: 'm', params: ['server'] }, 1_000))
  await new Promise(setImmediate)
  expect(sent.sort()).toEqual(['busy', 'busy', 'busy', 'busy', 'other', 'server'])
  while (open.length > 0) {
    open.shift()?.()
    await new Promise(setImmediate)
  }
  await Promise.all(all)
  expect(sent).toHaveLength(52)
})

test('SEC-61: visitors do not book the rate of a node ahead of the server', async () => {
  let now = 0
  const bucket = createBucket(10, () => now)
  expect(await bucket.take(10, 5_000, false)).toBe(true)
  const visitors = Array.from({ length: 20 }, () => bucket.take(10, 60_000, false))
  now = 100
  // One request of a visitor is under way; the server waits for that alone.
  expect(await bucket.take(1, 1_500)).toBe(true)
  now = 1_000_000
  expect(await Promise.race([visitors[0], new Promise((done) => setTimeout(done, 3_000, 'late'))])).toBe(true)
})
