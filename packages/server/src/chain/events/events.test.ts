import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SyncRecord } from '@countersign/protocol'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../db/sql.ts'
import type { Chain } from '../../testing/chain/Chain.ts'
import { createMarket, listLogs, listRows, type Market, marketAbi, person } from '../../testing/chain/createMarket.ts'
import { startChain } from '../../testing/chain/startChain.ts'
import { createTestServer, type TestServer } from '../../testing/createTestServer.ts'
import { createWalletUser } from '../../testing/createWalletUser.ts'
import { openLiveSocket } from '../../testing/openLiveSocket.ts'

const patience = { timeout: 60_000 }
const master = { master: true }
const account = privateKeyToAccount(`0x${'6'.repeat(64)}`)
const me = account.address.toLowerCase()

/** Sales of nothing are left out; each sale is noted once it is certain. */
const cloud = `
  Moralis.Cloud.beforeSave('Sold', (request) => {
    if (request.object.get('price') === '13') throw 'Not this one.'
    request.object.set('half', Number(request.object.get('price')) / 2)
    request.object.set('block', 1)
  })
  Moralis.Cloud.afterSave('Sold', async (request) => {
    const note = new Parse.Object('Note')
    await note.save({ uid: request.object.get('uid'), confirmed: request.object.get('confirmed') }, { useMasterKey: true })
  })
  Moralis.Cloud.define('tools', async ({ params }) => ({
    wei: Moralis.Cloud.units({ method: 'toWei', value: '1.5' }),
    ether: Moralis.Cloud.units({ method: 'fromWei', value: '1500000000000000001' }),
    balance: await Moralis.Web3API.account.getNativeBalance({ chain: 'local', address: params.address }),
  }))
  Moralis.Cloud.define('unknown', () => Moralis.Web3API.account.getNothing({}))
  Moralis.Cloud.define('watch', ({ params }) => Moralis.Cloud.watchContractEvent(params))
  Moralis.Cloud.define('mail', ({ params }) => Moralis.Cloud.sendEmail(params))
  Moralis.Cloud.define('fetch', ({ params }) => Parse.Cloud.httpRequest({ url: params.url }))
  Moralis.Cloud.afterDelete('Sold', async (request) => {
    await new Parse.Object('Note').save({ uid: request.object.get('uid'), gone: true }, { useMasterKey: true })
  })
`

let chain: Chain
let market: Market
let server: TestServer
let folder: string

beforeAll(async () => {
  chain = await startChain()
  chain.finality = 6
  market = await createMarket(chain)
  await market.trade(20)
  await market.send('buy', 90n, person(0), me, 13n)
  folder = await mkdtemp(join(tmpdir(), 'countersign-cloud-'))
  await writeFile(join(folder, 'main.js'), cloud)
  const contracts = [market.address]
  server = await createTestServer({
    cloud: folder,
    functions: { httpHosts: ['allowed.example'] },
    chains: [
      {
        id: chain.chainId,
        name: 'local',
        rpcUrls: [chain.url],
        headCacheTtl: 0,
        index: { mode: 'off', pollInterval: 50 },
        events: [
          {
            class: 'Listed',
            event: 'event Listed(uint256 indexed id, address indexed seller, uint256 price, uint32 expires)',
            contracts,
          },
          {
            class: 'Sold',
            event: 'event Sold(uint256 indexed id, address indexed seller, address indexed buyer, uint256 price)',
            contracts,
          },
          {
            class: 'OwnSale',
            event: 'Sold(uint256 indexed id, address indexed seller, address indexed buyer, uint256 price)',
            contracts,
            owner: ['seller', 'buyer'],
          },
          {
            class: 'Described',
            abi: [
              {
                type: 'event',
                name: 'Noted',
                inputs: [
                  { name: 'id', type: 'uint256', indexed: true },
                  { name: 'text', type: 'string' },
                  { name: 'raw', type: 'bytes' },
                  { name: 'open', type: 'bool' },
                  { name: 'delta', type: 'int128' },
                ],
              },
            ],
            contracts,
            fields: { rename: { text: 'words' }, types: { delta: 'Number' }, olderNames: true },
          },
          {
            class: 'Terms',
            event:
              'event Described(uint256 indexed id, string indexed tag, (uint256 price, address token, (uint8 kind, string label)[] parts) terms, bytes32[] marks, int256[2] range)',
            contracts,
          },
          {
            class: 'BigSale',
            event: 'event Sold(uint256 indexed id, address indexed seller, address indexed buyer, uint256 price)',
            contracts,
            filter: { buyer: [me, person(9)], price: '77' },
            public: false,
          },
        ],
      },
    ],
  })
})

afterAll(async () => {
  await server.stop()
  await chain.stop()
  await rm(folder, { recursive: true })
})

const find = async (className: string, where: object = {}, options = {}) => {
  const query = `where=${encodeURIComponent(JSON.stringify(where))}&limit=500`
  return server.call('GET', `/classes/${className}?${query}`, undefined, options)
}
const rows = async (className: string, where: object = {}, options = {}) =>
  (await find(className, where, options)).body.results as Record<string, unknown>[]
const listed = ['uid', 'seller', 'price', 'expires']
const isWhole = async () =>
  expect
    .poll(() => listRows(server.context.db, 'Listed', listed), patience)
    .toEqual(await listLogs(chain, [market.address], 'Listed'))

test('old and new logs are rows of the class, which only the master key writes', async () => {
  await isWhole()
  await market.trade(8)
  await isWhole()
  const [row] = await rows('Listed', { uid: '0' })
  expect(row).toMatchObject({
    chain: chain.chainId,
    contract: market.address,
    uid: '0',
    seller: person(1),
    price: '0',
    expires: 0,
    confirmed: true,
    block: expect.any(Number),
    blockHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    blockTime: { __type: 'Date', iso: expect.any(String) },
    transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    logIndex: 0,
  })
  const { token } = await server.signUp('mallory')
  for (const [method, path] of [
    ['POST', '/classes/Listed'],
    ['PUT', `/classes/Listed/${row?.objectId}`],
    ['DELETE', `/classes/Listed/${row?.objectId}`],
  ] as const) {
    const { status, body } = await server.call(method, path, method === 'DELETE' ? undefined : { price: '1' }, {
      token,
    })
    expect([status, body.code]).toEqual([400, 119])
  }
})

test('every type has its form: whole numbers lose no digit, tuples are objects, names are as asked for', async () => {
  const marks = [`0x${'12'.repeat(32)}`, `0x${'34'.repeat(32)}`]
  const terms = { price: 2n ** 255n, token: person(3), parts: [{ kind: 7, label: 'ä\0b' }] }
  await market.send('describe', 5n, 'tag', terms, marks, [-1n, 2n ** 200n])
  await market.send('note', 6n, 'words 🎈', '0xdeadbeef', true, -5n)
  await expect.poll(async () => (await rows('Terms')).length, patience).toBe(1)
  expect(await rows('Terms')).toMatchObject([
    {
      uid: '5',
      tag: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      terms: { price: String(2n ** 255n), token: person(3), parts: [{ kind: 7, label: 'äb' }] },
      marks,
      range: ['-1', String(2n ** 200n)],
    },
  ])
  await expect.poll(async () => (await rows('Described')).length, patience).toBe(1)
  expect(await rows('Described')).toMatchObject([
    {
      address: market.address,
      block_number: expect.any(Number),
      transaction_hash: expect.any(String),
      uid: '6',
      uid_decimal: 6,
      words: 'words 🎈',
      raw: '0xdeadbeef',
      open: true,
      delta: -5,
    },
  ])
})

test('hooks change or reject a row, run again once it is confirmed, and run for a delete', async () => {
  const sold = async () => (await listLogs(chain, [market.address], 'Sold')).filter((line) => !line.endsWith(' 13'))
  await expect.poll(async () => (await rows('Sold')).length, patience).toBe((await sold()).length)
  expect(await rows('Sold', { price: '13' })).toEqual([])
  const [row] = await rows('Sold')
  // A hook cannot change the position on the chain.
  expect(row).toMatchObject({ half: Number(row?.price) / 2, block: expect.any(Number) })
  expect(row?.block).not.toBe(1)
  const notes = (where: object) => rows('Note', where, master)
  await market.send('buy', 1000n, person(1), person(2), 40n)
  await expect.poll(async () => await notes({ uid: '1000' }), patience).toMatchObject([{ confirmed: false }])
  await chain.reorg(1)
  await expect.poll(async () => await notes({ uid: '1000', gone: true }), patience).toHaveLength(1)
  expect(await rows('Sold', { uid: '1000' })).toEqual([])
  await market.send('buy', 1001n, person(1), person(2), 40n)
  await expect.poll(async () => await notes({ uid: '1001' }), patience).toHaveLength(1)
  await chain.mine(8)
  await expect.poll(async () => await notes({ uid: '1001', confirmed: true }), patience).toHaveLength(1)
  expect(await notes({ uid: '1001' })).toHaveLength(2)
  expect(await rows('Sold', { uid: '1001' })).toMatchObject([{ confirmed: true, half: 20 }])
})

test('live queries receive new, undone and confirmed events', async () => {
  await isWhole()
  const socket = await openLiveSocket(server)
  try {
    expect(await socket.subscribe(1, { className: 'Listed', where: { seller: me } })).toMatchObject({
      op: 'subscribed',
    })
    await market.send('list', 500n, me, 1n, 1)
    const came = await socket.next('create')
    expect(came.object).toMatchObject({ uid: '500', confirmed: false })
    await chain.reorg(1)
    expect((await socket.next('delete')).object).toMatchObject({ objectId: came.object?.objectId })
    await market.send('list', 501n, me, 1n, 1)
    expect((await socket.next('create')).object).toMatchObject({ uid: '501', confirmed: false })
    await chain.mine(8)
    expect((await socket.next('update')).object).toMatchObject({ uid: '501', confirmed: true })
  } finally {
    socket.close()
  }
})

test('a row that names wallets is for their owners: those who are, who become it, and who are no longer', async () => {
  const own = async (token?: string) => (await rows('OwnSale', { uid: '700' }, token ? { token } : {})).length
  await market.send('buy', 700n, person(1), me, 9n)
  await expect.poll(async () => (await rows('OwnSale', { uid: '700' }, master)).length, patience).toBe(1)
  expect(await own()).toBe(0)
  const { token, objectId } = await createWalletUser(server, account)
  await expect.poll(() => own(token), patience).toBe(1)
  expect(await own((await server.signUp('stranger')).token)).toBe(0)
  // An event after the wallet was linked.
  await market.send('buy', 701n, me as `0x${string}`, person(1), 9n)
  await expect.poll(async () => (await rows('OwnSale', { uid: '701' }, { token })).length, patience).toBe(1)
  const lists = await server.context.db.query(sql`select "_rperm" as readers from "OwnSale" where uid = '701'`)
  expect(lists).toEqual([{ readers: ['*wallets', objectId] }])
  await server.context.db.query(sql`delete from countersign.wallets where address = ${me}`)
  await expect.poll(() => own(token), patience).toBe(0)
})

test('a filter keeps what it names; rows that are not public are for the master key', async () => {
  await market.send('buy', 800n, person(1), person(9), 77n)
  await market.send('buy', 801n, person(1), person(9), 78n)
  await market.send('buy', 802n, person(1), person(8), 77n)
  await market.send('buy', 803n, person(1), me, 77n)
  await expect
    .poll(async () => (await rows('BigSale', {}, master)).map(({ uid }) => uid).sort(), patience)
    .toEqual(['800', '803'])
  expect((await find('BigSale')).body.code).toBe(119)
})

test('a sync is added, listed, replayed and removed with the master key', async () => {
  const contracts = [market.address]
  const made = await server.call(
    'POST',
    '/syncs',
    { chain: 'local', class: 'Gone', event: 'event Canceled(uint256 indexed id, address indexed seller)', contracts },
    master,
  )
  expect([made.status, made.body]).toEqual([
    201,
    expect.objectContaining({ name: 'Gone.Canceled', chain: chain.chainId, class: 'Gone', origin: 'stored' }),
  ])
  const expected = await listLogs(chain, [market.address], 'Canceled')
  const kept = () => listRows(server.context.db, 'Gone', ['uid', 'seller'])
  const synced = async () => {
    const { results } = (await server.call('GET', '/syncs', undefined, master)).body as { results: SyncRecord[] }
    return results.find(({ name }) => name === 'Gone.Canceled')?.status
  }
  await expect.poll(synced, patience).toBe('SYNCED')
  expect(await kept()).toEqual(expected)
  // Rows that others added to the class stay; changed rows are read again.
  await server.call('POST', '/classes/Gone', { seller: 'mine' }, master)
  const [first] = await rows('Gone', { uid: { $exists: true } })
  await server.call('PUT', `/classes/Gone/${first?.objectId}`, { seller: 'changed' }, master)
  expect((await server.call('POST', `/syncs/local/Gone.Canceled/replay`, {}, master)).body.status).toBe('SYNCING')
  await expect.poll(synced, patience).toBe('SYNCED')
  expect((await kept()).filter((line) => !line.endsWith('mine'))).toEqual(expected)
  expect(await rows('Gone', { seller: 'mine' })).toHaveLength(1)
  expect((await server.call('DELETE', `/syncs/local/Gone.Canceled`, undefined, master)).status).toBe(200)
  expect(await synced()).toBeUndefined()
  expect(await rows('Gone', { seller: 'mine' })).toHaveLength(1)
  const { body } = await server.call('DELETE', `/syncs/local/Sold.Sold`, undefined, master)
  expect(body.error).toMatch(/is set in the server configuration/)
  const wrong = await server.call(
    'POST',
    '/syncs',
    { chain: 'local', class: 'X', event: 'event A()', contracts: ['0x1'] },
    master,
  )
  expect([wrong.status, wrong.body.error]).toEqual([400, expect.stringMatching(/^contracts\.0: must be an address/)])
})

test("SEC-65: a sync does not write into the index's own class", async () => {
  const { db } = server.context
  await db.query(sql`insert into countersign.chain_classes values ('Transfer') on conflict do nothing`)
  const sync = { chain: 'local', class: 'Transfer', event: 'event Sold(uint256 price)', contracts: [market.address] }
  const refused = await server.call('POST', '/syncs', sync, master)
  await db.query(sql`delete from countersign.chain_classes`)
  expect([refused.status, refused.body.error]).toEqual([400, expect.stringContaining('class of the chain index')])
  expect(server.context.classes.find('Transfer')).toBeUndefined()
})

const run = async (name: string, params: object, options = {}) =>
  (await server.call('POST', `/functions/${name}`, params, options)).body

test('an event that cloud code or a script watches, as the older service had it', async () => {
  const abi = marketAbi.find((item) => item.type === 'event' && item.name === 'Canceled')
  const options = { chainId: `0x${chain.chainId.toString(16)}`, address: market.address, abi, tableName: 'Canceled' }
  const expected = (await listLogs(chain, [market.address], 'Canceled')).length
  expect(await run('watch', { ...options, sync_historical: true })).toEqual({ result: { success: true } })
  await expect.poll(async () => (await rows('Canceled')).length, patience).toBe(expected)
  expect((await rows('Canceled'))[0]).toMatchObject({
    address: market.address,
    block_number: expect.any(Number),
    transaction_hash: expect.any(String),
    confirmed: expect.any(Boolean),
    uid: expect.any(String),
    uid_decimal: expect.any(Number),
  })
  // From a script of the older client, with the master key; without it, not.
  const later = { ...options, tableName: 'CanceledLater' }
  expect((await server.call('POST', '/functions/watchContractEvent', later)).status).toBe(403)
  expect(await run('watchContractEvent', later, master)).toEqual({ result: { success: true } })
  const list = () => server.call('GET', '/syncs', undefined, master)
  await expect
    .poll(async () => {
      const { results } = (await list()).body as { results: SyncRecord[] }
      return results.find(({ class: className }) => className === 'CanceledLater')?.status
    }, patience)
    .toBe('SYNCED')
  await market.send('cancel', 900n, person(1))
  await expect.poll(async () => (await rows('CanceledLater')).map(({ uid }) => uid), patience).toEqual(['900'])
  expect((await run('watchEthAddress', { address: me, chainId: 'local' }, master)).error).toMatch(/are not indexed/)
})

test('cloud code asks chains, converts units, sends mail, and asks hosts that were named', async () => {
  expect(await run('tools', { address: person(1) })).toEqual({
    result: { wei: '1500000000000000000', ether: '1.500000000000000001', balance: { balance: '0' } },
  })
  expect((await run('unknown', {})).error).toMatch(/Invalid function/)
  await run('mail', { to: 'ada@example.com', subject: 'Sold', html: '<p>It is <b>sold</b>.</p>' })
  expect(await server.context.mail.listOutbox?.()).toMatchObject([
    { to: 'ada@example.com', subject: 'Sold', text: 'It is sold.' },
  ])
  for (const wrong of [
    { to: 'a@b.c, d@e.f' },
    { subject: 'two\nlines' },
    { html: undefined },
    { templateId: 'd-1', html: undefined },
  ]) {
    const mail = { to: 'ada@example.com', subject: 'Sold', html: 'x', ...wrong }
    expect((await run('mail', mail)).error).toMatch(/^Cloud\.sendEmail/)
  }
  expect((await run('fetch', { url: `${server.url}/health` })).error).toMatch(/functions\.httpHosts/)
  expect((await run('fetch', { url: 'file:///etc/hostname' })).error).toMatch(/http:\/\/ and https:/)
})
