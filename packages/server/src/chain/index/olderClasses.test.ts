import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { WireFields } from '@countersign/protocol'
import { encodeFunctionData } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Chain } from '../../testing/chain/Chain.ts'
import { createTraffic, type Traffic } from '../../testing/chain/createTraffic.ts'
import { getArtifact } from '../../testing/chain/getArtifact.ts'
import { startChain } from '../../testing/chain/startChain.ts'
import { type CallOptions, createTestServer, type TestServer } from '../../testing/createTestServer.ts'
import { createWalletUser } from '../../testing/createWalletUser.ts'
import { openLiveSocket } from '../../testing/openLiveSocket.ts'
import { openTestDatabase } from '../../testing/openTestDatabase.ts'

const account = privateKeyToAccount(`0x${'7'.repeat(64)}`)
const me = account.address.toLowerCase()
const master = { master: true }
const patience = { timeout: 60_000 }

let chain: Chain
let traffic: Traffic
let server: TestServer
let token: string
let folder: string

/** Legacy cloud code that reacts to rows. */
const code = `
Moralis.Cloud.afterSave('EthTransactions', async (request) => {
  const note = new Moralis.Object('Note')
  note.set('hash', request.object.get('hash'))
  note.set('confirmed', request.object.get('confirmed'))
  await note.save(null, { useMasterKey: true })
})
Moralis.Cloud.beforeSave('EthNFTOwners', () => {})
Moralis.Cloud.define('sent', async (request) => {
  const query = new Moralis.Query('EthTransactions')
  query.equalTo('from_address', request.params.address)
  return (await query.find({ useMasterKey: true })).map((row) => row.get('hash'))
})
`

const settings = (olderClasses?: 'own' | 'public') => ({
  indexer: { ...(olderClasses && { olderClasses }) },
  chains: [
    {
      id: chain.chainId,
      name: 'local',
      rpcUrls: [chain.url],
      headCacheTtl: 0,
      index: { mode: 'users' as const, transactions: true, pollInterval: 50 },
    },
  ],
})

const send = async (to: string, value = '0x5') =>
  String(await chain.request('eth_sendTransaction', [{ from: me, to, value, gas: '0x4c4b40' }]))

beforeAll(async () => {
  chain = await startChain()
  chain.finality = 5
  traffic = await createTraffic(chain)
  await chain.request('hardhat_impersonateAccount', [me])
  await chain.request('hardhat_setBalance', [me, '0xffffffffffffffffffff'])
  await traffic.give(me, 6)
  const { abi } = getArtifact('Token')
  const data = encodeFunctionData({ abi, functionName: 'transfer', args: [traffic.people[0], 2n] })
  await chain.request('eth_sendTransaction', [{ from: me, to: traffic.token, data, gas: '0x4c4b40' }])
  await send(traffic.people[1] ?? '')
  folder = await mkdtemp(join(tmpdir(), 'older-'))
  await writeFile(join(folder, 'main.js'), code)
  server = await createTestServer({ ...settings('own'), cloud: folder, webhooks: { allowPrivateAddresses: true } })
  token = (await createWalletUser(server, account)).token
})

afterAll(async () => {
  await server.stop()
  await chain.stop()
  await rm(folder, { recursive: true })
})

const ask = (className: string, query: object = {}, options: CallOptions = { token }) => {
  const texts = Object.entries(query).map(([name, value]): [string, string] => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ])
  return server.call('GET', `/classes/${className}?${new URLSearchParams(texts)}`, undefined, options)
}
const find = async (className: string, query: object = {}, options?: CallOptions) =>
  (await ask(className, query, options)).body.results as Record<string, unknown>[]

test('R27: transactions of a linked wallet are objects of EthTransactions, with the older fields', async () => {
  await expect.poll(async () => (await find('EthTransactions')).length, patience).toBe(2)
  await expect.poll(async () => (await find('EthTokenTransfers')).length, patience).toBe(3)
  await expect.poll(async () => (await find('EthNFTTransfers')).length, patience).toBeGreaterThan(4)
  const rows = await find('EthTransactions', { order: '-block_number' })
  const [last] = rows
  const block = (await chain.request('eth_getBlockByNumber', ['latest', true])) as { transactions: { hash: string }[] }
  expect(last).toEqual({
    objectId: block.transactions[0]?.hash,
    createdAt: expect.any(String),
    updatedAt: expect.any(String),
    ACL: {},
    chainId: chain.chainId,
    hash: block.transactions[0]?.hash,
    block_number: expect.any(Number),
    block_hash: expect.stringMatching(/^0x/),
    block_timestamp: { __type: 'Date', iso: expect.any(String) },
    transaction_index: 0,
    from_address: me,
    to_address: traffic.people[1],
    value: '5',
    decimal: 5,
    nonce: 1,
    gas: 5_000_000,
    gas_price: expect.any(Number),
    input: '0x',
    receipt_status: 1,
    receipt_gas_used: 21_000,
    receipt_cumulative_gas_used: 21_000,
    confirmed: false,
  })
  const { body } = await server.call('GET', `/classes/EthTransactions/${last?.hash}`, undefined, { token })
  expect(body).toEqual(last)
  const all = await find('EthTokenTransfers', { order: 'block_number,log_index' })
  expect(all.map(({ value, from_address, to_address }) => [value, from_address, to_address])).toEqual([
    ['1', `0x${'0'.repeat(40)}`, me],
    ['4', `0x${'0'.repeat(40)}`, me],
    ['2', me, traffic.people[0]],
  ])
  expect(all[0]).toMatchObject({ token_address: traffic.token, log_index: 0, decimal: 1, chainId: chain.chainId })
  const pictures = await find('EthNFTTransfers', { where: { contract_type: 'ERC721' } })
  expect(pictures).toHaveLength(2)
  expect(pictures[0]).toMatchObject({ token_address: traffic.pictures, token_id: expect.any(String), amount: '1' })
})

test('R27: balances and owners equal those of the contracts', async () => {
  const balances = () => find('EthTokenBalance', { where: { address: me, balance: { $ne: '0' } } })
  await expect.poll(async () => (await balances())[0]?.symbol, patience).toBe('TOK')
  expect(await balances()).toMatchObject([
    { address: me, token_address: traffic.token, balance: '3', contract_type: 'ERC20', decimals: 18, name: 'Token' },
  ])
  // An address that is not indexed has no balance.
  expect(await find('EthTokenBalance', {}, master)).toHaveLength(1)
  const owned = await find('EthNFTOwners', { where: { owner_of: me }, order: 'contract_type,token_id' })
  expect(owned.map(({ contract_type, token_id, amount }) => [contract_type, token_id, amount])).toEqual([
    ['ERC1155', '0', '2'],
    ['ERC1155', '1', '4'],
    ['ERC721', expect.any(String), '1'],
    ['ERC721', expect.any(String), '1'],
  ])
  const path = `/classes/EthNFTOwners/${encodeURIComponent(String(owned[0]?.objectId))}`
  expect((await server.call('GET', path, undefined, { token })).body).toMatchObject({ token_id: '0' })
})

test('the ordinary query language holds: where, order, limit, keys, count, subqueries, pages, aggregates', async () => {
  const keys = { keys: 'value', order: '-value', limit: 2, where: { to_address: me } }
  const rows = await find('EthTokenTransfers', keys)
  expect(rows.map(({ value }) => value)).toEqual(['4', '1'])
  expect(rows[0]).not.toHaveProperty('to_address')
  expect((await ask('EthTokenTransfers', { count: 1, limit: 0 })).body).toMatchObject({ results: [], count: 3 })
  expect(
    await find('EthTokenTransfers', { where: { block_timestamp: { $gt: { __type: 'Date', iso: '2001-01-01' } } } }),
  ).toHaveLength(3)
  const query = { className: 'EthTokenTransfers', where: { from_address: me } }
  const same = { transaction_hash: { $select: { query, key: 'transaction_hash' } } }
  expect(await find('EthTokenTransfers', { where: same })).toHaveLength(1)
  const hashes = { hash: { $select: { query, key: 'transaction_hash' } } }
  expect(await find('EthTransactions', { where: hashes })).toHaveLength(1)
  const pipeline = JSON.stringify([
    { $match: { to_address: me } },
    { $group: { _id: '$token_address', sum: { $sum: '$decimal' } } },
  ])
  const path = `/aggregate/EthTokenTransfers?pipeline=${encodeURIComponent(pipeline)}`
  expect((await server.call('GET', path, undefined, master)).body.results).toEqual([
    { objectId: traffic.token, sum: 5 },
  ])
  const hash = (await find('EthTransactions'))[0]?.hash
  await server.call(
    'POST',
    '/classes/Order',
    { paid: { __type: 'Pointer', className: 'EthTransactions', objectId: hash } },
    master,
  )
  expect(await find('Order', { include: 'paid' })).toMatchObject([{ paid: { hash, from_address: me } }])
  const { body } = await server.call('POST', '/functions/sent', { address: me })
  expect(body.result).toHaveLength(2)
})

test('users read what concerns their own wallets, guests nothing, the master key all', async () => {
  const other = await createWalletUser(server)
  const names = ['EthTransactions', 'EthTokenTransfers', 'EthNFTTransfers', 'EthTokenBalance', 'EthNFTOwners']
  for (const name of names) {
    const mine = await find(name)
    expect(await find(name, {}, master)).toHaveLength(mine.length)
    for (const options of [{}, { token: other.token }]) {
      expect(await find(name, {}, options)).toEqual([])
      expect((await ask(name, { count: 1, limit: 0 }, options)).body.count).toBe(0)
      const path = `/classes/${name}/${encodeURIComponent(String(mine[0]?.objectId))}`
      expect((await server.call('GET', path, undefined, options)).body.code).toBe(101)
    }
  }
})

test('rejects all writes, by any request', async () => {
  const id = (await find('EthTransactions'))[0]?.hash
  const path = `/classes/EthTransactions/${id}`
  for (const options of [{ token }, master]) {
    const answers = [
      await server.call('POST', '/classes/EthTransactions', { value: '1' }, options),
      await server.call('PUT', path, { value: '1' }, options),
      await server.call('DELETE', path, undefined, options),
    ]
    for (const { body } of answers)
      expect(body).toMatchObject({ code: 119, error: expect.stringContaining('are read-only') })
  }
  const schema = [
    await server.call('POST', '/schemas/EthTransactions', { fields: {} }, master),
    await server.call('PUT', '/schemas/EthTransactions', { fields: { more: { type: 'String' } } }, master),
    await server.call('DELETE', '/schemas/EthTransactions', undefined, master),
    await server.call('DELETE', '/purge/EthTransactions', undefined, master),
  ]
  for (const { body } of schema) expect(body).toMatchObject({ code: 119 })
  const requests = [{ method: 'POST', path: '/server/classes/EthTransactions', body: { value: '1' } }]
  const { body } = await server.call('POST', '/batch', { requests }, master)
  expect(body).toMatchObject([{ error: { code: 119 } }])
  expect(await find('EthTransactions')).toHaveLength(2)
  const { results } = (await server.call('GET', '/schemas', undefined, master)).body as {
    results: { className: string }[]
  }
  expect(results.find(({ className }) => className === 'EthTransactions')).toMatchObject({
    fields: { hash: { type: 'String' }, block_number: { type: 'Number' } },
    classLevelPermissions: { find: { '*': true }, create: {} },
  })
})

test('R27: live queries and afterSave receive a transaction, its finality, and its removal', async () => {
  const [own, stranger] = await Promise.all([openLiveSocket(server), openLiveSocket(server)])
  const other = await createWalletUser(server)
  try {
    const query = { className: 'EthTransactions', where: { from_address: me } }
    await own.subscribe(1, query, { sessionToken: token })
    await stranger.subscribe(1, query, { sessionToken: other.token })
    const hash = await send(traffic.people[2] ?? '')
    const came = await own.next('create')
    expect(came.object).toMatchObject({ className: 'EthTransactions', hash, confirmed: false, from_address: me })
    const notes = async () =>
      (await find('Note', { where: { hash }, order: 'createdAt' }, master)).map((note) => note.confirmed)
    await expect.poll(notes, patience).toEqual([false])
    await chain.mine(6)
    const final = await own.next((frame) => frame.op === 'update' && frame.object?.hash === hash)
    expect(final.object).toMatchObject({ hash, confirmed: true })
    await expect.poll(notes, patience).toEqual([false, true])
    const second = await send(traffic.people[3] ?? '')
    expect((await own.next('create')).object).toMatchObject({ hash: second })
    await chain.reorg(1)
    expect((await own.next('delete')).object).toMatchObject({ hash: second })
    expect(await find('EthTransactions', { where: { hash: second } })).toEqual([])
    expect(stranger.frames.map(({ op }) => op)).toEqual(['connected', 'subscribed'])
    const refused = await own.subscribe(2, { className: 'EthTokenBalance', where: {} }, { sessionToken: token })
    expect(refused).toMatchObject({ op: 'error', error: expect.stringContaining('no live queries') })
  } finally {
    own.close()
    stranger.close()
  }
})

test('SEC-30: neither a live event nor a query says which user the other wallet of a transaction is', async () => {
  const other = await createWalletUser(server)
  const socket = await openLiveSocket(server)
  try {
    await socket.subscribe(1, { className: 'EthTransactions', where: { from_address: me } }, { sessionToken: token })
    const hash = await send(other.account.address)
    const frame = await socket.next((each) => each.op === 'create' && each.object?.hash === hash)
    expect(frame.object?.ACL).toEqual({})
    await chain.mine(6)
    const final = await socket.next((each) => each.op === 'update' && each.object?.hash === hash)
    expect([final.object?.ACL, JSON.stringify(socket.frames).includes(other.objectId)]).toEqual([{}, false])
    expect(JSON.stringify(await find('EthTransactions', { where: { hash } }))).not.toContain(other.objectId)
  } finally {
    socket.close()
  }
})

test('a row of _EthAddress has the native balance, and is there without a node', async () => {
  const read = async () => {
    const { body } = await server.call('GET', '/classes/_EthAddress', undefined, { token })
    return (body.results as WireFields[])[0] ?? {}
  }
  const held = async () => BigInt(String(await chain.request('eth_getBalance', [me, 'latest']))).toString()
  await expect.poll(async () => (await read()).balance, patience).toBe(await held())
  await send(traffic.people[1] ?? '')
  const after = await held()
  await expect.poll(async () => (await read()).balance, patience).toBe(after)
  const one = await server.call('GET', `/classes/_EthAddress/${me}`, undefined, { token })
  expect(one.body).toMatchObject({ objectId: me, balance: after })
  chain.faults.down = true
  try {
    // The cached head stays valid for a moment.
    await expect.poll(async () => Object.keys(await read()), patience).not.toContain('balance')
  } finally {
    chain.faults.down = false
  }
})

test('R27: a webhook receives a transaction, that it is final, and that it was undone', async () => {
  const received: { type: string; className: string; object: WireFields; original?: WireFields }[] = []
  const receiver = createServer(async (request, response) => {
    received.push(JSON.parse(await text(request)))
    response.writeHead(204).end()
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
  const events = ['object.created', 'object.updated', 'object.deleted']
  const made = await server.call('POST', '/webhooks', { url, events, classes: ['EthTransactions'] }, master)
  try {
    const of = (hash: string) => received.filter(({ object }) => object.hash === hash)
    const hash = await send(traffic.people[2] ?? '')
    await expect.poll(() => of(hash), patience).toHaveLength(1)
    await chain.mine(6)
    await expect.poll(() => of(hash), patience).toHaveLength(2)
    expect(of(hash)).toMatchObject([
      { type: 'object.created', className: 'EthTransactions', object: { from_address: me, confirmed: false } },
      { type: 'object.updated', object: { confirmed: true }, original: { confirmed: false } },
    ])
    const second = await send(traffic.people[3] ?? '')
    await expect.poll(() => of(second), patience).toHaveLength(1)
    await chain.reorg(1)
    await expect.poll(() => of(second).map(({ type }) => type), patience).toEqual(['object.created', 'object.deleted'])
  } finally {
    await server.call('DELETE', `/webhooks/${made.body.objectId}`, undefined, master)
    receiver.closeAllConnections()
    receiver.close()
  }
})

test('a hook that is never called is named in the log', () => {
  expect(server.logs.join()).toMatch(/beforeSave of EthNFTOwners is never called/)
})

test('with public, everyone reads everything', async () => {
  const open = await createTestServer(settings('public'), server.database)
  try {
    const rows = await open.call('GET', '/classes/EthTokenTransfers')
    expect(rows.body.results).toHaveLength(3)
  } finally {
    await open.stop()
  }
})

test('without the setting each name is refused with what is to be set, until the application has such a class', async () => {
  const database = await openTestDatabase({ template: 'migrated' })
  const off = await createTestServer(settings(), database)
  const get = (name: string, query = '') => off.call('GET', `/classes/${name}${query}`)
  try {
    for (const name of ['EthTransactions', 'PolygonTokenTransfers', 'BscNFTOwners', 'AvaxNFTTransfers']) {
      expect((await get(name)).body).toMatchObject({
        code: 108,
        error: `${name} is a class of the older service. To read it from the index, set indexer.olderClasses.`,
      })
    }
    expect((await get('EthBalance')).body.error).toMatch(/getNativeBalance/)
    expect((await get('EthTransactionsPending')).body.error).toMatch(/in EthTransactions, with confirmed: false/)
    expect((await get('EthTransactions/0x1')).body.code).toBe(108)
    const inside = { a: { $select: { query: { className: 'EthTransactions', where: {} }, key: 'hash' } } }
    await off.call('POST', '/classes/Thing', { a: '1' })
    const { body } = await get('Thing', `?where=${encodeURIComponent(JSON.stringify(inside))}`)
    expect(body.code).toBe(108)
    const socket = await openLiveSocket(off)
    const answer = await socket.subscribe(1, { className: 'EthTransactions', where: {} })
    expect(answer).toMatchObject({ op: 'error', error: expect.stringContaining('indexer.olderClasses') })
    socket.close()
    await off.call('POST', '/classes/EthTransactions', { hash: '0x1' }, master)
    expect((await get('EthTransactions')).body.results).toHaveLength(1)
  } finally {
    await off.stop()
  }
  await expect(createTestServer(settings('own'), database)).rejects.toThrow(/already has a class EthTransactions/)
  await database.close()
})

test('with the setting, a chain that is not kept is named', async () => {
  expect((await ask('PolygonTransactions')).body.error).toMatch(
    /Add the setting index to a chain with the id 137 or 80001/,
  )
})
