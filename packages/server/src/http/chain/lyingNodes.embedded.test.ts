import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { post } from '../../chain/nodes/createNode.ts'
import { createScene, ether } from '../../testing/chain/createScene.ts'
import { createTestServer, type TestServer } from '../../testing/createTestServer.ts'

let scene: Awaited<ReturnType<typeof createScene>>
let server: TestServer
let hash: string

beforeAll(async () => {
  scene = await createScene()
  // Nothing is final, and so nothing is known from before.
  scene.node.finality = 10_000
  hash = await scene.send('Token', scene.gold, 'mint', scene.creator, ether(5))
  server = await createTestServer({ chains: scene.chainsWith() })
})
afterEach(() => {
  delete scene.node.faults.answer
})
afterAll(async () => {
  await server?.stop()
  await scene?.node.stop()
})

const absurd = `0x${'f'.repeat(64)}`
/** In seconds; a date of JavaScript ends before. */
const tooLate = '0x1ffffffffffff'
const deep = (levels: number) => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`) as unknown
const nonsense = [
  ...[null, true, 7, -1, 1.5, 1e308, '', 'text', '0x', '0x1', '0xg', '0x123', `-${absurd}`, absurd],
  ...[
    `0x${'f'.repeat(1_000)}`,
    `0x${'f'.repeat(200_000)}`,
    `0x${'0'.repeat(64)}`,
    `0x${'0'.repeat(62)}20${'f'.repeat(64)}`,
  ],
  ...['<html><body>502 Bad Gateway</body></html>', '\0', '\ud800', '9'.repeat(400)],
  ...[[], [null], [[]], {}, { number: '0x1' }, { result: '0x1' }, { __proto__: null, length: 1e9 }, deep(1_500)],
]
const isHead = (method: string, [block]: unknown[]) =>
  method === 'eth_chainId' || (method === 'eth_getBlockByNumber' && (block === 'latest' || block === 'finalized'))

const abi = [{ type: 'function', name: 'name', inputs: [], outputs: [{ type: 'string' }], stateMutability: 'view' }]
const party = (name: string) => ({ name, type: 'address', indexed: true })
const event = {
  type: 'event',
  name: 'Transfer',
  inputs: [party('from'), party('to'), { name: 'value', type: 'uint256' }],
}

const reads = (): [string, string, object?][] => {
  const { alice, gold, weth, pictures, badges, creator } = scene
  const at = '/chain/local'
  return [
    ...['', '/balance', '/tokens?tokens='.concat(gold), '/name'].map((path): [string, string] => [
      'GET',
      `${at}/addresses/${alice}${path}`,
    ]),
    ...[`/balances?addresses=${alice}`, '/names/alice.eth', '/blocks/latest', '/blocks/3', '/date/2030-01-01'].map(
      (path): [string, string] => ['GET', `${at}${path}`],
    ),
    ...[`/transactions/${hash}`, `/transactions/${hash}/internal`, `/tokens/${gold}`, `/tokens/${gold}/price`].map(
      (path): [string, string] => ['GET', `${at}${path}`],
    ),
    ['GET', `${at}/tokens/${gold}/allowance?owner=${creator}&spender=${alice}`],
    ['GET', `${at}/nfts/${pictures}`],
    ['GET', `${at}/nfts/${badges}/1`],
    ['GET', `${at}/logs?address=${gold}`],
    ['GET', `${at}/pairs?tokenA=${gold}&tokenB=${weth}&exchange=uniswapv2`],
    ['POST', `${at}/call`, { address: gold, abi, function: 'name' }],
    ['POST', `${at}/events`, { address: gold, abi: [event], event: 'Transfer' }],
    ['POST', '/functions/getBlock', { block_number_or_hash: 'latest', include: 'internal_transactions' }],
    ['POST', '/functions/getDateToBlock', { date: '2030-01-01' }],
    ['POST', '/functions/getTransactionVerbose', { transaction_hash: hash }],
    ['POST', '/functions/getTokenMetadata', { addresses: [gold] }],
    ['POST', '/functions/getNFTMetadata', { address: pictures }],
    ['GET', at],
    ['GET', `${at}/names/alice.eth/picture`],
    ['GET', `${at}/tokens?addresses=${gold}`],
    ['POST', '/functions/getNativeBalance', { address: alice }],
    ['POST', '/functions/getNativeBalancesForAddresses', { wallet_addresses: [alice] }],
    ['POST', '/functions/getTokenBalances', { address: alice, token_addresses: [gold] }],
    ['POST', '/functions/getTokenPrice', { address: gold, exchange: 'uniswapv2' }],
    ['POST', '/functions/getTokenAllowance', { address: gold, owner_address: creator, spender_address: alice }],
    ['POST', '/functions/getTransaction', { transaction_hash: hash }],
    ['POST', '/functions/getInternalTransactions', { transaction_hash: hash }],
    ['POST', '/functions/getLogsByAddress', { address: gold }],
    ['POST', '/functions/getContractEvents', { address: gold, abi: event, topic: 'Transfer(address,address,uint256)' }],
    ['POST', '/functions/runContractFunction', { address: gold, abi, function_name: 'name' }],
    ['POST', '/functions/getPairAddress', { exchange: 'uniswapv2', token0_address: gold, token1_address: weth }],
    ['POST', '/functions/getPairReserves', { pair_address: gold }],
    ['POST', '/functions/getNFTTransfersByBlock', { block_number_or_hash: 'latest' }],
    ['POST', '/functions/getNFTTransfersFromToBlock', { from_block: 1, to_block: 5 }],
    ['POST', '/functions/getTokenIdMetadata', { address: badges, token_id: '1' }],
    ['POST', '/functions/getMultipleNFTs', { tokens: [{ token_address: pictures, token_id: '1' }] }],
    ['POST', '/functions/reSyncMetadata', { address: badges, token_id: '1' }],
    ['POST', '/functions/resolveAddress', { address: alice }],
    ['POST', '/functions/resolveENSDomain', { domain: 'alice.eth' }],
    ['POST', '/functions/endpointWeights', {}],
    ['POST', '/functions/web3ApiVersion', {}],
  ]
}

/** Responses that say nothing, or blame this server. */
async function listFaults(asked: [string, string, object?][]): Promise<unknown[]> {
  const answers = await Promise.all(
    asked.map(async ([method, path, body]) => {
      const answer = await server.call(method, path, body)
      const isPlain =
        answer.status < 500 && answer.body.code !== 1 && (answer.status < 400 || String(answer.body.error).length > 10)
      return isPlain ? [] : [`${method} ${path}: ${answer.status} ${answer.text}`]
    }),
  )
  return answers.flat()
}

/** Its picture lies on a host that is not there; and the token is no pool. */
const refusedInTruth = /picture$|getPairReserves$/

test('all reads work with an honest node', async () => {
  const answers = await Promise.all(reads().map(([method, path, body]) => server.call(method, path, body)))
  const refused = answers.flatMap(({ status, text }, place) =>
    status === 200 || refusedInTruth.test(reads()[place]?.[1] ?? '') ? [] : [`${reads()[place]?.[1]} ${text}`],
  )
  expect(refused).toEqual([])
})

test.each(nonsense.map((lie) => [JSON.stringify(lie).slice(0, 20), lie]))(
  'a node that returns %s for everything but its head is not our fault',
  async (_, lie) => {
    await scene.node.mine()
    scene.node.faults.answer = (method, params) => (isHead(method, params) ? undefined : lie)
    expect(await listFaults(reads())).toEqual([])
  },
)

const bodies: [string, string][] = [
  ['a page', '<html><body>502 Bad Gateway</body></html>'],
  ['nothing', ''],
  ['half of JSON', '{"jsonrpc":"2.0","id":0,"result":"0x'],
  ['a number', '7'],
  ['null', 'null'],
  ['a list of nothing', '[null,null,[]]'],
  ['an answer to another', '{"jsonrpc":"2.0","id":99,"result":"0x1"}'],
  ['neither result nor error', '{"jsonrpc":"2.0","id":0}'],
  ['an error that is a text', '{"jsonrpc":"2.0","id":0,"error":"no"}'],
  ['an error that is a list', '{"jsonrpc":"2.0","id":0,"error":[1,2]}'],
  ['an error of strange parts', '{"jsonrpc":"2.0","id":0,"error":{"code":"x","message":{"a":1},"data":[7]}}'],
  ['an error that is endless', `{"jsonrpc":"2.0","id":0,"error":{"code":-32000,"message":"${'no '.repeat(300_000)}"}}`],
  ['a result that is deep', `{"jsonrpc":"2.0","id":0,"result":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
  ['objects that are deep', `{"jsonrpc":"2.0","id":0,"result":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}`],
  ['a number without end', `{"jsonrpc":"2.0","id":0,"result":${'9'.repeat(100_000)}}`],
]

test.each(bodies)('a node that returns %s for everything is not our fault, and is named', async (_, text) => {
  await scene.node.mine()
  scene.node.faults.body = text
  try {
    expect(await listFaults(reads())).toEqual([])
    const { status, body } = await server.call('GET', `/chain/local/addresses/${scene.alice}/balance`)
    // A node's own refusal is passed on.
    const code = text.includes('no no') ? -1 : 100
    expect([status, body.code, body.error]).toEqual([400, code, expect.stringMatching(/node/i)])
  } finally {
    delete scene.node.faults.body
    await backToTruth()
  }
})

test('too large responses are cut off, and too deep ones are not parsed', async () => {
  const ask = () => post(scene.node.url, [{ method: 'eth_blockNumber', params: [] }], 20_000)
  try {
    scene.node.faults.body = `{"jsonrpc":"2.0","id":0,"result":"0x${'f'.repeat(40 * 1024 * 1024)}"}`
    await expect(ask()).rejects.toMatchObject({ name: 'NodeFailure', tooLong: true })
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const) {
      const nested = (levels: number) => `{"id":0,"result":${open.repeat(levels)}1${close.repeat(levels)}}`
      scene.node.faults.body = nested(2_060)
      expect((await ask()).body).toMatchObject({ id: 0 })
      scene.node.faults.body = nested(3_000)
      await expect(ask()).rejects.toMatchObject({ name: 'NodeFailure' })
    }
  } finally {
    delete scene.node.faults.body
  }
})

/** A failed node is not called again immediately. */
const backToTruth = () =>
  expect
    .poll(async () => (await server.call('GET', '/chain/local/blocks/latest')).status, { timeout: 60_000 })
    .toBe(200)

test('an invalid head is a failure of the node', async () => {
  for (const lie of [...nonsense, tooLate]) {
    scene.node.faults.answer = (method, params, real) => {
      if (!isHead(method, params) || method === 'eth_chainId') return undefined
      return lie === tooLate ? { ...(real as object), timestamp: tooLate, hash: absurd } : lie
    }
    const { status, body } = await server.call('GET', `/chain/local/addresses/${scene.alice}/balance`)
    expect([lie, status, body.code, body.error]).toEqual([lie, 400, 100, expect.stringMatching(/node/i)])
  }
})

test('parts of blocks, transactions and logs that cannot be are no fault of ours', async () => {
  const fields = ['number', 'timestamp', 'hash', 'transactions', 'gasUsed', 'baseFeePerGas', 'size', 'difficulty']
  const ofTransactions = ['from', 'to', 'value', 'nonce', 'type', 'input', 'gasPrice', 'blockNumber', 'blockHash']
  const ofReceipts = ['logs', 'status', 'topics', 'data', 'logIndex', 'effectiveGasPrice', 'contractAddress']
  const asked = reads().filter(([, path]) => /blocks|date|transactions|logs|events|functions.get(Bl|Da|Tr)/i.test(path))
  for (const field of [...fields, ...ofTransactions, ...ofReceipts]) {
    for (const lie of [tooLate, absurd, 'text', null, [7]]) {
      await scene.node.mine()
      const change = (value: unknown): unknown => {
        if (Array.isArray(value)) return value.map(change)
        if (value === null || typeof value !== 'object') return value
        return Object.fromEntries(
          Object.entries(value).map(([name, part]) => [name, name === field ? lie : change(part)]),
        )
      }
      scene.node.faults.answer = (method, params, real) => (isHead(method, params) ? undefined : change(real))
      expect([field, lie, await listFaults(asked)]).toEqual([field, lie, []])
    }
  }
})

test('SEC-29: a contract that returns one long text thousands of times is rejected before decoding', async () => {
  const word = (number: number) => number.toString(16).padStart(64, '0')
  const [count, length] = [8_000, 200_000]
  const long = `0x${word(32)}${word(count)}${word(count * 32).repeat(count)}${word(length)}${'61'.repeat(length)}`
  const said = { code: 3, message: 'execution reverted', data: `0x12345678${long.slice(2)}` }
  const { gold: address } = scene
  const of = (type: string) => [{ type: 'function', name: 'all', inputs: [], outputs: [{ type }] }]
  const calls = (abi: object[]): [string, object][] => [
    ['/chain/local/call', { address, abi, function: 'all' }],
    ['/functions/runContractFunction', { address, abi, function_name: 'all' }],
  ]
  scene.node.faults.answer = (method) => (method === 'eth_call' ? long : undefined)
  for (const type of ['string[]', 'bytes[]'])
    for (const [path, body] of calls(of(type))) {
      const answer = await server.call('POST', path, body)
      expect([path, answer.status, answer.body.error]).toEqual([path, 400, expect.stringContaining('does not match')])
    }
  // A contract chooses the content of its logs, and the caller chooses the type.
  const heard = { type: 'event', name: 'Transfer', inputs: [{ name: 'all', type: 'string[]' }] }
  const [{ toEventSelector }] = [await import('viem')]
  scene.node.faults.answer = (method, _params, real) =>
    method === 'eth_getLogs'
      ? (real as object[]).map((log) => ({ ...log, topics: [toEventSelector('Transfer(string[])')], data: long }))
      : undefined
  const events = await server.call('POST', '/chain/local/events', { address, abi: [heard], limit: 1 })
  expect([events.status, JSON.stringify(events.body).length < 3 * long.length]).toEqual([200, true])
  scene.node.faults.answer = (method) => {
    if (method === 'eth_call') throw Object.assign(new Error(said.message), said)
  }
  await scene.node.mine()
  const failed = [{ type: 'error', name: 'x', inputs: [{ name: 'all', type: 'string[]' }] }, ...of('string[]')]
  for (const [path, body] of calls(failed)) expect((await server.call('POST', path, body)).status).toBe(400)
})
