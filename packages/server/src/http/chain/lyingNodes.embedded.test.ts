import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
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
const nonsense = [null, true, 7, '', 'text', '0x', absurd, `0x${'f'.repeat(1_000)}`, [], [null], {}, { number: '0x1' }]
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
  ]
}

/** What is answered in a way that says nothing, or blames ourselves. */
async function listFaults(asked: [string, string, object?][]): Promise<unknown[]> {
  const answers = await Promise.all(
    asked.map(async ([method, path, body]) => {
      const answer = await server.call(method, path, body)
      const isPlain = answer.status < 500 && (answer.status < 400 || String(answer.body.error).length > 10)
      return isPlain ? [] : [`${method} ${path}: ${answer.status} ${answer.text}`]
    }),
  )
  return answers.flat()
}

test('all of it can be asked while the node tells the truth', async () => {
  const answers = await Promise.all(reads().map(([method, path, body]) => server.call(method, path, body)))
  const refused = answers.flatMap(({ status, text }, place) =>
    status === 200 ? [] : [`${reads()[place]?.[1]} ${text}`],
  )
  expect(refused).toEqual([])
})

test.each(nonsense.map((lie) => [JSON.stringify(lie).slice(0, 20), lie]))(
  'a node that answers everything but its head with %s is no fault of ours',
  async (_, lie) => {
    await scene.node.mine()
    scene.node.faults.answer = (method, params) => (isHead(method, params) ? undefined : lie)
    expect(await listFaults(reads())).toEqual([])
  },
)

test('a head that is none, or of no time, is the failure of a node', async () => {
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
