import { createRequire } from 'node:module'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createScene, ether } from '../../../testing/chain/createScene.ts'
import { getArtifact } from '../../../testing/chain/getArtifact.ts'
import { createTestServer, type TestServer } from '../../../testing/createTestServer.ts'
import { type IpfsNode, startIpfsNode } from '../../../testing/startIpfsNode.ts'
import { stayOnThisMachine } from '../../../testing/stayOnThisMachine.ts'

type Row = Record<string, unknown>

type Page = { total: number; page: number; page_size: number; cursor: string; status?: string; result: Row[] } & {
  next?: () => Promise<Page>
}

type Call = (options?: object) => Promise<unknown>

type Moralis = {
  start(options: { serverUrl: string; appId: string }): Promise<void>
  Web3API: Record<string, Record<string, Call>>
  Web3: { getTransactions(options: object): Promise<unknown> }
}

const Moralis: Moralis = createRequire(import.meta.url)('moralis-v1/node')

const zero = `0x${'0'.repeat(40)}`

let scene: Awaited<ReturnType<typeof createScene>>

let server: TestServer

let ipfs: IpfsNode

const hashes: Record<string, `0x${string}`> = {}

beforeAll(async () => {
  stayOnThisMachine()
  scene = await createScene()
  const { send, client, alice, bob, gold, pictures, badges, creator } = scene
  hashes.pay = await client.sendTransaction({ to: alice, value: ether(2) })
  hashes.mint = await send('Token', gold, 'mint', creator, ether(50))
  hashes.gold = await send('Token', gold, 'transfer', alice, ether(5))
  // Blocks of one second have one time; what comes now is later.
  await scene.node.request('evm_increaseTime', [100])
  hashes.more = await send('Token', gold, 'transfer', bob, 7n)
  hashes.approve = await send('Token', gold, 'approve', bob, 9n)
  hashes.burn = await send('Token', gold, 'burn', 3n)
  hashes.picture = await send('Pictures', pictures, 'mint', alice, 7n, 'data:application/json,{"name":"Seven"}')
  await send('Pictures', pictures, 'mint', creator, 8n, '')
  hashes.moved = await send('Pictures', pictures, 'transferFrom', creator, bob, 8n)
  hashes.badges = await send('Badges', badges, 'mintBatch', alice, [1n, 2n], [10n, 20n])
  ipfs = await startIpfsNode()
  server = await createTestServer({
    ipfs: { url: ipfs.url, gateway: 'https://gateway.example/ipfs' },
    chains: scene.chainsWith({
      ...{ mode: 'contracts', contracts: [gold, pictures, badges], addresses: [alice], transactions: true },
      startBlock: 0,
    }),
  })
  await Moralis.start({ serverUrl: server.serverUrl, appId: server.appId })
  await vi.waitFor(async () => {
    const { index } = (await server.call('GET', '/chain/local')).body as { index?: Row }
    expect(index).toMatchObject({ status: 'SYNCED' })
  }, 10_000)
})

afterAll(async () => {
  vi.restoreAllMocks()
  await server?.stop()
  await scene?.node.stop()
  await ipfs?.stop()
})

const api = (group: string, name: string, options: object = {}) => {
  const call = Moralis.Web3API[group]?.[name]
  if (!call) throw new Error(`The client has no ${group}.${name}.`)
  return call(options)
}

const receiptOf = (name: string) => scene.client.getTransactionReceipt({ hash: hashes[name] as `0x${string}` })

const timeOf = async (number: bigint) =>
  new Date(Number((await scene.client.getBlock({ blockNumber: number })).timestamp) * 1000).toISOString()

describe('R27: straight from the node', () => {
  test('native: block, date, transaction, logs, events, contract reads, internal transactions', async () => {
    const { client, gold, alice, creator } = scene
    const receipt = await receiptOf('gold')
    const real = await client.getBlock({ blockNumber: receipt.blockNumber })
    const transaction = {
      hash: hashes.gold,
      from_address: creator,
      to_address: gold,
      value: '0',
      nonce: expect.stringMatching(/^\d+$/),
      receipt_status: '1',
      receipt_gas_used: receipt.gasUsed.toString(),
      block_number: receipt.blockNumber.toString(),
      block_hash: receipt.blockHash,
      block_timestamp: await timeOf(receipt.blockNumber),
    }
    const log = {
      address: gold,
      topic0: receipt.logs[0]?.topics[0],
      topic2: receipt.logs[0]?.topics[2],
      topic3: null,
      data: receipt.logs[0]?.data,
      transaction_hash: hashes.gold,
    }
    for (const wanted of [String(receipt.blockNumber), receipt.blockHash])
      expect(await api('native', 'getBlock', { block_number_or_hash: wanted })).toMatchObject({
        number: receipt.blockNumber.toString(),
        hash: receipt.blockHash,
        parent_hash: real.parentHash,
        gas_used: real.gasUsed.toString(),
        state_root: real.stateRoot,
        transaction_count: '1',
        transactions: [{ ...transaction, logs: [log] }],
      })
    expect(await api('native', 'getTransaction', { transaction_hash: hashes.gold })).toMatchObject({
      ...transaction,
      logs: [log],
    })
    expect(await api('native', 'getTransactionVerbose', { transaction_hash: hashes.gold })).toMatchObject({
      ...transaction,
      decoded_call: {
        label: 'transfer',
        signature: 'transfer(address,uint256)',
        params: [
          { name: 'to', type: 'address', value: alice },
          { name: 'value', type: 'uint256', value: ether(5).toString() },
        ],
      },
      logs: [{ ...log, decoded_event: { label: 'Transfer', params: [{ value: creator }, { value: alice }, {}] } }],
    })
    expect(await api('native', 'getDateToBlock', { date: await timeOf(receipt.blockNumber) })).toMatchObject({
      block: Number(receipt.blockNumber),
      timestamp: Number(real.timestamp),
      hash: real.hash,
      parent_hash: real.parentHash,
    })
    const logs = (await api('native', 'getLogsByAddress', { address: gold, limit: 2 })) as Page
    expect(logs).toMatchObject({ page: 0, page_size: 2, result: [{ transaction_hash: hashes.burn }, {}] })
    const abi = getArtifact('Token').abi
    const topic = 'Transfer(address,address,uint256)'
    const events = (await api('native', 'getContractEvents', { address: gold, topic, abi, limit: 3 })) as Page
    expect(events.result.map(({ data }) => data)).toEqual([
      { from: creator, to: zero, value: '3' },
      { from: creator, to: scene.bob, value: '7' },
      { from: creator, to: alice, value: ether(5).toString() },
    ])
    const run = { address: gold, function_name: 'balanceOf', abi, params: { '': alice } }
    expect(await api('native', 'runContractFunction', { ...run, params: [alice] })).toBe(ether(5).toString())
    const payer = await scene.deploy('Payer')
    const paid = await client.writeContract({
      ...{
        address: payer,
        abi: getArtifact('Payer').abi,
        functionName: 'pay',
        args: [scene.bob, scene.bob],
        value: 10n,
      },
    })
    const internal = (await api('native', 'getInternalTransactions', { transaction_hash: paid })) as Row[]
    expect(internal[0]).toMatchObject({ type: 'CALL', from: payer, to: scene.bob, value: '5', transaction_hash: paid })
  })

  test('pages of logs end: every log once, and the client stops', async () => {
    const all = (await api('native', 'getLogsByAddress', { address: scene.gold })) as Page
    expect(all.next).toBeUndefined()
    const seen: Row[] = []
    let page: Page | undefined = (await api('native', 'getLogsByAddress', { address: scene.gold, limit: 3 })) as Page
    for (let count = 0; page && count < 20; count++) {
      seen.push(...page.result)
      page = await page.next?.()
    }
    expect(seen).toEqual(all.result)
  })

  test('account and token: balances, metadata, allowance, prices, pairs', async () => {
    const { alice, bob, creator, gold, usdc, weth, main, factory, client } = scene
    expect(await api('account', 'getNativeBalance', { address: alice })).toEqual({ balance: ether(2).toString() })
    expect(await api('account', 'getNativeBalancesForAddresses', { wallet_addresses: [alice, bob] })).toMatchObject([
      {
        chain: 'local',
        chain_id: '0x7a69',
        total_balance: String((await client.getBalance({ address: bob })) + ether(2)),
        wallet_balances: [{ address: alice, balance: ether(2).toString(), balance_formatted: '2' }, { address: bob }],
      },
    ])
    expect(await api('account', 'getTokenBalances', { address: bob, token_addresses: [gold, usdc] })).toEqual([
      {
        ...{ token_address: gold, name: 'Gold', symbol: 'GLD', logo: null, thumbnail: null, decimals: 18 },
        balance: '7',
      },
    ])
    expect(await api('token', 'getTokenMetadata', { addresses: [usdc] })).toMatchObject([
      { address: usdc, name: 'USD Coin', symbol: 'USDC', decimals: '6' },
    ])
    await expect
      .poll(() => api('token', 'getTokenMetadataBySymbol', { symbols: ['usdc', 'NONE'] }))
      .toMatchObject([{ address: usdc, symbol: 'USDC' }])
    const spending = { address: gold, owner_address: creator, spender_address: bob }
    expect(await api('token', 'getTokenAllowance', spending)).toEqual({ allowance: '9' })
    const price = {
      nativePrice: { value: '500000000000000', decimals: 18, name: 'Ether', symbol: 'ETH', address: weth },
      usdPrice: 1,
      usdPriceFormatted: '1',
      exchangeAddress: factory,
      exchangeName: 'uniswapv2',
      tokenSymbol: 'GLD',
    }
    expect(await api('token', 'getTokenPrice', { address: gold })).toMatchObject(price)
    const several = { tokens: [{ token_address: gold }, { token_address: scene.pictures }] }
    expect(await api('token', 'getMultipleTokenPrices', several)).toMatchObject([price])
    await expect(api('token', 'getTokenPrice', { address: scene.pictures })).rejects.toThrow('No known pool')
    const trade = { token0_address: usdc, token1_address: weth, exchange: 'uniswapv2' }
    expect(await api('defi', 'getPairAddress', trade)).toMatchObject({ pairAddress: main })
    const [reserve0, reserve1] = weth < usdc ? [ether(100), 200_000_000_000n] : [200_000_000_000n, ether(100)]
    expect(await api('defi', 'getPairReserves', { pair_address: main })).toEqual({
      reserve0: reserve0.toString(),
      reserve1: reserve1.toString(),
    })
  })

  test('transfers, mints, burns and approvals by contract and wallet', async () => {
    const { gold, alice, bob, creator } = scene
    const wanted = { contract_addresses: [gold] }
    const list = async (name: string, options: object) => (await api('token', name, options)) as Page
    expect((await list('getErc20Transfers', { ...wanted, wallet_addresses: [alice] })).result).toMatchObject([
      {
        transaction_hash: hashes.gold,
        from_wallet: creator,
        to_wallet: alice,
        value_decimal: '5',
        token_symbol: 'GLD',
      },
    ])
    expect((await list('getErc20Mints', { ...wanted, wallet_addresses: [creator] })).result).toMatchObject([
      { transaction_hash: hashes.mint, from_wallet: zero, to_wallet: creator, value: ether(50).toString() },
    ])
    expect((await list('getErc20Burns', wanted)).result).toMatchObject([{ transaction_hash: hashes.burn, value: '3' }])
    expect((await list('getErc20Approvals', wanted)).result).toMatchObject([
      { transaction_hash: hashes.approve, from_wallet: creator, to_wallet: bob, value: '9' },
    ])
  })

  test('names, both ways; collectibles of a block and of a range; one collectible', async () => {
    const { alice, bob, pictures, badges, creator } = scene
    expect(await api('resolve', 'resolveDomain', { domain: 'alice.eth' })).toEqual({ address: alice })
    expect(await api('resolve', 'resolveENSDomain', { domain: 'alice.eth' })).toEqual({ address: alice })
    expect(await api('resolve', 'resolveAddress', { address: alice })).toEqual({ name: 'alice.eth' })
    await expect(api('resolve', 'resolveAddress', { address: bob })).rejects.toThrow('no name')
    const { blockNumber } = await receiptOf('moved')
    const moved = { token_address: pictures, token_id: '8', from_address: creator, to_address: bob, value: '0' }
    const rows = { total: 1, result: [{ ...moved, contract_type: 'ERC721', transaction_type: 'Single', amount: '1' }] }
    expect(await api('native', 'getNFTTransfersByBlock', { block_number_or_hash: String(blockNumber) })).toMatchObject({
      ...rows,
      block_exists: true,
    })
    const range = { from_block: String(blockNumber), to_block: String(blockNumber) }
    expect(await api('token', 'getNFTTransfersFromToBlock', { ...range, format: 'hex' })).toMatchObject({
      total: 1,
      result: [{ ...moved, token_id: '0x8' }],
    })
    expect(await api('token', 'getNFTMetadata', { address: badges })).toMatchObject({
      ...{ token_address: badges, name: 'Badges', symbol: 'BDG', contract_type: 'ERC1155' },
    })
    const seven = { token_address: pictures, token_id: '7', owner_of: alice, contract_type: 'ERC721', name: 'Pictures' }
    expect(await api('token', 'getTokenIdMetadata', { address: pictures, token_id: '7' })).toMatchObject(seven)
    const tokens = [
      { token_address: pictures, token_id: '7' },
      { token_address: pictures, token_id: '99' },
    ]
    expect(await api('token', 'getMultipleNFTs', { tokens })).toMatchObject([seven])
    expect(await api('token', 'reSyncMetadata', { address: pictures, token_id: '7', mode: 'sync' })).toEqual({
      status: 'completed',
    })
    expect(
      await api('token', 'getTokenIdMetadata', { address: pictures, token_id: '7', normalizeMetadata: true }),
    ).toMatchObject({ metadata: '{"name":"Seven"}', normalized_metadata: { name: 'Seven' } })
  })
})

describe('R27: from the index', () => {
  test('tokens, transfers and transactions of an address', async () => {
    const { alice, bob, gold, creator } = scene
    expect(await api('account', 'getTokenBalances', { address: alice })).toMatchObject([
      { token_address: gold, balance: ether(5).toString() },
    ])
    const { blockNumber, blockHash } = await receiptOf('gold')
    const transfer = {
      transaction_hash: hashes.gold,
      address: gold,
      block_timestamp: await timeOf(blockNumber),
      block_number: blockNumber.toString(),
      block_hash: blockHash,
      from_address: creator,
      to_address: alice,
      value: ether(5).toString(),
      token_decimals: '18',
    }
    expect(await api('account', 'getTokenTransfers', { address: alice })).toMatchObject({
      ...{ total: 1, page: 0, page_size: 500, cursor: '', result: [transfer] },
    })
    const all = (await api('token', 'getTokenAddressTransfers', { address: gold })) as Page
    expect(all.result.map(({ transaction_hash }) => transaction_hash).slice(0, 3)).toEqual([
      ...[hashes.burn, hashes.more, hashes.gold],
    ])
    expect(await api('account', 'getTransactions', { address: alice })).toMatchObject({
      total: 1,
      result: [{ hash: hashes.pay, value: ether(2).toString(), from_address: creator, to_address: alice }],
    })
    expect(await api('account', 'getTransactionsVerbose', { address: alice })).toMatchObject({
      result: [{ hash: hashes.pay, logs: [] }],
    })
    await expect(api('account', 'getTokenTransfers', { address: bob })).rejects.toThrow('does not include')
    expect(await Moralis.Web3.getTransactions({ address: alice })).toMatchObject([{ hash: hashes.pay }])
  })

  test('collectibles by owner, by contract, by id, and their transfers', async () => {
    const { alice, bob, pictures, badges, creator } = scene
    const seven = { token_address: pictures, token_id: '7', owner_of: alice, amount: '1', contract_type: 'ERC721' }
    const badge = (id: string, amount: string) => ({ token_address: badges, token_id: id, owner_of: alice, amount })
    const byToken = (a: Row, b: Row) => (String(a.token_address) < String(b.token_address) ? -1 : 1)
    const own = (await api('account', 'getNFTs', { address: alice })) as Page
    expect(own).toMatchObject({ status: 'SYNCED', total: 3, page: 0 })
    expect(own.result).toMatchObject([seven, badge('1', '10'), badge('2', '20')].sort(byToken))
    const { blockNumber } = await receiptOf('picture')
    expect(own.result.find(({ token_id }) => token_id === '7')).toMatchObject({
      ...{
        name: 'Pictures',
        symbol: 'PIC',
        block_number: String(blockNumber),
        block_number_minted: String(blockNumber),
      },
    })
    const ofContract = { address: alice, token_address: badges, format: 'hex' }
    expect(await api('account', 'getNFTsForContract', ofContract)).toMatchObject({
      result: [badge('0x1', '10'), badge('0x2', '20')],
    })
    expect(await api('account', 'getWalletNFTCollections', { address: alice })).toMatchObject({
      total: 2,
      result: [
        { token_address: badges, contract_type: 'ERC1155', name: 'Badges' },
        { token_address: pictures, contract_type: 'ERC721', name: 'Pictures' },
      ].sort(byToken),
    })
    expect(await api('token', 'getAllTokenIds', { address: pictures })).toMatchObject({
      total: 2,
      result: [{ token_id: '7', token_uri: 'data:application/json,{"name":"Seven"}' }, { token_id: '8' }],
    })
    expect(await api('token', 'getNFTOwners', { address: pictures })).toMatchObject({
      result: [seven, { token_id: '8', owner_of: bob }],
    })
    expect(await api('token', 'getTokenIdOwners', { address: pictures, token_id: '8' })).toMatchObject({
      result: [{ token_id: '8', owner_of: bob }],
    })
    const mints = [{ token_id: '2', amount: '20', contract_type: 'ERC1155', operator: creator }, { token_id: '1' }]
    expect(await api('account', 'getNFTTransfers', { address: alice, direction: 'to' })).toMatchObject({
      result: [...mints, { token_id: '7', from_address: zero, to_address: alice }],
    })
    expect(await api('account', 'getNFTTransfers', { address: alice, direction: 'from' })).toMatchObject({ result: [] })
    expect(await api('token', 'getContractNFTTransfers', { address: badges })).toMatchObject({ result: mints })
    const eight = { address: pictures, token_id: '8' }
    expect(await api('token', 'getWalletTokenIdTransfers', eight)).toMatchObject({
      result: [{ transaction_hash: hashes.moved }, { from_address: zero }],
    })
    expect(await api('contract', 'syncNFTContract', { address: pictures })).toEqual({})
  })

  test('pages go on by cursor and by offset, and end', async () => {
    const all = (await api('token', 'getTokenAddressTransfers', { address: scene.gold })) as Page
    expect([all.next, all.result.length]).toEqual([undefined, all.total])
    for (const first of [{ limit: 2 }, { limit: 2, offset: 0 }, { limit: 2, offset: 2 }]) {
      const seen: Row[] = []
      let page: Page | undefined = (await api('token', 'getTokenAddressTransfers', {
        ...{ address: scene.gold, ...first },
      })) as Page
      for (let count = 0; page && count < 20; count++) {
        seen.push(...page.result)
        page = await page.next?.()
      }
      expect(seen).toEqual(all.result.slice(first.offset ?? 0))
    }
  })
})

test('pages started before new rows end too, with the rows of that time', async () => {
  const { gold, bob, send } = scene
  const wanted = { address: gold, limit: 2 }
  const before = (await api('token', 'getTokenAddressTransfers', { address: gold })) as Page
  let page: Page | undefined = (await api('token', 'getTokenAddressTransfers', wanted)) as Page
  for (let count = 0; count < 5; count++) await send('Token', gold, 'transfer', bob, 1n)
  await expect
    .poll(async () => ((await api('token', 'getTokenAddressTransfers', { address: gold })) as Page).total)
    .toBe(before.total + 5)
  const pages: Row[][] = []
  while (page && pages.length < 20) {
    pages.push(page.result)
    page = await page.next?.()
  }
  expect(pages.flat()).toEqual(before.result)
  expect(pages.length).toBe(Math.ceil(before.total / 2))
})

test('functions that need data from outside of chains say so; wrong input is rejected with the older sentences', async () => {
  for (const [group, name] of [
    ['market_data', 'getTopERC20TokensByMarketCap'],
    ['market_data', 'getTopERC20TokensByPriceMovers'],
    ['market_data', 'getTopNFTCollectionsByMarketCap'],
    ['market_data', 'getHottestNFTCollectionsByTradingVolume'],
    ['token', 'getNFTTrades'],
    ['token', 'getNFTLowestPrice'],
    ['token', 'searchNFTs'],
    ['utils', 'reviewContracts'],
  ] as const)
    await expect(api(group, name, { address: scene.gold })).rejects.toThrow(`${name} is not available here`)
  expect(await api('info', 'web3ApiVersion')).toEqual({ version: expect.any(String) })
  expect(await api('info', 'endpointWeights')).toContainEqual(
    expect.objectContaining({ endpoint: 'getBlock', rateLimitWeight: '1' }),
  )
  await expect(api('native', 'getBlock')).rejects.toThrow('required param block_number_or_hash not provided')
  await expect(api('native', 'runContractFunction', { address: scene.gold, function_name: 'x' })).rejects.toThrow(
    'param abi is required!',
  )
  const refusal = async (name: string, body: object) => (await server.call('POST', `/functions/${name}`, body)).body
  expect(await refusal('getBlock', {})).toEqual({
    ...{ code: 162, error: 'required param block_number_or_hash not provided', reason: 'invalidInput' },
    params: { field: 'block_number_or_hash', problem: 'is required' },
  })
  expect(await refusal('getNativeBalance', { address: null })).toEqual({
    ...{ code: 162, error: 'required param address not provided', reason: 'invalidInput' },
    params: { field: 'address', problem: 'is required' },
  })
  expect(await refusal('getNFTs', { address: scene.bob, limit: 'x', chain: 'moon' })).toMatchObject({
    ...{ code: 162, error: 'limit must be a whole number.', reason: 'invalidInput', params: { field: 'limit' } },
  })
  await expect(api('account', 'getNativeBalance', { address: 'nobody' })).rejects.toThrow('must be an address')
  await expect(api('account', 'getNativeBalance', { address: scene.bob, chain: 'moon' })).rejects.toThrow('no chain')
  await expect(api('account', 'getNativeBalance', { address: scene.bob, chain: 'polygon' })).rejects.toThrow('No node')
})

test('a folder on IPFS, by those who may save files', async () => {
  const files = [
    { path: 'a/one.txt', content: Buffer.from('one').toString('base64') },
    { path: 'two.json', content: { two: 2 } },
  ]
  await expect(api('storage', 'uploadFolder', { abi: files })).rejects.toThrow('File upload by public is disabled.')
  const { token } = await server.signUp('uploader')
  const upload = (body: object) => server.call('POST', '/functions/uploadFolder', body, { token })
  const { body } = await upload({ data: files })
  const folder = [...ipfs.pinned].find(([, content]) => content.toString().startsWith('[{"Name":"a/one.txt"'))?.[0]
  expect(body.result).toEqual([
    { path: `https://gateway.example/ipfs/${folder}/a/one.txt` },
    { path: `https://gateway.example/ipfs/${folder}/two.json` },
  ])
  expect([...ipfs.pinned.values()].map(String)).toEqual(expect.arrayContaining(['one', '{"two":2}']))
  for (const path of ['../up', '/root', 'a//b', ''])
    expect((await upload({ abi: [{ path, content: '' }] })).body).toMatchObject({ code: 162 })
  expect((await upload({ abi: [files[0], files[0]] })).body).toMatchObject({ code: 162 })
})

test('every function of the client is there, and a function of the application wins', async () => {
  const names = Object.values(Moralis.Web3API).flatMap((group) =>
    typeof group === 'object' && group !== null
      ? Object.entries(group).flatMap(([name, call]) => (typeof call === 'function' ? [name] : []))
      : [],
  )
  expect(names.length).toBeGreaterThanOrEqual(56)
  const answers = await Promise.all(
    names.map(async (name) => [name, (await server.call('POST', `/functions/${name}`, {})).body.error]),
  )
  expect(answers.filter(([, error]) => String(error).startsWith('Invalid function'))).toEqual([])
  server.context.registry.functions.set('getNFTs', { run: async () => 'mine' })
  expect((await server.call('POST', '/functions/getNFTs', {})).body).toEqual({ result: 'mine' })
  expect((await server.call('POST', '/functions/getNFTs', { limit: ['x'] })).body).toEqual({ result: 'mine' })
  server.context.registry.functions.delete('getNFTs')
  // Their case tells them apart.
  server.context.registry.functions.set('getNfts', { run: async () => 'also mine' })
  expect((await server.call('POST', '/functions/getNfts/', {})).body).toEqual({ result: 'also mine' })
  expect((await server.call('POST', '/functions/getnfts', {})).body).toMatchObject({ code: 141 })
  const older = await server.call('POST', '/functions/getNftTransfersFromToBlock', { from_block: 1, to_block: 1 })
  expect(older.body).toMatchObject({ result: { total: 0, result: [] } })
})
