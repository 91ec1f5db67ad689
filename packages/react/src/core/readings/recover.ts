import type { CountersignError } from '@countersign/protocol'
import type { Client } from '../client/Client.ts'
import { isTransient } from '../errors/errors.ts'
import { hasEvents, isOffline } from '../platform/platform.ts'
import type { Recoverable, Recovery } from '../state/Recovery.ts'

const longestPause = 30_000

/** Longest delay (ms) of a browser timer: a longer one fires immediately. */
const longestTimer = 2 ** 31 - 1

/**
 * Retry rule of every reading. Temporary failures are retried: after the server's Retry-After, otherwise with back-off.
 * Other failures are final and are not retried.
 */
export function noteOutcome(client: Client, reading: Recoverable, error?: CountersignError, isWanted = true): void {
  const { internal } = client
  if (!error) {
    reading.failures = 0
    internal.recovery?.remove(reading)
    internal.recovery?.succeed()
  } else if (isWanted && isTransient(error)) {
    reading.notBefore = Date.now() + 1000 * (error.rateLimit?.retryAfter ?? 0)
    reading.due = Math.max(reading.notBefore, Date.now() + pauseAfter(reading.failures++))
    internal.recovery ??= createRecovery(client)
    internal.recovery.add(reading)
  }
}

/** Back-off (ms) with jitter: open pages must not return to a restarted server at the same moment. */
function pauseAfter(failures: number): number {
  return Math.round(Math.min(1000 * 2 ** failures, longestPause) * (0.75 + Math.random() / 4))
}

/**
 * Retries visible readings that failed: one at a time with back-off, so that a failing server is not flooded, and all
 * after the first success. Focus, network and a live connection retry all immediately. Retry-After is always kept.
 */
function createRecovery({ internal }: Client): Recovery {
  const failing = new Set<Recoverable>()
  const stops: (() => void)[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  let tries = 0
  let nextTry = 0

  function plan(): void {
    clearTimeout(timer)
    const due = Math.min(...Array.from(failing, (reading) => reading.due))
    if (failing.size) timer = setTimeout(tryOne, Math.min(Math.max(nextTry, due) - Date.now(), longestTimer))
    else for (const stop of stops.splice(0)) stop()
  }

  /** Retries due readings, up to a maximum. */
  function retry(time: 'due' | 'notBefore', most?: number): void {
    const ready = [...failing].filter((reading) => reading[time] <= Date.now()).slice(0, most)
    for (const reading of ready) failing.delete(reading)
    plan()
    for (const reading of ready) reading.retry()
  }

  function tryOne(): void {
    // The `online` event retries all.
    if (isOffline()) return
    nextTry = Date.now() + pauseAfter(++tries)
    retry('due', 1)
  }

  /** Conditions may have changed: back-off is skipped, Retry-After is not. */
  const retryAll = () => retry('notBefore')

  function watch(): void {
    const { liveState, options } = internal
    const listening = new AbortController()
    const { signal } = listening
    stops.push(() => listening.abort())
    if (options.watchFocus) stops.push(options.watchFocus(retryAll))
    else if (globalThis.document) {
      const look = () => document.visibilityState === 'visible' && retryAll()
      document.addEventListener('visibilitychange', look, { signal })
    }
    if (hasEvents()) window.addEventListener('online', retryAll, { signal })
    stops.push(liveState.subscribe(() => liveState.get().status === 'open' && retryAll()))
  }

  return {
    add(reading) {
      failing.add(reading)
      if (stops.length === 0) watch()
      plan()
    },
    remove(reading) {
      if (failing.delete(reading)) plan()
    },
    succeed() {
      tries = nextTry = 0
      retry('due')
    },
  }
}
