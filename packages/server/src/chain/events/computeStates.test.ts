import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { StateRecord, SyncRecord } from '@countersign/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../db/sql.ts'
import type { Chain } from '../../testing/chain/Chain.ts'
import { createMarket, listLogs, listRows, type Market, person } from '../../testing/chain/createMarket.ts'
import { startChain } from '../../testing/chain/startChain.ts'
import { createTestServer, type TestServer } from '../../testing/createTestServer.ts'
import { openLiveSocket } from '../../testing/openLiveSocket.ts'

const patience = { timeout: 60_000 }
const master = { master: true }

/** Open orders, and the sales of each seller. The price 13 breaks it as long as no note allows it. */
const cloud = (version: number, factor: number) => `
  import { defineState } from 'countersign'
  export const orders = defineState({
    events: ['Listed', 'Sold'],
    classes: ['Order', 'Seller'],
    version: ${version},
    async handle({ event, store }) {
      if (event.price === '13' && !globalThis.allowsThirteen) throw new Error('Thirteen is not for sale.')
      if (event.className === 'Listed') {
        const { seller, price } = event
        await store.put('Order', event.uid, { seller, price, since: event.blockTime, tags: [event.expires] })
        return
      }
      await store.delete('Order', event.uid)
      const known = await store.get('Seller', event.seller)
      await store.put('Seller', event.seller, {
        ...known,
        count: (known?.count ?? 0) + ${factor},
        earned: BigInt(known?.earned ?? 0) + BigInt(event.price),
        last: event.uid,
      })
    },
  })
`

let chain: Chain
let market: Market
let server: TestServer
let folder: string
const globals = globalThis as { allowsThirteen?: boolean }

beforeAll(async () => {
  chain = await startChain()
  chain.finality = 40
  market = await createMarket(chain)
  await market.trade(70)
  folder = await mkdtemp(join(tmpdir(), 'countersign-cloud-'))
  await writeFile(join(folder, 'states.mjs'), cloud(1, 1))
  const contracts = [market.address]
  server = await createTestServer({
    cloud: folder,
    chains: [
      {
        id: chain.chainId,
        name: 'local',
        rpcUrls: [chain.url],
        headCacheTtl: 0,
        index: { mode: 'off', pollInterval: 50, maxRange: 9 },
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

type Listed<Record> = { results: Record[] }
const read = async <Record>(path: string, options = {}) =>
  ((await server.call('GET', path, undefined, options)).body as Listed<Record>).results
const readState = async () => (await read<StateRecord>('/states', master))[0] as StateRecord

/** Stored documents with their times. */
const readDocuments = () =>
  server.context.db.query(sql`
    select "objectId", "createdAt", "updatedAt", "seller", "price", null as earned, null as count from "Order"
    union all
    select "objectId", "createdAt", "updatedAt", "last", null, "earned", "count" from "Seller"
    order by 1`)

/** Expected documents, from the node's own logs. */
async function expectedDocuments(factor = 1): Promise<string[]> {
  const listed = await listLogs(chain, [market.address], 'Listed')
  const sold = await listLogs(chain, [market.address], 'Sold')
  const orders = new Set<string>()
  const sellers = new Map<string, { count: number; earned: bigint }>()
  const all = [...listed.map((line) => ({ line, isSale: false })), ...sold.map((line) => ({ line, isSale: true }))]
  const parts = all.map(({ line, isSale }) => ({ words: line.split(' '), isSale }))
  parts.sort((a, b) => Number(a.words[0]) - Number(b.words[0]) || Number(a.words[1]) - Number(b.words[1]))
  for (const { words, isSale } of parts) {
    const [, , , , , uid = '', seller = '', third = '', price = ''] = words
    if (!isSale) orders.add(`${uid} ${seller} ${third}`)
    else {
      for (const order of orders) if (order.startsWith(`${uid} `)) orders.delete(order)
      const known = sellers.get(seller) ?? { count: 0, earned: 0n }
      sellers.set(seller, { count: known.count + factor, earned: known.earned + BigInt(price) })
    }
  }
  return [...orders, ...[...sellers].map(([seller, { count, earned }]) => `${seller} ${count} ${earned}`)].sort()
}

async function keptDocuments(): Promise<string[]> {
  const { db } = server.context
  const orders = await db.query<{ line: string }>(
    sql`select concat_ws(' ', "objectId", "seller", "price") as line from "Order"`,
  )
  const sellers = await db.query<{ line: string }>(
    sql`select concat_ws(' ', "objectId", "count"::int, "earned") as line from "Seller"`,
  )
  return [...orders, ...sellers].map(({ line }) => line).sort()
}

const isWhole = async (factor = 1) => {
  const head = Number(await chain.request('eth_blockNumber', []))
  await expect.poll(readState, patience).toMatchObject({ status: 'SYNCED', block: head })
  expect(await keptDocuments()).toEqual(await expectedDocuments(factor))
}

test('documents follow from all events, old and new, in the order of the chain', async () => {
  await isWhole()
  await market.trade(10)
  await isWhole()
  const [order] = await read('/classes/Order?limit=1')
  expect(order).toMatchObject({
    seller: expect.any(String),
    since: { __type: 'Date' },
    tags: [expect.any(Number)],
  })
  expect((await server.call('POST', '/classes/Order', { seller: 'me' })).body).toMatchObject({ code: 119 })
})

test('a removed block undoes its changes, and subscribers receive that', async () => {
  const socket = await openLiveSocket(server)
  await socket.subscribe(1, { className: 'Order', where: {} })
  await market.send('list', 900n, person(2), 5n, 9)
  await socket.next(({ op, object }) => op === 'create' && object?.objectId === '900')
  const before = await readDocuments()
  await market.send('buy', 900n, person(2), person(3), 7n)
  await socket.next(({ op, object }) => op === 'delete' && object?.objectId === '900')
  await chain.reorg(1, async () => chain.mine(1))
  await chain.mine(1)
  await isWhole()
  expect(await readDocuments()).toEqual(before)
  socket.close()
})

test('reorgs of depth 1 to 35: what is kept equals a replay from the first event, times included', async () => {
  for (const depth of [1, 2, 5, 17, 35, 3]) {
    await market.trade(depth % 7)
    await chain.reorg(depth, async () => {
      await market.trade(1 + (depth % 4))
      await market.send('list', BigInt(1_000 + depth), person(depth % 5), 1n, depth)
      await market.send('buy', BigInt(1_000 + depth), person(depth % 5), person(7), 2n)
      await market.send('list', BigInt(1_000 + depth), person(depth % 5), 3n, depth)
    })
    await isWhole()
  }
  const before = await readDocuments()
  expect((await server.call('POST', '/states/orders/replay', {}, master)).status).toBe(200)
  await isWhole()
  expect(await readDocuments()).toEqual(before)
})

test('throwing code stops its own state with the reason; events continue, and so does the state when it can', async () => {
  await market.send('list', 2_000n, person(1), 13n, 1)
  await market.send('list', 2_001n, person(1), 14n, 1)
  await expect.poll(readState, patience).toMatchObject({ status: 'SYNCING', error: 'Thirteen is not for sale.' })
  await expect
    .poll(() => listRows(server.context.db, 'Listed', ['uid', 'seller', 'price', 'expires']), patience)
    .toEqual(await listLogs(chain, [market.address], 'Listed'))
  globals.allowsThirteen = true
  // Its time to try again comes by the clock.
  server.clock.forward(120_000)
  await isWhole()
  expect((await readState()).error).toBeUndefined()
})

test('another version of the code works everything out again', async () => {
  await writeFile(join(folder, 'states.mjs'), cloud(2, 10))
  await expect.poll(async () => (await readState()).version, patience).toBe(2)
  await isWhole(10)
})

test('events that are read again are handled again from the first on', async () => {
  expect((await server.call('POST', `/syncs/${chain.chainId}/Sold.Sold/replay`, {}, master)).status).toBe(200)
  const isSynced = async () => (await read<SyncRecord>('/syncs', master)).every(({ status }) => status === 'SYNCED')
  await expect.poll(isSynced, patience).toBe(true)
  await isWhole(10)
  expect((await server.call('POST', '/states/nosuch/replay', {}, master)).body).toMatchObject({ code: 101 })
})
