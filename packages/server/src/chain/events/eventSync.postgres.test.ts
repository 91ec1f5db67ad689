import type { Address } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../db/sql.ts'
import type { Chain } from '../../testing/chain/Chain.ts'
import { call, createMarket, listLogs, listRows, type Market, person } from '../../testing/chain/createMarket.ts'
import { deployContract } from '../../testing/chain/deployContract.ts'
import { getArtifact } from '../../testing/chain/getArtifact.ts'
import { type Indexing, startIndexing } from '../../testing/chain/indexing/startIndexing.ts'
import { startChain } from '../../testing/chain/startChain.ts'
import { openTestDatabase, type TestDatabase } from '../../testing/openTestDatabase.ts'
import { listIndexStatus } from '../index/listIndexStatus.ts'

const patience = { timeout: 60_000 }
const fields = ['uid', 'seller', 'price', 'expires']
const event = 'event Listed(uint256 indexed id, address indexed seller, uint256 price, uint32 expires)'
const opened = 'event Opened(address indexed owner, address market)'

let chain: Chain
let market: Market
let other: Market
let factory: Address
let shared: TestDatabase
const running: Indexing[] = []
const children: string[] = []

const events = () => [
  { class: 'Listed', event, contracts: [market.address, other.address] },
  {
    class: 'Sold',
    event: 'event Sold(uint256 indexed id, address indexed seller, address indexed buyer, uint256 price)',
    contracts: [market.address, other.address],
  },
  { class: 'ChildListed', event, factory: { contracts: [factory], event: opened, parameter: 'market' } },
]

const start = async (index: object = {}) => {
  const indexing = await startIndexing(chain, { mode: 'off', maxRange: 7, ...index }, { shared, events: events() })
  running.push(indexing)
  return indexing
}

/** Opens a market by the factory, with listings in the block that makes it. */
const open = async (listings: number) => {
  await call(chain, factory, 'open', [BigInt(listings)])
  const filter = { address: factory, fromBlock: '0x0', toBlock: 'latest' }
  const logs = (await chain.request('eth_getLogs', [filter])) as { data: string }[]
  children.splice(0, children.length, ...logs.map(({ data }) => `0x${data.slice(26)}`))
}

const isWhole = async () => {
  const { db } = shared
  const markets = [market.address, other.address]
  await expect.poll(() => listRows(db, 'Listed', fields), patience).toEqual(await listLogs(chain, markets, 'Listed'))
  await expect
    .poll(() => listRows(db, 'Sold', ['uid', 'seller', 'buyer', 'price']), patience)
    .toEqual(await listLogs(chain, markets, 'Sold'))
  await expect
    .poll(() => listRows(db, 'ChildListed', fields), patience)
    .toEqual(await listLogs(chain, children, 'Listed'))
}

beforeAll(async () => {
  chain = await startChain()
  chain.finality = 40
  shared = await openTestDatabase({ template: 'migrated' })
  market = await createMarket(chain)
  other = await createMarket(chain)
  factory = (await deployContract(chain, getArtifact('MarketFactory'))).toLowerCase() as Address
  await market.trade(30)
  await other.trade(20)
  await open(3)
  await market.trade(10)
  await open(0)
  const child = await createMarket(chain, children[1] as Address)
  await child.trade(15)
  await market.trade(40)
})

afterAll(async () => {
  for (const { stop } of running) await stop()
  await shared.close()
  await chain.stop()
})

test('two servers fill in what is old, in ranges that the node allows, while blocks are replaced', async () => {
  chain.faults.maxRange = 5
  chain.faults.maxLogs = 4
  chain.faults.latencyMs = 15
  await Promise.all([start({ concurrency: 2 }), start({ concurrency: 2 })])
  for (const depth of [1, 35, 7]) {
    await market.trade(depth % 4)
    await chain.reorg(depth, async () => {
      await market.trade(depth % 6)
      await other.trade(2)
    })
  }
  chain.faults.latencyMs = 0
  await open(2)
  await isWhole()
  delete chain.faults.maxRange
  delete chain.faults.maxLogs
})

test('reorgs of many depths at the head, contracts that a factory made among them', async () => {
  for (const depth of [1, 2, 3, 17, 35, 30, 5]) {
    await market.trade(depth % 5)
    if (depth % 2 === 1) await open(depth % 4)
    await chain.reorg(depth, async () => {
      await open(1)
      await other.trade(depth % 3)
    })
    if (depth % 2 === 0) await isWhole()
  }
  await open(0)
  const newest = await createMarket(chain, children.at(-1) as Address)
  await newest.send('list', 4_000n, person(1), 1n, 1)
  await isWhole()
  const [known] = await shared.db.query<{ n: number }>(sql`select count(*)::int as n from countersign.chain_children`)
  expect(known?.n).toBe(children.length)
})

test('a server that was away for long reads what it missed, of new contracts of the factory too', async () => {
  for (const { stop } of running.splice(0)) await stop()
  await market.trade(6)
  await open(2)
  await chain.mine(300)
  const late = await createMarket(chain, children.at(-1) as Address)
  await late.trade(6)
  await chain.mine(45)
  await market.trade(3)
  const { context } = await start()
  await isWhole()
  await expect.poll(async () => (await listIndexStatus(context))[0]?.blocksLeft, patience).toBe(0)
  await isWhole()
})

test('a definition that changed is read again, and one that is gone is followed no longer', async () => {
  for (const { stop } of running.splice(0)) await stop()
  const [first] = events()
  const changed = { ...first, class: 'Listed', event, filter: { seller: person(1) } }
  const flags = { shared, events: [changed] }
  running.push(await startIndexing(chain, { mode: 'off' }, flags as never))
  const wanted = (await listLogs(chain, [market.address, other.address], 'Listed')).filter((line) =>
    line.includes(` ${person(1)} `),
  )
  await expect.poll(() => listRows(shared.db, 'Listed', fields), patience).toEqual(wanted)
  const names = await shared.db.query<{ name: string }>(sql`select name from countersign.chain_syncs`)
  expect(names).toEqual([{ name: 'Listed.Listed' }])
  const sold = await listRows(shared.db, 'Sold', ['uid'])
  await market.send('buy', 5_000n, person(1), person(2), 1n)
  await market.send('list', 5_001n, person(1), 1n, 1)
  await expect.poll(async () => (await listRows(shared.db, 'Listed', fields)).join(), patience).toContain(' 5001 ')
  expect(await listRows(shared.db, 'Sold', ['uid'])).toEqual(sold)
})

test('rejects invalid syncs at the start, with place and fix', async () => {
  const refused = async (definition: object) =>
    startIndexing(
      chain,
      { mode: 'off' },
      { events: [{ class: 'X', contracts: [market.address], ...definition }] as never },
    )
  await expect(refused({ event: 'event Broken(' })).rejects.toThrow(
    /events\[0\] of the class X: the event "event Broken\(" cannot be read/,
  )
  await expect(refused({ event: 'event E(address block)' })).rejects.toThrow(
    /the field block already exists.*fields\.rename/,
  )
  await expect(refused({ event: 'event E(uint8 a)', owner: 'a' })).rejects.toThrow(
    /owner must be a parameter of type address; a is not/,
  )
  await expect(refused({ event: 'event E(uint8 a)', filter: { b: 1 } })).rejects.toThrow(
    /filter refers to b, but E has a/,
  )
  await expect(refused({ event: 'event E(uint8 a)', contracts: undefined })).rejects.toThrow(
    /either contracts or factory/,
  )
  await expect(refused({ event: 'Sold' })).rejects.toThrow(/write the event as in Solidity/)
  await expect(refused({ event: 'event E(string a)', fields: { types: { a: 'Number' } } })).rejects.toThrow(
    /string is stored as String/,
  )
})
