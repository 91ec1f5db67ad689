import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../db/sql.ts'
import type { Chain } from '../../testing/chain/Chain.ts'
import { createTraffic, type Traffic } from '../../testing/chain/createTraffic.ts'
import { listExpected } from '../../testing/chain/indexing/listExpected.ts'
import { listKept } from '../../testing/chain/indexing/listKept.ts'
import { type Indexing, startIndexing } from '../../testing/chain/indexing/startIndexing.ts'
import { startChain } from '../../testing/chain/startChain.ts'
import { listIndexStatus } from './listIndexStatus.ts'

let chain: Chain
let traffic: Traffic
let server: Indexing

const tip = async () => (await listIndexStatus(server.context))[0]?.block ?? 0
const head = async () => Number(await chain.request('eth_blockNumber'))
/** How many blocks were taken back each time, as the log tells. */
const undone = () => server.logs.flatMap((line) => JSON.parse(line).depth ?? [])
/** The index is the chain: every transfer as its logs tell it, every holding as the contracts do. */
const canonical = async () =>
  expect
    .poll(() => listKept(server.context.db, chain.chainId), { timeout: 60_000 })
    .toEqual(await listExpected(chain, traffic))

beforeAll(async () => {
  chain = await startChain()
  chain.finality = 50
  traffic = await createTraffic(chain)
  await traffic.send(120)
  server = await startIndexing(chain, { mode: 'all' })
})

afterAll(async () => {
  await server.stop()
  await chain.stop()
})

test('R27: the index equals the chain, and follows its head', async () => {
  await canonical()
  await traffic.send(20)
  await canonical()
  const [status] = await listIndexStatus(server.context)
  expect(status).toMatchObject({ chain: chain.chainId, progress: 1, secondsLeft: 0, running: true })
})

test('R27: a reorg of 30 blocks in the middle of indexing leaves exactly the canonical rows', async () => {
  chain.faults.latencyMs = 40
  await traffic.send(45)
  const old = await head()
  // Part of what is taken back was read already, another part is being read.
  await expect.poll(tip, { interval: 5, timeout: 60_000 }).toBeGreaterThan(old - 20)
  await chain.reorg(30, () => traffic.send(20))
  chain.faults.latencyMs = 0
  await canonical()
  await expect.poll(tip, { timeout: 60_000 }).toBe(await head())
  expect(undone().at(-1)).toBeGreaterThanOrEqual(10)
})

test('R27: reorgs of any depth, one upon the other', async () => {
  for (const depth of [1, 35, 2, 17, 3, 30]) {
    await traffic.send(depth % 7)
    await chain.reorg(depth, () => traffic.send(depth % 11))
    if (depth % 2 === 0) await canonical()
  }
  await canonical()
  expect(Math.max(...undone())).toBeGreaterThanOrEqual(30)
})

test('R27: a killed node returns on another branch', async () => {
  chain.faults.down = true
  await traffic.send(10)
  await chain.reorg(25, () => traffic.send(12))
  await expect
    .poll(async () => (await listIndexStatus(server.context))[0]?.error, { timeout: 60_000 })
    .toMatch(/No node/)
  chain.faults.down = false
  await canonical()
  await expect.poll(async () => (await listIndexStatus(server.context))[0]?.error, { timeout: 60_000 }).toBeUndefined()
})

test('a node that lags takes nothing back', async () => {
  await canonical()
  const { db } = server.context
  const gone = async () => (await db.query<{ n: number }>(sql`select count(*) as n from gone`))[0]?.n
  await db.query(sql`
    create table gone (id text);
    create function note_gone() returns trigger language plpgsql as $$
      begin insert into gone values (old."objectId"); return null; end $$;
    create trigger note_gone after delete on "Transfer" for each row execute function note_gone()`)
  chain.faults.lag = 3
  await new Promise((resolve) => setTimeout(resolve, 120))
  chain.faults.lag = 0
  await traffic.send(3)
  await canonical()
  expect(await gone()).toBe(0)
  await chain.reorg(5)
  await canonical()
  expect(await gone()).toBeGreaterThan(0)
})

test('listeners are notified of what happens now', async () => {
  const { db } = server.context
  await db.query(sql`
    create table heard (block float8, quiet text);
    create function note_heard() returns trigger language plpgsql as $$
      begin insert into heard values (new."block", current_setting('countersign.quiet', true)); return null; end $$;
    create trigger note_heard after insert on "Transfer" for each row execute function note_heard()`)
  await traffic.send(4)
  await canonical()
  const quiet = () => db.query(sql`select distinct coalesce(quiet, '') as quiet from heard`)
  expect(await quiet()).toEqual([{ quiet: '' }])
})
