import { isTransient } from '../errors/errors.ts'
import { hasEvents } from '../platform/platform.ts'
import type { Reading } from './createReading.ts'

export type FreshOptions = {
  readonly refetchInterval?: number | undefined
  readonly refetchOnFocus?: boolean | undefined
  readonly refetchOnReconnect?: boolean | undefined
  readonly retry?: number | undefined
  readonly staleTime?: number | undefined
}

const longestPause = 30_000

/** Reads again by the clock, when the page is seen again, when the network is back, and after failures. */
export function keepFresh<Data>(reading: Reading<Data>, options: FreshOptions): () => void {
  const { refetchInterval, refetchOnFocus, refetchOnReconnect, retry = 0, staleTime = 0 } = options
  const stops: (() => void)[] = []
  const refetchStale = () => {
    if (reading.age() >= staleTime) void reading.refetch()
  }
  const listen = (target: EventTarget, name: string, listener: () => void) => {
    target.addEventListener(name, listener)
    stops.push(() => target.removeEventListener(name, listener))
  }
  if (refetchInterval) {
    const timer = setInterval(() => void reading.refetch(), refetchInterval)
    stops.push(() => clearInterval(timer))
  }
  const { watchFocus } = reading.question?.client.internal.options ?? {}
  if (refetchOnFocus && watchFocus) stops.push(watchFocus(refetchStale))
  else if (refetchOnFocus && globalThis.document) {
    listen(document, 'visibilitychange', () => {
      if (document.visibilityState === 'visible') refetchStale()
    })
  }
  if (refetchOnReconnect && hasEvents()) listen(window, 'online', refetchStale)
  if (retry > 0) stops.push(retryFailures(reading, retry))
  return () => {
    for (const stop of stops) stop()
  }
}

function retryFailures<Data>({ peek, refetch }: Reading<Data>, retry: number): () => void {
  let tries = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const look = () => {
    const { status, error, isFetching } = peek.get()
    if (status === 'success' && !isFetching) tries = 0
    // Temporary failures are retried anyway, see `noteOutcome`.
    if (!error || isTransient(error) || isFetching || timer || tries >= retry) return
    const pause = Math.min(1000 * 2 ** tries, longestPause)
    tries += 1
    timer = setTimeout(() => {
      timer = undefined
      void refetch()
    }, pause)
  }
  const stop = peek.subscribe(look)
  look()
  return () => {
    stop()
    clearTimeout(timer)
  }
}
