import { AsyncResource } from 'node:async_hooks'
import { createHash } from 'node:crypto'
import type { Logger } from 'pino'
import type { Clock } from '../clock/Clock.ts'
import type { Database } from '../db/Database.ts'
import { createPresence } from './createPresence.ts'
import { type Grant, type Lease, leaseWindows } from './limitWindows.ts'
import type { Limit, Window } from './Window.ts'

/** Shares of the limits that all processes on a database have together. */
export type Leases = {
  /** Count up to which a process asks nobody: most keys never get further, and cost no statement. */
  freeOf(limit: Limit): number
  /**
   * Asks for a larger allowance. Resolves to false if there is none, or if the database does not respond in time: then
   * the window has this process's part of the limit.
   */
  ask(key: string, window: Window, amount: number): Promise<boolean>
  stop(): Promise<void>
}

type Parts = {
  db: Database
  clock: Clock
  log: Logger
  /** Time (ms) between two signs of life. */
  beat?: number
  /** Time (ms) that a request waits for the database. */
  patience?: number
}

/** Time (ms) without statements after one that failed. */
const pauseAfterFailure = 1_000
/** Keys of one statement. */
const mostAtOnce = 100
/** Rows that one process may keep in the database. Beyond them, a key gets this process's part of its limit. */
const mostRows = 100_000

type Asked = { id: string; window: Window; amount: number; answer: Promise<boolean>; resolve(hasMore: boolean): void }

/**
 * Leases shares of limits from the database. All that is leased, and all that is free, is within the limit: a process
 * that ends or freezes wastes its share and adds nothing. Shared windows go by the clock of the database.
 */
export function createLeases({ db, clock, log, beat = 5_000, patience = 250 }: Parts): Leases {
  const presence = createPresence({ db, clock, log, beat })
  const rows = new Map<string, number>()
  let sweptAt = Number.NEGATIVE_INFINITY
  const asking = new Map<string, Asked>()
  const queue: Asked[] = []
  let sending: Promise<void> | undefined
  /** Until then every process counts alone. */
  let aloneUntil = 0
  let isReported = false

  // Outside the context of a request: its transaction may be rolled back, and holds locks for as long as it takes.
  const send = AsyncResource.bind(() => {
    sending ??= sendAll()
  })

  async function sendAll(): Promise<void> {
    // Requests of one turn of the event loop travel together.
    await Promise.resolve()
    while (queue.length > 0) await sendSome(queue.splice(0, mostAtOnce))
    // In the same turn: one that is queued after the last look starts the next round.
    sending = undefined
  }

  async function sendSome(all: Asked[]): Promise<void> {
    const sent = clock.ms()
    const leases = all.map(({ id, window, amount }) => describeLease(id, window, amount, sent))
    try {
      const granted = await leaseWindows(db, leases, presence.processes(), clock.shift?.() ?? 0)
      isReported = false
      for (const [place, { id, window, resolve }] of all.entries()) {
        const grant = granted.get(id)
        if (grant) applyGrant(window, leases[place] as Lease, grant, sent)
        asking.delete(id)
        resolve(grant !== undefined && grant.granted > 0)
      }
    } catch (error) {
      goAlone(error)
      for (const { id, window, resolve } of all) {
        takePart(window)
        asking.delete(id)
        resolve(false)
      }
    }
  }

  function goAlone(error?: unknown): void {
    aloneUntil = performance.now() + pauseAfterFailure
    if (!isReported) log.warn({ err: error }, 'the database does not respond: rate limits count per process')
    isReported = true
  }

  function takePart(window: Window): void {
    window.allowance = Math.max(window.allowance, 1, Math.floor(window.limit.most / presence.processes()))
  }

  function hasRoom(id: string, { limit }: Window): boolean {
    const now = clock.ms()
    if (!rows.has(id)) {
      if (rows.size >= mostRows) sweep(now)
      if (rows.size >= mostRows) return false
    }
    // A row is removed a window after its end, and a turn later.
    rows.set(id, now + 3 * limit.length)
    return true
  }

  /** Forgets rows that are over. Once a second at most: with rows of many strangers each request would read them all. */
  function sweep(now: number): void {
    if (performance.now() - sweptAt < 1_000) return
    sweptAt = performance.now()
    for (const [old, until] of rows) if (until <= now) rows.delete(old)
  }

  function enqueue(id: string, window: Window, amount: number): Asked {
    let resolve: Asked['resolve'] = () => {}
    const answer = new Promise<boolean>((done) => {
      resolve = done
    })
    const asked = { id, window, amount, answer, resolve }
    asking.set(id, asked)
    queue.push(asked)
    send()
    return asked
  }

  function within({ answer }: Asked, window: Window): Promise<boolean> {
    return withPatience(answer, patience, () => {
      goAlone()
      takePart(window)
      return false
    })
  }

  return {
    freeOf({ most, length }) {
      // Windows that began before others counted this process have nothing in reserve for it.
      return presence.isKnownFor(length) ? countFree(most, presence.processes()) : 0
    },
    ask(key, window, amount) {
      const id = nameRow(key, window.limit)
      const same = asking.get(id)
      if (performance.now() < aloneUntil || !(same || hasRoom(id, window))) {
        takePart(window)
        return Promise.resolve(false)
      }
      if (!same) return within(enqueue(id, window, amount), window)
      same.amount += amount
      const answer = within(same, window)
      // Asked for an earlier window of the key: it is asked again.
      return same.window === window ? answer : answer.then(() => true)
    },
    async stop() {
      await presence.stop()
      await sending
      await presence.forget()
    },
  }
}

/** Waits this time (ms) for a response, then takes what `giveUp` returns. */
function withPatience<Result>(answer: Promise<Result>, patience: number, giveUp: () => Result): Promise<Result> {
  return new Promise((resolve) => {
    let isOver = false
    // After the events that wait: if this process was busy, the response may be among them.
    const timer = setTimeout(() => setImmediate(() => isOver || resolve(giveUp())), patience)
    void answer.then((result) => {
      isOver = true
      clearTimeout(timer)
      resolve(result)
    })
  })
}

/** About a twentieth of the limit for all processes together, at least one each while that is at most an eighth. */
function countFree(most: number, processes: number): number {
  return 8 * processes <= most ? Math.max(1, Math.floor(most / (20 * Math.max(4, processes)))) : 0
}

/** Not the key itself: it has an address or the id of a user in it. */
export function nameRow(key: string, { most, length }: Limit): string {
  return createHash('sha256').update(`${most} ${length} ${key}`).digest('base64url')
}

function describeLease(key: string, window: Window, amount: number, now: number): Lease {
  const { limit, began, count, allowance, covered, free, joined } = window
  return {
    ...{ key, ...limit, free, joined },
    age: Math.max(0, now - began),
    // All of it, used or not: other requests are counted until the response comes.
    used: Math.max(allowance, count) - covered,
    wanted: Math.max(1, count + amount - allowance),
  }
}

function applyGrant(
  window: Window,
  { used, joined }: Lease,
  { granted, pool, began, left }: Grant,
  sent: number,
): void {
  const isNext = joined !== undefined && joined !== began
  if (isNext) Object.assign(window, { count: 0, covered: 0 })
  window.covered += used + granted
  window.allowance = window.covered
  window.pool = pool
  window.joined = began
  // From the time of the question: a response that comes late, or to a process that was frozen, is not valid longer.
  window.ends = sent + left
}
