import type { ChainAnswer, ChainPage, PortfolioRecord, ValueHistoryRecord } from '@countersign/protocol'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type { ConfigInput } from '../../config/Config.ts'
import { sql } from '../../db/sql.ts'
import { createScene, ether } from '../../testing/chain/createScene.ts'
import { getArtifact } from '../../testing/chain/getArtifact.ts'
import { createTestServer, type TestServer } from '../../testing/createTestServer.ts'
import { createWalletUser, type WalletUser } from '../../testing/createWalletUser.ts'

type Row = Record<string, unknown>

let scene: Awaited<ReturnType<typeof createScene>>
let server: TestServer
let user: WalletUser
let owner: string
const hashes: Record<string, `0x${string}`> = {}

const isSynced = async () => {
  const { index } = (await server.call('GET', '/chain/local')).body as { index?: Row }
  const { number } = await scene.client.getBlock()
  expect(index).toMatchObject({ status: 'SYNCED', block: Number(number) })
}

beforeAll(async () => {
  scene = await createScene()
  scene.node.finality = 4
  server = await createTestServer({ chains: scene.chainsWith({ mode: 'users', transactions: true, startBlock: 0 }) })
  user = await createWalletUser(server)
  owner = user.account.address.toLowerCase()
  const { send, client, gold, usdc, pictures, badges, creator } = scene
  hashes.pay = await client.sendTransaction({ to: user.account.address, value: ether(1) })
  await send('Token', gold, 'mint', creator, ether(100))
  hashes.first = await send('Token', gold, 'transfer', owner, ether(4))
  hashes.second = await send('Token', gold, 'transfer', owner, ether(6))
  await send('Token', usdc, 'mint', owner, 3_000_000n)
  hashes.picture = await send('Pictures', pictures, 'mint', owner, 7n, 'data:application/json,{"name":"Seven"}')
  await send('Badges', badges, 'mint', owner, 1n, 5n)
  await vi.waitFor(isSynced, 60_000)
})
afterAll(async () => {
  await server?.stop()
  await scene?.node.stop()
})
afterEach(() => {
  for (const name of ['stateBlocks', 'missing', 'answer'] as const) delete scene.node.faults[name]
  scene.node.faults.down = false
})

const get = async <Result = Row>(path: string, at = '/chain/local') => {
  const { status, body } = await server.call('GET', `${at}${path}`, undefined, { token: user.token })
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body as unknown as ChainAnswer<Result>
}
const list = async (path: string) => (await get<Row[]>(path)) as unknown as ChainPage<Row>
const refusal = async (path: string, at = '/chain/local') =>
  (await server.call('GET', `${at}${path}`, undefined, { token: user.token })).body

describe('R27: from the node', () => {
  test('a response names its block and source; the second time it costs the node nothing', async () => {
    const { number, hash, timestamp } = await scene.client.getBlock()
    const block = { number: Number(number), hash, timestamp: new Date(Number(timestamp) * 1000).toISOString() }
    const path = `/addresses/${owner}/balance`
    const result = { balance: ether(1).toString(), decimals: 18, symbol: 'ETH' }
    const answer = { chain: 31337, block, result }
    await scene.client.getBlock()
    expect(await get(path)).toEqual({ ...answer, source: 'node' })
    scene.node.faults.calls = {}
    expect(await get(path)).toEqual({ ...answer, source: 'cache' })
    expect(scene.node.faults.calls.eth_getBalance).toBeUndefined()
    for (const name of ['eth', '31337', '0x7a69', 'LOCAL'])
      expect(await get(path, `/chain/${name}`)).toMatchObject(answer)
    await scene.node.mine()
    // A request for the head in that moment may still bring the former one.
    await vi.waitFor(
      async () => expect(await get(path)).toMatchObject({ source: 'node', block: { number: block.number + 1 } }),
      { timeout: 60_000 },
    )
  })

  test('chains, blocks, transactions, dates', async () => {
    const { blockNumber, blockHash } = await scene.client.getTransactionReceipt({ hash: hashes.first ?? '0x' })
    // A block that came a moment ago is not read yet.
    await vi.waitFor(
      async () =>
        expect((await server.call('GET', '/chain')).body.results).toMatchObject([
          {
            ...{ id: 31337, name: 'local', aliases: ['eth'], nativeCurrency: { symbol: 'ETH' } },
            head: { number: expect.any(Number) },
            finalized: expect.any(Number),
            index: { mode: 'users', progress: 1 },
          },
        ]),
      60_000,
    )
    for (const wanted of [blockNumber, blockHash, `0x${blockNumber.toString(16)}`])
      expect(await get(`/blocks/${wanted}`)).toMatchObject({
        block: { number: Number(blockNumber), hash: blockHash },
        result: { hash: blockHash, transactionCount: 1, transactions: [{ hash: hashes.first, status: 'success' }] },
      })
    // A head that was read before the last block came is served for a while.
    await vi.waitFor(
      async () => expect((await get<Row>('/blocks/latest')).result).toMatchObject({ number: await head() }),
      { timeout: 60_000 },
    )
    expect(await get(`/transactions/${hashes.first}`)).toMatchObject({
      block: { number: Number(blockNumber) },
      result: {
        call: { label: 'transfer', params: [{ value: owner }, { value: ether(4).toString() }] },
        logs: [{ address: scene.gold, decoded: { label: 'Transfer' } }],
      },
    })
    const { timestamp } = await scene.client.getBlock()
    await vi.waitFor(
      async () => expect(await get(`/date/${timestamp}`)).toMatchObject({ result: { number: await head() } }),
      { timeout: 60_000 },
    )
    expect(await refusal('/blocks/99999999')).toMatchObject({ code: 101 })
    expect(await refusal('/blocks/nonsense')).toMatchObject({ code: 162, error: expect.stringContaining('block must') })
    expect(await refusal(`/transactions/0x${'ab'.repeat(32)}`)).toMatchObject({ code: 101 })
  })

  test('addresses, names, tokens, prices, pairs, allowance, collectibles', async () => {
    const { alice, bob, gold, weth, usdc, pictures, badges, goldPair, creator } = scene
    expect(await get(`/addresses/${gold}`)).toMatchObject({ result: { balance: '0', nonce: 1, isContract: true } })
    expect((await get(`/addresses/${alice}`)).result).toEqual({
      ...{ address: alice, balance: '0', nonce: 0, isContract: false, name: 'alice.eth' },
      avatar: { url: 'https://alice.example/me.png' },
    })
    expect(await get('/names/alice.eth')).toMatchObject({ result: { name: 'alice.eth', address: alice } })
    expect(await get(`/addresses/${alice}/name`)).toMatchObject({ result: { name: 'alice.eth' } })
    expect(await refusal(`/addresses/${bob}/name`)).toMatchObject({ code: 101 })
    expect((await get(`/names?addresses=${alice},${bob},${alice}`)).result).toEqual([
      { address: alice, name: 'alice.eth' },
    ])
    expect((await get(`/balances?addresses=${owner},${bob}`)).result).toEqual([
      { address: owner, balance: ether(1).toString() },
      { address: bob, balance: '0' },
    ])
    expect((await get(`/tokens?addresses=${gold},${usdc}`)).result).toEqual([
      { token: gold, name: 'Gold', symbol: 'GLD', decimals: 18 },
      { token: usdc, name: 'USD Coin', symbol: 'USDC', decimals: 6 },
    ])
    await expect.poll(async () => (await get('/tokens?symbols=gld')).result).toMatchObject([{ token: gold }])
    expect(await get(`/tokens/${gold}/price`)).toMatchObject({
      result: {
        native: { value: '500000000000000', symbol: 'ETH' },
        usd: '1',
        from: { exchange: 'uniswapv2', pool: goldPair, quote: weth },
      },
    })
    expect(await refusal(`/tokens/${pictures}/price`)).toMatchObject({ code: 101 })
    // A contract without a pool has no price.
    expect((await get(`/prices?tokens=${gold},${pictures}`)).result).toEqual([
      { usd: '2000' },
      { token: gold, usd: '1' },
    ])
    expect(await get(`/pairs?tokenA=${gold}&tokenB=${weth}&exchange=uniswapv2`)).toMatchObject({
      result: { pair: goldPair, reserve0: expect.stringMatching(/^\d+$/) },
    })
    expect(await get(`/tokens/${gold}/allowance?owner=${creator}&spender=${bob}`)).toMatchObject({
      result: { allowance: '0' },
    })
    expect(await get(`/nfts/${badges}`)).toMatchObject({ result: { kind: 'erc1155', name: 'Badges' } })
    expect(await get(`/nfts/${pictures}/7`)).toMatchObject({
      result: { owner, kind: 'erc721', uri: expect.any(String) },
    })
    expect(await refusal(`/nfts/${pictures}/99`)).toMatchObject({ code: 101 })
    expect(await get(`/addresses/${bob}/tokens?tokens=${gold}`)).toMatchObject({
      result: [{ token: gold, balance: '0' }],
    })
  })

  test('contract calls, events and logs, page by page', async () => {
    const { gold } = scene
    const { abi } = getArtifact('Token')
    const call = (body: object) => server.call('POST', '/chain/local/call', { address: gold, abi, ...body })
    expect((await call({ function: 'balanceOf', params: [owner] })).body).toMatchObject({
      result: ether(10).toString(),
      block: { number: await head() },
    })
    expect((await call({ function: 'nothing' })).body).toMatchObject({ code: 162 })
    expect((await call({})).body).toMatchObject({ code: 162, error: 'function is required.' })
    const events = await server.call('POST', '/chain/local/events', { address: gold, abi, event: 'Transfer', limit: 1 })
    expect(events.body).toMatchObject({ result: [{ transaction: hashes.second, decoded: { label: 'Transfer' } }] })
    const all = await list(`/logs?address=${gold}&order=asc`)
    const seen: Row[] = []
    let cursor: string | undefined
    for (let page = 0; page === 0 || (cursor && page < 20); page++) {
      const answer = await list(`/logs?address=${gold}&order=asc&limit=2${cursor ? `&cursor=${cursor}` : ''}`)
      expect(answer.page).toBe(page)
      seen.push(...answer.result)
      cursor = answer.cursor
    }
    expect(seen).toEqual(all.result)
    expect(all.total).toBe(seen.length)
    expect(await refusal('/logs?topics=nonsense')).toMatchObject({ code: 162 })
    expect(await refusal('/logs?fromBlock=9&toBlock=3')).toMatchObject({ code: 162 })
  })

  test('missing data or features of a node are reported with a sentence, never with a 500', async () => {
    const path = `/addresses/${scene.bob}/balance?block=1`
    scene.node.faults.stateBlocks = 1
    expect(await refusal(path)).toMatchObject({ code: 108, error: expect.stringContaining('that old') })
    scene.node.faults.missing = ['debug_traceTransaction', 'trace_transaction']
    expect(await refusal(`/transactions/${hashes.pay}/internal`)).toMatchObject({
      ...{ code: 108, error: expect.stringContaining('supports traces') },
    })
    scene.node.faults.down = true
    const down = await server.call('GET', `/chain/local/addresses/${scene.bob}/balance`)
    expect([down.status, down.body.code]).toEqual([400, 100])
    expect((await server.call('GET', '/chain')).body.results).toMatchObject([{ id: 31337, error: expect.any(String) }])
    // Stored rows are still served.
    expect(await list(`/addresses/${owner}/transfers`)).toMatchObject({ source: 'index', total: 5 })
    expect(await list(`/addresses/${owner}/nfts`)).toMatchObject({ source: 'index', total: 2 })
    scene.node.faults.down = false
    await expect.poll(() => refusal('/blocks/latest'), { timeout: 60_000 }).not.toHaveProperty('code')
  })
})

describe('R27: from the index', () => {
  test('tokens, transfers, transactions and collectibles of a user, from the first block on', async () => {
    const { gold, usdc, pictures, badges, creator } = scene
    await vi.waitFor(isSynced, 60_000)
    const tokens = await get<Row[]>(`/addresses/${owner}/tokens`)
    expect(new Map(tokens.result.map(({ token, balance }) => [token, balance]))).toEqual(
      new Map([
        [gold, ether(10).toString()],
        [usdc, '3000000'],
      ]),
    )
    const transfers = await list(`/addresses/${owner}/transfers?kind=erc20&token=${gold}`)
    expect(transfers).toMatchObject({
      ...{ source: 'index', status: 'SYNCED', page: 0, page_size: 500, total: 2, block: { number: await head() } },
      result: [
        { transaction: hashes.second, kind: 'erc20', from: creator, to: owner, amount: ether(6).toString() },
        { transaction: hashes.first },
      ],
    })
    expect(transfers.cursor).toBeUndefined()
    expect(await list(`/addresses/${owner}/transfers`)).toMatchObject({ total: 5 })
    expect(await list(`/addresses/${owner}/transfers?direction=from`)).toMatchObject({ total: 0, result: [] })
    expect(await list(`/addresses/${owner}/transactions`)).toMatchObject({
      total: 1,
      result: [{ hash: hashes.pay, value: ether(1).toString(), status: 'success' }],
    })
    const nfts = await list(`/addresses/${owner}/nfts`)
    expect(nfts.total).toBe(2)
    expect(nfts.result.find(({ token }) => token === pictures)).toMatchObject({
      ...{ tokenId: '7', kind: 'erc721', name: 'Pictures', owner, amount: '1' },
    })
    await expect
      .poll(async () => (await list(`/addresses/${owner}/nfts?tokens=${pictures}`)).result)
      .toMatchObject([{ metadata: { name: 'Seven' }, normalized: { name: 'Seven' } }])
    const contracts = (await list(`/addresses/${owner}/collections`)).result.map(({ token }) => token)
    expect(contracts).toEqual([badges, pictures].sort())
  })

  test('pages have the same total and no absent fields, and another one once there are more', async () => {
    const path = `/addresses/${owner}/transfers`
    const whole = await list(path)
    const shown: Row[] = []
    let cursor: string | undefined
    do {
      const page = await list(`${path}?limit=2${cursor ? `&cursor=${cursor}` : ''}`)
      expect(page).toMatchObject({ total: whole.total, page: Math.floor(shown.length / 2), page_size: 2 })
      shown.push(...page.result)
      cursor = page.cursor
    } while (cursor)
    expect(shown).toEqual(whole.result)
    expect(await list(`${path}?limit=2&offset=2`)).toMatchObject({ total: whole.total, result: shown.slice(2, 4) })
    for (const { kind, block, ...fields } of shown) {
      const more = { erc20: [], erc721: ['tokenId'], erc1155: ['operator', 'tokenId'] }[String(kind)] ?? []
      const plain = ['amount', 'from', 'logIndex', 'to', 'token', 'transaction', 'transactionIndex']
      expect(Object.keys(fields).sort()).toEqual([...plain, ...more].sort())
      const { timestamp, ...named } = block as Row
      expect(named).toEqual({ number: expect.any(Number), hash: expect.stringMatching(/^0x[0-9a-f]{64}$/) })
      expect(new Date(String(timestamp)).toISOString()).toBe(timestamp)
    }
    await scene.send('Token', scene.gold, 'transfer', owner, 1n)
    const total = Number(whole.total) + 1
    await expect.poll(async () => (await list(`${path}?limit=2&offset=2`)).total, { timeout: 60_000 }).toBe(total)
    await scene.node.reorg(1)
    await expect.poll(async () => (await list(path)).total, { timeout: 60_000 }).toBe(whole.total)
  })

  test('a response is cached for the index’s block, and changes with the next', async () => {
    const path = `/addresses/${owner}/transfers?kind=erc20`
    // Includes rows of the tests before.
    await expect.poll(async () => (await list(path)).block.number).toBe(await head())
    const before = await list(path)
    expect(await list(path)).toEqual(before)
    hashes.third = await scene.send('Token', scene.gold, 'transfer', owner, 1n)
    await expect.poll(async () => (await list(path)).result[0]?.transaction).toBe(hashes.third)
    await scene.node.reorg(1)
    await expect.poll(async () => (await list(path)).result[0]?.transaction).toBe(before.result[0]?.transaction)
  })

  test('does not respond for addresses that are not indexed', async () => {
    const { bob, gold, pictures } = scene
    for (const path of [`/addresses/${bob}/transfers`, `/addresses/${bob}/nfts`, `/tokens/${gold}/transfers`])
      expect(await refusal(path)).toMatchObject({ code: 108, error: expect.stringContaining('does not include') })
    for (const path of ['ids', 'owners', 'transfers', '7/owners', '7/transfers'])
      expect(await refusal(`/nfts/${pictures}/${path}`)).toMatchObject({ code: 108 })
    expect(await refusal(`/addresses/${owner}/transfers?cursor=bm9uc2Vuc2U`)).toMatchObject({ code: 162 })
    for (const [query, words] of [
      ['kind=erc9', 'kind.0 must be erc20 or erc721 or erc1155.'],
      ['limit=0', 'limit must be a whole number above 0.'],
      ['limit=many', 'limit must be a whole number.'],
      ['order=up', 'order must be asc or desc.'],
      ['fromBlock=-1', 'fromBlock must be the number of a block.'],
      ['fromDate=soon', 'fromDate must be a date: ISO text, or seconds or milliseconds since 1970.'],
      ['token=0x1', 'token must be an address: 0x and 40 hex digits.'],
    ] as const)
      expect(await refusal(`/addresses/${owner}/transfers?${query}`)).toMatchObject({ code: 162, error: words })
  })

  test('database errors reach no client', async () => {
    const rename = (from: string, to: string) =>
      server.context.db.query(sql`alter table countersign.${sql.raw(from)} rename to ${sql.raw(to)}`)
    await scene.node.mine()
    await rename('chain_touched', 'chain_gone')
    try {
      const { body } = await server.call('GET', `/portfolio/${owner}`, undefined, { token: user.token })
      expect(body.chains).toEqual([expect.objectContaining({ error: 'Internal server error.' })])
    } finally {
      await rename('chain_gone', 'chain_touched')
    }
  })

  test('a portfolio in one response, with its value', async () => {
    const { body } = await server.call('GET', `/portfolio/${owner}`, undefined, { token: user.token })
    const { chains } = body as unknown as PortfolioRecord
    expect(chains).toMatchObject([
      {
        ...{ chain: 31337, name: 'local', complete: true, status: 'SYNCED', nfts: 2, age: expect.any(Number) },
        native: { balance: ether(1).toString(), symbol: 'ETH', usd: '2000' },
      },
    ])
    const worth = new Map(chains[0]?.tokens?.map(({ token, usd }) => [token, usd]))
    expect(worth.get(scene.gold)).toBe('10')
    expect(worth.get(scene.usdc)).toMatch(/^3(\.0+)?$/)
    const guest = await server.call('GET', `/portfolio/${scene.bob}?chains=local`)
    expect(guest.body.chains).toMatchObject([{ complete: false, tokens: [], native: { balance: '0' } }])
  })

  test('the older functions take the address of the signed-in user', async () => {
    const { token } = user
    const { body } = await server.call('POST', '/functions/getNativeBalance', {}, { token })
    expect(body).toEqual({ result: { balance: ether(1).toString() } })
    expect((await server.call('POST', '/functions/getNativeBalance', {})).body).toMatchObject({
      error: 'required param address not provided',
    })
  })
})

describe('permissions and limits', () => {
  const withServer = async (config: ConfigInput, work: (other: TestServer) => Promise<void>) => {
    const other = await createTestServer({ chains: scene.chainsWith(), ...config })
    try {
      await work(other)
    } finally {
      await other.stop()
    }
  }

  test('only those who are signed in, only the master key, and so many in a minute', async () => {
    const path = `/chain/local/addresses/${scene.bob}/balance`
    await withServer({ chainApi: { access: 'signedIn' }, trustProxy: true }, async (other) => {
      const { token } = await other.signUp('reader')
      const older = () => other.call('POST', '/functions/getNativeBalance', { address: scene.bob })
      expect([(await other.call('GET', path)).body.code, (await older()).body.code]).toEqual([209, 209])
      expect((await other.call('GET', path, undefined, { token })).status).toBe(200)
      expect((await other.call('GET', path, undefined, { master: true })).status).toBe(200)
      expect((await other.call('GET', '/chain/local/addresses/x/nfts')).body.code).toBe(209)
      // The same for application code without a caller.
      expect(await other.context.ask({ method: 'GET', path, body: '{}' })).toMatchObject({ error: { code: 209 } })
      other.context.config.chainApi.access = 'master'
      expect((await other.call('GET', path, undefined, { token })).body.code).toBe(119)
    })
    await withServer({ chainApi: { requestsPerMinute: 25 }, trustProxy: true }, async (other) => {
      const headers = { 'X-Forwarded-For': '203.0.113.7' }
      const ask = async (at: string) => (await other.call('GET', at, undefined, { headers })).status
      expect(await ask(path)).toBe(200)
      expect([await ask('/chain/local/logs?limit=1'), await ask('/chain/local/logs?limit=1')]).toEqual([200, 200])
      expect(await ask('/chain/local/logs?limit=1')).toBe(429)
      // A refused read takes nothing: four cheaper ones are left. Then both forms of a read are refused.
      for (let read = 0; read < 4; read++) expect(await ask(path)).toBe(200)
      const older = await other.call('POST', '/functions/getNativeBalance', { address: scene.bob }, { headers })
      expect([older.status, older.body.code]).toEqual([429, 155])
      other.clock.forward(61_000)
      expect(await ask(path)).toBe(200)
      // A caller over the limit must not decide the shared response of another who asks the same at that time.
      const traced = { block_number_or_hash: 'latest', include: 'internal_transactions' }
      const asOf = (address: string) =>
        other.call('POST', '/functions/getBlock', traced, { headers: { 'X-Forwarded-For': address } })
      for (let read = 0; read < 20; read++) await ask(path)
      const [over, fresh] = await Promise.all([asOf('203.0.113.7'), asOf('203.0.113.8')])
      expect([over.status, fresh.status]).toEqual([429, 200])
      // A chain that is not indexed says so.
      const answer = await other.call('GET', `/chain/local/addresses/${scene.bob}/nfts`)
      expect(answer.body).toMatchObject({ code: 108, error: 'The chain local is not indexed here.' })
    })
  })
})

test('the API description contains the parameters of a query', async () => {
  const { paths } = (await (await fetch(`${server.url}/openapi.json`)).json()) as {
    paths: Record<string, { get?: { parameters: { name: string; in: string; required: boolean }[] } }>
  }
  expect(paths['/chain/{chain}/addresses/{address}/transfers']?.get?.parameters).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ name: 'address', in: 'path', required: true }),
      expect.objectContaining({ name: 'direction', in: 'query', required: false }),
      expect.objectContaining({ name: 'limit', in: 'query', required: false }),
    ]),
  )
})

const head = async () => Number((await scene.client.getBlock()).number)

describe('value over time', () => {
  const ask = async () => (await get<ValueHistoryRecord>(`/addresses/${owner}/value`)).result

  test('balances and prices are those of each block; what is past is asked of the node once', async () => {
    await vi.waitFor(isSynced, 60_000)
    const before = await ask()
    const blocks = before.points.map(({ block }) => block.number)
    expect(blocks.length).toBeGreaterThan(12)
    expect(blocks.length).toBeLessThan(50)
    expect(blocks).toEqual([...blocks].sort((one, other) => one - other))
    expect(before.points[0]).toMatchObject({ usd: '0', unpriced: 0 })
    // One ether of 2,000, ten pieces of gold, three dollars.
    expect(before.points.at(-1)).toMatchObject({ block: { number: await head() }, usd: '2013', unpriced: 0 })
    expect(before.complete).toBe(true)

    // Ether costs twice as much; gold, which is traded for it, too.
    await scene.send('Token', scene.usdc, 'mint', scene.main, 200_000_000_000n)
    await scene.send('Pair', scene.main, 'sync')
    await vi.waitFor(isSynced, 60_000)
    scene.node.faults.calls = {}
    const after = await ask()
    expect(after.points.at(-1)?.usd).toBe('4023')
    const known = new Map(before.points.map((point) => [point.block.number, point]))
    const again = after.points.filter(({ block }) => known.has(block.number))
    expect(again.length).toBeGreaterThan(10)
    for (const point of again) expect(point).toEqual(known.get(point.block.number))
    expect(scene.node.faults.calls.eth_call ?? 0).toBeLessThan(20)
  })

  test('of an address that is not followed, only the native currency is known', async () => {
    const { result } = await get<ValueHistoryRecord>(`/addresses/${scene.bob}/value?days=2`)
    expect(result).toMatchObject({ complete: false })
    expect(result.points.at(-1)).toMatchObject({ usd: '0' })
    expect(await refusal(`/addresses/${owner}/value?days=0`)).toMatchObject({ code: 162 })
    expect(await refusal(`/addresses/${owner}/value?days=many`)).toMatchObject({ code: 162 })
  })

  test('a node without older state says so', async () => {
    await scene.node.mine(3)
    scene.node.faults.stateBlocks = 2
    expect(await refusal(`/addresses/${scene.alice}/value`)).toMatchObject({
      code: 108,
      error: 'No node configured for this chain keeps the state of blocks that old.',
    })
  })
})
