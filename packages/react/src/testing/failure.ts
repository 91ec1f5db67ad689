import type { CountersignError } from '@countersign/protocol'

/** Returns the error of a promise that must fail. */
export function failure<Kind extends Error = CountersignError>(promise: Promise<unknown>): Promise<Kind> {
  return promise.then(
    () => {
      throw new Error('it should have failed')
    },
    (error: Kind) => error,
  )
}
