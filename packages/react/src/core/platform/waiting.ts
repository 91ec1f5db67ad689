import { cancelled } from '../errors/errors.ts'

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

/** Waits, or ends early when the signal is aborted. */
export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', finish)
      resolve()
    }
    const timer = setTimeout(finish, milliseconds)
    signal?.addEventListener('abort', finish, { once: true })
    if (signal?.aborted) finish()
  })
}
