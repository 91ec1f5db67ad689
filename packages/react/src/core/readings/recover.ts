import type { CountersignError } from '@countersign/protocol'
import type { Client } from '../client/Client.ts'
import { isTransient } from '../errors/errors.ts'
import { hasEvents, isOffline } from '../platform/platform.ts'

const longestPause = 30_000

/** Readings that failed and are on show. */
export type Recovery = {
  readonly add: (retry: () => void, pause: number) => void
  readonly remove: (retry: () => void) => void
  /** Called when the server responds: everything that failed is read again. */
  readonly retryAll: () => void
}

/** Returns true for a temporary failure: a retry may succeed. */
export function isRecoverable(error: CountersignError): boolean {
  const { cause } = error
  return isTransient(error) || (cause instanceof Error && cause.name === 'ProviderError' && !isRefusal(cause))
}

/** A wallet's person said no (4001), or the chain did (3, or data of a revert). */
function isRefusal(cause: Error): boolean {
  const { code, data }: { code?: unknown; data?: unknown } = Object(cause)
  return code === 4001 || code === 3 || data !== undefined
}

/**
 * Reads again what failed, for as long as it is on show: after growing pauses, and at once when the page is seen, the
 * network is back or the live connection is. One reading asks for all of them, so that an outage is not met by a crowd.
 */
export function recoveryOf(client: Client): Recovery {
  client.internal.recovery ??= createRecovery(client)
  return client.internal.recovery
}

function createRecovery({ internal }: Client): Recovery {
  const failing = new Set<() => void>()
  const stops: (() => void)[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  let tries = 0

  function plan(least: number): void {
    timer ??= setTimeout(next, Math.max(least, Math.min(1000 * 2 ** tries++, longestPause)))
  }

  function next(): void {
    timer = undefined
    // The event of the network will come.
    if (isOffline()) return
    const [first] = failing
    if (!first) return
    failing.delete(first)
    first()
    if (failing.size > 0) plan(0)
    else rest()
  }

  function retryAll(): void {
    const waiting = [...failing]
    failing.clear()
    rest()
    for (const retry of waiting) retry()
  }

  function rest(): void {
    clearTimeout(timer)
    timer = undefined
    for (const stop of stops.splice(0)) stop()
  }

  function listen(target: EventTarget, name: string, listener: () => void): void {
    target.addEventListener(name, listener)
    stops.push(() => target.removeEventListener(name, listener))
  }

  function watch(): void {
    const { watchFocus } = internal.options
    if (watchFocus) stops.push(watchFocus(retryAll))
    else if (typeof document !== 'undefined') {
      listen(document, 'visibilitychange', () => document.visibilityState === 'visible' && retryAll())
    }
    if (hasEvents()) listen(window, 'online', retryAll)
    stops.push(internal.liveState.subscribe(() => internal.liveState.get().status === 'open' && retryAll()))
  }

  return {
    add(retry, pause) {
      failing.add(retry)
      if (stops.length === 0) watch()
      plan(pause)
    },
    remove(retry) {
      if (failing.delete(retry) && failing.size === 0) rest()
    },
    retryAll() {
      tries = 0
      if (failing.size > 0) retryAll()
    },
  }
}
