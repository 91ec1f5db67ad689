import { cancelled } from './cancelled.ts'

/** Waits for a call that cannot be cancelled itself, such as a wallet's, no longer than until the signal is aborted. */
export function untilAborted<Result>(call: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(cancelled(signal))
    if (signal.aborted) return giveUp()
    signal.addEventListener('abort', giveUp, { once: true })
    Promise.resolve(call())
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', giveUp))
  })
}
