import { afterAll, beforeAll, expect, test } from 'vitest'
import { isUniqueViolation } from '../../db/databaseErrors.ts'
import { sql } from '../../db/sql.ts'
import type { Chain } from '../../testing/chain/Chain.ts'
import { createMarket, listLogs, listRows, type Market, person } from '../../testing/chain/createMarket.ts'
import { type Indexing, startIndexing } from '../../testing/chain/indexing/startIndexing.ts'
import { startChain } from '../../testing/chain/startChain.ts'
import { createRandom } from '../../testing/createRandom.ts'
import type { Sync } from './compileSync.ts'
import { loadSyncs } from './syncs.ts'
import { type EventRow, writeEvents } from './writeEvents.ts'

const patience = { timeout: 60_000 }
const event = 'event Listed(uint256 indexed id, address indexed seller, uint256 price, uint32 expires)'
const rich =
  'event Rich(address seller, uint256 amount, uint32 small, bool open, string words, bytes raw, uint64 until, uint256 rough, (uint8 kind, string label)[] parts, (uint8 kind, string label) one)'

let chain: Chain
let market: Market
let indexing: Indexing

beforeAll(async () => {
  chain = await startChain()
  chain.finality = 2
  market = await createMarket(chain)
  await market.trade(40)
  await chain.mine(5)
  const contracts = [market.address]
  const fields = { types: { until: 'Date', rough: 'Number' } }
  const events = [
    { class: 'Listed', event, contracts },
    { class: 'Copied', event: rich, contracts, fields },
    { class: 'Inserted', event: rich, contracts, fields },
    { class: 'CopiedOwn', event: rich, contracts, fields, owner: 'seller' },
    { class: 'InsertedOwn', event: rich, contracts, fields, owner: 'seller' },
  ]
  indexing = await startIndexing(chain, { mode: 'off' }, { events: events as never })
})

afterAll(async () => {
  await indexing.stop()
  await chain.stop()
})

const { below } = createRandom(5)
const digits = (count: number) => Array.from({ length: count }, () => below(16).toString(16)).join('')
const words = ['', 'plain', 'ünï ©ôdé 🎈', '\\N {a,"b"}\t\n', 'x'.repeat(3_000), 'ж'.repeat(2_000)]

function makeRow(sync: Sync, number: number): EventRow {
  const text = () => words[below(words.length)] as string
  const part = () => ({ kind: below(256), label: text() })
  return {
    sync,
    // No rows after the tip: those are rolled back.
    block: Math.floor(number / 10),
    blockHash: `0x${digits(64)}`,
    transaction: `0x${digits(64)}`,
    transactionIndex: number % 10,
    logIndex: number,
    contract: market.address,
    values: [
      person(below(4)),
      String(BigInt(`0x${digits(1 + below(64))}`)),
      below(2 ** 31),
      below(2) === 1,
      text(),
      `0x${digits(2 * below(90))}`,
      // Until the year 9999, and beyond what a time can be.
      ['0', '1700000000', '253402300799', '18446744073709551615'][below(4)] as string,
      String(BigInt(`0x${digits(1 + below(64))}`)),
      Array.from({ length: below(4) }, part),
      part(),
    ],
  }
}

test('copied rows equal inserted rows, with any types', async () => {
  const { context } = indexing
  const { db } = context
  for (const number of [1, 2]) {
    const user = `copyUser0${number}`
    await db.query(sql`
      insert into "_User" ("objectId", "username", "_username_key", "createdAt", "updatedAt")
      values (${user}, ${user}, ${user}, now(), now())`)
    await db.query(sql`
      insert into countersign.wallets (key, "objectId", "user", namespace, kind, address, linked, last_used)
      values (${user}, ${user}, ${user}, 'eip155', 'eoa', ${person(number)}, now(), now())`)
  }
  const syncs = new Map((await loadSyncs(context, chain.chainId)).map(({ sync }) => [sync.className, sync]))
  const read = (className: string) =>
    db.query(sql`
      select to_jsonb(t) - 'objectId' || jsonb_build_object('id', left("objectId", -9)) as row
      from ${sql.table(className)} t
      order by "block", "logIndex"`)
  for (const [copied, inserted] of [
    ['Copied', 'Inserted'],
    ['CopiedOwn', 'InsertedOwn'],
  ] as const) {
    const rows = Array.from({ length: 300 }, (_, number) => makeRow(syncs.get(copied) as Sync, number))
    const others = rows.map((row) => ({ ...row, sync: syncs.get(inserted) as Sync }))
    const times = new Map(rows.map(({ block }) => [block, 1_700_000_000 + block]))
    const writing = { times, final: 15 }
    const copy = () => db.transaction(() => writeEvents(context, rows, { ...writing, allNew: true }))
    await copy()
    await db.transaction(() => writeEvents(context, others, writing))
    const kept = await read(copied)
    expect(kept).toHaveLength(300)
    expect(kept).toEqual(await read(inserted))
    // The same again: a copy fails as a whole, and the connection goes on.
    expect(isUniqueViolation(await copy().catch((error: unknown) => error))).toBe(true)
    await db.transaction(() => writeEvents(context, rows, writing))
    expect(await read(copied)).toEqual(kept)
  }
})

test('blocks that are read again, all or in part, change nothing', async () => {
  const { db } = indexing.context
  const fields = ['uid', 'seller', 'price', 'expires']
  const expected = await listLogs(chain, [market.address], 'Listed')
  const isWhole = () => expect.poll(() => listRows(db, 'Listed', fields), patience).toEqual(expected)
  await isWhole()
  for (const gone of [0, 5]) {
    await db.query(sql`
      delete from "Listed"
      where "objectId" in (select "objectId" from "Listed" order by "block" desc offset 3 limit ${gone})`)
    const again = await db.query(sql`
      update countersign.chain_work set next = first, ended = null, runner = null, lease_until = null
      where kind = 'events'
      returning 1`)
    expect(again.length).toBeGreaterThan(0)
    await db.query(sql`select pg_notify('countersign_chain', '')`)
    await expect
      .poll(
        () => db.query(sql`select error from countersign.chain_work where next <= last or error is not null`),
        patience,
      )
      .toEqual([])
    await isWhole()
  }
})
