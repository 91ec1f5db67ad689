import { setTimeout as pause } from 'node:timers/promises'
import fc from 'fast-check'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Clock } from '../clock/Clock.ts'
import type { Database } from '../db/Database.ts'
import { sql } from '../db/sql.ts'
import { openTestDatabase, type TestDatabase } from '../testing/openTestDatabase.ts'
import { createLeases, type Leases } from './createLeases.ts'
import { type Counter, createLimits } from './createLimits.ts'
import type { Limit } from './Window.ts'

/** Issue 34, row 11: processes on one database share their rate limits. */
let database: TestDatabase
const log = pino({ level: 'silent' })
const minute = 60_000
const running: Process[] = []
let keys = 0
const newKey = () => `key ${++keys}`

beforeAll(async () => {
  database = await openTestDatabase({ template: 'migrated' })
})
afterEach(async () => {
  await Promise.all(running.splice(0).map(({ leases }) => leases.stop()))
})
afterAll(() => database.close())

type Process = { leases: Leases; counter: Counter }

let moved = 0
const testClock: Clock = {
  now: () => new Date(Date.now() + moved),
  ms: () => Date.now() + moved,
  shift: () => moved,
}

function createProcess(db = database.db, clock: Clock = testClock, patience = 20_000): Process {
  const leases = createLeases({ db, clock, log, beat: 50, patience })
  const made = { leases, counter: createLimits({ clock, leases }).open('test', 100_000) }
  running.push(made)
  return made
}

/** Processes that count each other. */
async function createProcesses(count: number): Promise<Process[]> {
  const processes = Array.from({ length: count }, () => createProcess())
  await untilKnown(processes)
  return processes
}

/** Until each has counted all of them, for longer than a window. */
async function untilKnown(processes: Process[]): Promise<void> {
  const least = 8 * processes.length
  const free = (most: number) => processes.map(({ leases }) => leases.freeOf({ most, length: 1 }))
  await expect
    .poll(() => [free(least), free(least - 1)], { timeout: 10_000 })
    .toEqual([processes.map(() => 1), processes.map(() => 0)])
  moved += minute + 1
  expect(processes.map(({ leases }) => leases.freeOf({ most: 1_000, length: minute }))).not.toContain(0)
}

describe.each([1, 2, 3, 4])('%i processes', (count) => {
  test('any order of requests gets the limit, and never more', async () => {
    const processes = await createProcesses(count)
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 150 }),
        fc.array(
          fc.record({
            by: fc.integer({ min: 0, max: count - 1 }),
            cost: fc.constantFrom(1, 1, 1, 1, 3),
            waits: fc.boolean(),
          }),
          { minLength: 1, maxLength: 300 },
        ),
        async (most, arrivals) => {
          const key = newKey()
          const limit = { most, length: minute }
          let [allowed, refusedOnes] = [0, 0]
          const open: Promise<void>[] = []
          for (const { by, cost, waits } of arrivals) {
            const taking = Promise.resolve(processes[by]?.counter.take(key, limit, cost)).then((counted) => {
              if (counted?.isAllowed) allowed += cost
              else if (cost === 1) refusedOnes++
            })
            open.push(taking)
            if (waits) await taking
          }
          await Promise.all(open)
          expect(allowed).toBeLessThanOrEqual(most)
          // Nothing is refused to a process alone before the limit is reached.
          if (count === 1 && refusedOnes > 0) expect(allowed).toBe(most)
        },
      ),
      { numRuns: 60 },
    )
  }, 120_000)

  test('a client of one process alone gets nearly the whole limit', async () => {
    const processes = await createProcesses(count)
    for (const most of [1, 5, 20, 60, 120, 1_000]) {
      const key = newKey()
      let allowed = 0
      for (let sent = 0; sent < most + 10; sent++)
        if ((await processes[0]?.counter.take(key, { most, length: minute }))?.isAllowed) allowed++
      expect(allowed).toBeLessThanOrEqual(most)
      expect(allowed).toBeGreaterThanOrEqual(count === 1 ? most : Math.ceil(most * 0.8))
    }
  })

  test('a client that goes round gets the whole limit', async () => {
    const processes = await createProcesses(count)
    for (const most of [1, 5, 20, 60, 120, 1_000]) {
      const key = newKey()
      let allowed = 0
      for (let sent = 0; sent < 2 * most + 10; sent++) {
        const counted = await processes[sent % count]?.counter.take(key, { most, length: minute })
        if (counted?.isAllowed) allowed++
      }
      expect(allowed).toBeLessThanOrEqual(most)
      expect(allowed).toBeGreaterThanOrEqual(Math.ceil(most * 0.95))
    }
  })
})

type Trouble = { fails: boolean; freeze: Promise<void> | undefined; frozen: number }

/** A database that may fail or freeze after it has leased. */
function createTroubled(): { db: Database; trouble: Trouble; leases: () => number } {
  const trouble: Trouble = { fails: false, freeze: undefined, frozen: 0 }
  let sent = 0
  const db: Database = {
    ...database.db,
    async query<Row>(statement: Parameters<Database['query']>[0]): Promise<Row[]> {
      if (!('options' in statement) || statement.options?.name !== 'lease-limits') return database.db.query(statement)
      sent++
      if (trouble.fails) throw new Error('connection lost')
      const rows = await database.db.query<Row>(statement)
      trouble.frozen++
      await trouble.freeze
      return rows
    },
  }
  return { db, trouble, leases: () => sent }
}

const countRows = async () =>
  (await database.db.query<{ count: number }>(sql`select count(*) from countersign.limit_windows`))[0]?.count

/** Takes until nothing is left. */
async function takeAll(counter: Counter, key: string, limit: Limit): Promise<number> {
  for (let taken = 0; ; taken++) if (!(await counter.take(key, limit)).isAllowed) return taken
}

describe('attacks and failures', () => {
  test('a window does not begin before the last one has ended', async () => {
    const [one, ...others] = await createProcesses(4)
    const key = newKey()
    const limit = { most: 60, length: minute }
    if (one) await takeAll(one.counter, key, limit)
    for (const { counter } of others) {
      moved += 10_000
      expect((await counter.take(key, limit)).isAllowed).toBe(true)
    }
    moved += 30_000
    let taken = 0
    // Windows of the others end one after another.
    for (const { counter } of others) {
      taken += await takeAll(counter, key, limit)
      moved += 10_000
    }
    expect(taken).toBeLessThanOrEqual(limit.most)
  })

  test('clocks of servers that are hours apart change nothing', async () => {
    const ahead: Clock = { now: () => new Date(Date.now() + 7_200_000), ms: () => Date.now() + 7_200_000 }
    const exact: Clock = { now: () => new Date(), ms: Date.now }
    const [one, other] = [createProcess(database.db, exact), createProcess(database.db, ahead)]
    const key = newKey()
    const limit = { most: 100, length: minute }
    const taken = (await takeAll(one.counter, key, limit)) + (await takeAll(other.counter, key, limit))
    expect(taken).toBeLessThanOrEqual(100)
    expect(taken).toBeGreaterThanOrEqual(90)
  })

  test('a clock that is set back does not make a window longer', async () => {
    let by = 0
    const clock: Clock = { now: () => new Date(Date.now() + by), ms: () => Date.now() + by }
    const counter = createLimits({ clock }).open('test', 10)
    const limit = { most: 2, length: minute }
    expect(await takeAll(counter, 'a', limit)).toBe(2)
    by = -3_600_000
    expect(await takeAll(counter, 'a', limit)).toBe(2)
  })

  test('a clock of the database that is set back refuses callers for one more window at most', async () => {
    let local = 0
    let shift = 0
    const ms = () => Date.now() + local
    const { counter } = createProcess(database.db, { now: () => new Date(ms()), ms, shift: () => shift })
    const key = newKey()
    const limit = { most: 20, length: minute }
    expect(await takeAll(counter, key, limit)).toBe(20)
    shift = -3_600_000
    let taken = 0
    for (let windows = 0; windows < 2; windows++) {
      local += minute
      shift += minute
      taken += await takeAll(counter, key, limit)
    }
    expect(taken).toBeGreaterThan(0)
    expect(taken).toBeLessThanOrEqual(40)
  })

  test('a share that arrives after its window, as in a process that was frozen, is not used', async () => {
    const { db, trouble } = createTroubled()
    const frozen = createProcess(db)
    const other = createProcess()
    const key = newKey()
    const limit = { most: 5, length: minute }
    let thaw = () => {}
    trouble.freeze = new Promise((resolve) => {
      thaw = resolve
    })
    const late = frozen.counter.take(key, limit)
    await expect.poll(() => trouble.frozen).toBe(1)
    moved += minute
    const taken = await takeAll(other.counter, key, limit)
    expect(taken).toBeGreaterThan(0)
    thaw()
    const isLate = (await late).isAllowed
    expect(taken + Number(isLate) + (await takeAll(frozen.counter, key, limit))).toBeLessThanOrEqual(limit.most)
  })

  test('a process that ends with a share leaves the others their part, and never more', async () => {
    const [one, other] = await createProcesses(2)
    const key = newKey()
    const limit = { most: 100, length: minute }
    let taken = 0
    for (; taken < 10; taken++) expect((await one?.counter.take(key, limit))?.isAllowed).toBe(true)
    await one?.leases.stop()
    taken += other ? await takeAll(other.counter, key, limit) : 0
    expect(taken).toBeLessThanOrEqual(100)
    expect(taken).toBeGreaterThanOrEqual(70)
  })

  test('without the database each process counts up to its part of the limit, and waits for nothing', async () => {
    const troubled = [createTroubled(), createTroubled()]
    const processes = troubled.map(({ db }) => createProcess(db, testClock, 100))
    await untilKnown(processes)
    const limit = { most: 100, length: minute }
    for (const { trouble } of troubled) trouble.fails = true
    const key = newKey()
    for (const { counter } of processes) expect(await takeAll(counter, key, limit)).toBe(50)
    // A database that does not respond holds up a request for a moment.
    let respond = () => {}
    const freeze = new Promise<void>((resolve) => {
      respond = resolve
    })
    for (const { trouble } of troubled) Object.assign(trouble, { fails: false, freeze })
    await pause(1_050)
    for (const { counter } of processes) expect(await takeAll(counter, newKey(), limit)).toBe(50)
    for (const { trouble } of troubled) trouble.freeze = undefined
    respond()
    await pause(1_050)
    // When it is back, a process reports what it has allowed before it gets more.
    let more = 0
    for (const { counter } of processes) more += await takeAll(counter, key, limit)
    expect(more).toBeLessThanOrEqual(50)
  }, 60_000)

  test('a flood of keys writes nothing, and where limits are small many at a time', async () => {
    const { db, leases } = createTroubled()
    const process = createProcess(db)
    await untilKnown([process])
    const { counter } = process
    const before = (await countRows()) ?? 0
    for (let key = 0; key < 5_000; key++) await counter.take(`junk ${key}`, { most: 60, length: minute })
    expect(await countRows()).toBeLessThanOrEqual(before)
    expect(leases()).toBe(0)
    await Promise.all(
      Array.from({ length: 2_000 }, (_, key) => counter.take(`few ${key}`, { most: 1, length: minute })),
    )
    expect(leases()).toBeLessThanOrEqual(21)
    // Removed a window after their end.
    moved += 3 * minute
    await expect.poll(countRows, { timeout: 10_000 }).toBeLessThanOrEqual(before)
  }, 30_000)

  test('a caller that has used up its limit costs no statement', async () => {
    const { db, leases } = createTroubled()
    const { counter } = createProcess(db)
    const limit = { most: 60, length: minute }
    expect(await takeAll(counter, 'busy', limit)).toBe(60)
    const sent = leases()
    for (let times = 0; times < 1_000; times++) await counter.take('busy', limit)
    expect([sent, leases()]).toEqual([1, 1])
  })

  test('a transaction that is rolled back returns nothing, and holds no lock', async () => {
    const [one, other] = [createProcess(), createProcess()]
    const key = newKey()
    const limit = { most: 6, length: minute }
    let taken = 0
    await database.db
      .transaction(async () => {
        taken += await takeAll(one.counter, key, limit)
        // Beside the open transaction.
        taken += await takeAll(other.counter, key, limit)
        throw new Error('rolled back')
      })
      .catch(() => undefined)
    expect(taken).toBeLessThanOrEqual(6)
    expect(taken).toBeGreaterThanOrEqual(5)
    expect(await takeAll(createProcess().counter, key, limit)).toBe(0)
  })

  test.each([Number.NaN, Number.POSITIVE_INFINITY, 2.5, -1, 1e300])(
    'a limit of %d in application code disturbs no other',
    async (most) => {
      const { counter } = createProcess()
      await counter.take(newKey(), { most, length: minute })
      await counter.take(newKey(), { most: 1, length: most })
      expect(await takeAll(counter, newKey(), { most: 9, length: minute })).toBe(9)
    },
  )
})
