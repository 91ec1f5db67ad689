import type { Clock } from '../clock/Clock.ts'
import { type Leases, nameRow } from './createLeases.ts'
import type { Limit, Window } from './Window.ts'

export type Counted = {
  isAllowed: boolean
  /** Left in this window, as far as this process knows. */
  remaining: number
  /** Seconds until the window ends. */
  reset: number
}

export type Counter = {
  /**
   * Takes from what is left of a key's limit. Decided in memory, except when this process has used up its share: then
   * it asks the database for more, once for all who wait.
   */
  take(key: string, limit: Limit, amount?: number): Counted | Promise<Counted>
  /** Takes nothing. Not allowed only where it is known that nothing is left. */
  look(key: string, limit: Limit): Counted
}

export type Limits = {
  /** A set of keys of its own. With more than `mostKeys` the oldest are forgotten, or strangers would fill the memory. */
  open(name: string, mostKeys: number): Counter
  /** Keys of a set that have nothing left in this process, those that wait longest first. */
  listUsedUp(name: string, most: number): UsedUp[]
  /** Forgets the count of a key in this process. */
  forget(id: string): void
  stop(): Promise<void>
}

/** A key without anything left. `id` is also that of its row in the database. */
export type UsedUp = { id: string; key: string; limit: Limit; until: Date }

const mostTries = 5

type Parts = {
  clock: Clock
  /** Shares of other processes; none where this one is alone on its database. */
  leases?: Leases | undefined
}

/** Counts by key in windows of time that begin with their first request. */
export function createLimits({ clock, leases }: Parts): Limits {
  const sets = new Map<string, Map<string, Window>>()
  return {
    open(name, mostKeys) {
      const windows = new Map<string, Window>()
      sets.set(name, windows)
      return createCounter(name, mostKeys, windows, clock, leases)
    },
    listUsedUp(name, most) {
      const now = clock.ms()
      return [...(sets.get(name) ?? [])]
        .filter(([, window]) => isUsedUp(window, now))
        .sort(([, one], [, other]) => other.ends - one.ends)
        .slice(0, most)
        .map(([key, { limit, ends }]) => ({ id: idOf(name, key, limit), key, limit, until: new Date(ends) }))
    },
    forget(id) {
      const now = clock.ms()
      for (const [name, windows] of sets)
        for (const [key, window] of windows)
          if (isUsedUp(window, now) && idOf(name, key, window.limit) === id) windows.delete(key)
    },
    stop: async () => leases?.stop(),
  }
}

const idOf = (name: string, key: string, limit: Limit) => nameRow(`${name}\n${key}`, limit)

const isUsedUp = (window: Window, now: number) => window.ends > now && window.pool === 0 && !fits(window, 1)

function createCounter(
  name: string,
  mostKeys: number,
  windows: Map<string, Window>,
  clock: Clock,
  leases: Leases | undefined,
): Counter {
  function open(key: string, limit: Limit): Window {
    const now = clock.ms()
    const known = windows.get(key)
    if (known && isCurrent(known, limit, now)) return known
    if (!known && windows.size >= mostKeys) makeRoom(now)
    const isShared = leases !== undefined && isCountable(limit)
    const free = isShared ? leases.freeOf(limit) : limit.most
    // The shared window may last a moment longer than ours did: a busy key asks before it counts.
    const isBusy = known?.joined !== undefined && known.ends > now - limit.length
    const window: Window = {
      ...{ limit, began: now, ends: now + limit.length, count: 0, allowance: isBusy ? 0 : free },
      ...{ pool: isShared ? undefined : 0, covered: 0, free, joined: undefined },
    }
    // To the end of the order, where the newest are.
    windows.delete(key)
    windows.set(key, window)
    return window
  }

  function makeRoom(now: number): void {
    for (const [old, { ends }] of windows) if (ends <= now) windows.delete(old)
    if (windows.size < mostKeys) return
    let left = mostKeys / 10
    for (const old of windows.keys()) {
      if (left-- <= 0) return
      windows.delete(old)
    }
  }

  function take(key: string, limit: Limit, amount = 1): Counted | Promise<Counted> {
    const window = open(key, limit)
    if (fits(window, amount)) return count(window, amount)
    if (!leases || window.pool === 0) return describe(window, false)
    return takeMore(leases, key, limit, amount)
  }

  async function takeMore(shared: Leases, key: string, limit: Limit, amount: number): Promise<Counted> {
    for (let tries = 1; ; tries++) {
      const window = open(key, limit)
      if (fits(window, amount)) return count(window, amount)
      if (window.pool === 0) return describe(window, false)
      const hasMore = await shared.ask(`${name}\n${key}`, window, amount)
      // Others who waited may have used it up.
      if (hasMore && tries < mostTries) continue
      return fits(window, amount) ? count(window, amount) : describe(window, false)
    }
  }

  function count(window: Window, amount: number): Counted {
    window.count += amount
    return describe(window, true)
  }

  function describe({ limit, count, allowance, pool, ends }: Window, isAllowed: boolean): Counted {
    const left = allowance - count + (pool ?? limit.most - allowance)
    return { isAllowed, remaining: Math.max(0, left), reset: Math.max(1, Math.ceil((ends - clock.ms()) / 1000)) }
  }

  return {
    take,
    look(key, limit) {
      const window = open(key, limit)
      return describe(window, window.pool !== 0 || fits(window, 1))
    },
  }
}

/** A window that ends later than it could was begun before the clock was set back. Operators may change limits. */
const isCurrent = ({ limit, ends }: Window, { most, length }: Limit, now: number) =>
  ends > now && ends - now <= length && limit.most === most && limit.length === length

/** Application code may limit to anything, and a window must be longer than a question to the database takes. */
const isCountable = ({ most, length }: Limit) =>
  Number.isSafeInteger(most) && Number.isSafeInteger(length) && most >= 0 && length >= 1_000

const fits = ({ count, allowance }: Window, amount: number) => count + amount <= allowance
