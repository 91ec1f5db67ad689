import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { sql } from '../../db/sql.ts'
import type { Chain } from '../../testing/chain/Chain.ts'
import { createTraffic, type Traffic } from '../../testing/chain/createTraffic.ts'
import { listExpected } from '../../testing/chain/indexing/listExpected.ts'
import { listIndexed } from '../../testing/chain/indexing/listIndexed.ts'
import { listKept } from '../../testing/chain/indexing/listKept.ts'
import { listTransfers } from '../../testing/chain/indexing/listTransfers.ts'
import { type Indexing, startIndexing } from '../../testing/chain/indexing/startIndexing.ts'
import { startChain } from '../../testing/chain/startChain.ts'
import { openTestDatabase } from '../../testing/openTestDatabase.ts'
import { listIndexStatus } from './listIndexStatus.ts'

let chain: Chain
let traffic: Traffic
let running: Indexing[] = []

beforeAll(async () => {
  chain = await startChain()
  traffic = await createTraffic(chain)
  await traffic.send(200)
  // Many stretches, so that there is something to share out.
  await chain.mine(4_000)
  await traffic.send(100)
})

afterEach(async () => {
  await Promise.all(running.map(({ stop }) => stop()))
  running = []
  for (const fault of ['maxRange', 'maxLogs', 'rps', 'answer'] as const) delete chain.faults[fault]
  chain.faults.latencyMs = 0
})

afterAll(() => chain.stop())

const start = async (...given: Parameters<typeof startIndexing> extends [unknown, ...infer Rest] ? Rest : never) => {
  const indexing = await startIndexing(chain, ...given)
  running.push(indexing)
  return indexing
}

/** Records the block ranges of log requests. */
const noteRanges = () => {
  const ranges: [number, number][] = []
  chain.faults.answer = (method, [filter]) => {
    const { fromBlock, toBlock } = (filter ?? {}) as { fromBlock?: string; toBlock?: string }
    if (method === 'eth_getLogs' && fromBlock) ranges.push([Number(fromBlock), Number(toBlock)])
    return undefined
  }
  return ranges
}

test.each([
  ['a span of 50 blocks', { maxRange: 50 }],
  ['40 logs an answer', { maxLogs: 40 }],
  ['both, and slow answers', { maxRange: 300, maxLogs: 25, latencyMs: 5 }],
  ['60 requests a second', { rps: 60 }],
])('R27: a node that allows %s', async (_, faults) => {
  Object.assign(chain.faults, faults)
  const { context } = await start({ mode: 'all', startBlock: 3_500 })
  await expect.poll(async () => (await listIndexStatus(context))[0]?.status, { timeout: 60_000 }).toBe('SYNCED')
  const expected = await listTransfers(chain, 3_500)
  expect(expected.length).toBeGreaterThan(100)
  expect(await listIndexed(context.db, chain.chainId)).toEqual(expected)
})

test('R27: two workers share the blocks and read none twice', async () => {
  const shared = await openTestDatabase()
  const ranges = noteRanges()
  chain.faults.latencyMs = 15
  try {
    const both = await Promise.all([1, 2].map(() => start({ mode: 'all', maxRange: 100, concurrency: 2 }, { shared })))
    const runners = new Set<string>()
    await expect
      .poll(
        async () => {
          const rows = await shared.db.query<{ runner: string }>(
            sql`select distinct runner from countersign.chain_work where runner is not null`,
          )
          for (const { runner } of rows) runners.add(runner)
          return (await listIndexStatus((both[0] as Indexing).context))[0]?.status
        },
        { timeout: 60_000, interval: 20 },
      )
      .toBe('SYNCED')
    await expect
      .poll(() => listKept(shared.db, chain.chainId), { timeout: 60_000 })
      .toEqual(await listExpected(chain, traffic))
    expect(runners.size).toBe(2)
    ranges.sort(([a], [b]) => a - b)
    const twice = ranges.filter(([from], index) => index > 0 && from <= (ranges[index - 1]?.[1] ?? 0))
    expect(twice).toEqual([])
    expect(ranges[0]?.[0]).toBe(0)
    expect(ranges.reduce((sum, [from, to]) => sum + to - from + 1, 0)).toBe(Number(ranges.at(-1)?.[1]) + 1)
  } finally {
    await Promise.all(running.map(({ stop }) => stop()))
    running = []
    await shared.close()
  }
})

test('progress with an estimate, while blocks are read; and listeners are not notified', async () => {
  const shared = await openTestDatabase()
  try {
    chain.faults.latencyMs = 30
    const { context } = await start({ mode: 'all', maxRange: 40, concurrency: 1 }, { shared })
    await context.db.query(sql`
      create table heard (quiet text);
      create function note_heard() returns trigger language plpgsql as $$
        begin insert into heard values (current_setting('countersign.quiet', true)); return null; end $$;
      create trigger note_heard after insert on "Transfer" for each row execute function note_heard()`)
    const status = async () => (await listIndexStatus(context))[0]
    await expect.poll(async () => (await status())?.progress, { interval: 20, timeout: 60_000 }).toBeGreaterThan(0.05)
    const half = await status()
    expect(half).toMatchObject({ status: 'SYNCING', running: true, error: undefined })
    expect(half?.blocksLeft).toBeGreaterThan(0)
    expect(half?.blocksPerSecond).toBeGreaterThan(0)
    expect(half?.secondsLeft).toBeGreaterThan(0)
    chain.faults.latencyMs = 0
    await expect
      .poll(() => listKept(context.db, chain.chainId), { timeout: 60_000 })
      .toEqual(await listExpected(chain, traffic))
    expect(await status()).toMatchObject({ status: 'SYNCED', progress: 1, blocksLeft: 0, secondsLeft: 0 })
    expect(await context.db.query(sql`select distinct quiet from heard`)).toEqual([{ quiet: 'on' }])
    await Promise.all(running.map(({ stop }) => stop()))
    running = []
  } finally {
    await shared.close()
  }
})
