import type { CountersignError } from '@countersign/protocol'

/** What something fails with that has to fail. */
export function failure<Kind extends Error = CountersignError>(promise: Promise<unknown>): Promise<Kind> {
  return promise.then(
    () => {
      throw new Error('it should have failed')
    },
    (error: Kind) => error,
  )
}
