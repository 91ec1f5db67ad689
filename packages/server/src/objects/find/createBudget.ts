import { CountersignError } from '@countersign/protocol'
import type { Access } from '../../roles/accessOf.ts'

/**
 * Letters of JSON. Nobody else is served while they are read and written, half a second for a client's largest
 * response; one object with a field of the largest size fits.
 */
export function largestAnswer({ isMaster }: Access): number {
  return (isMaster ? 64 : 20) * 1024 * 1024
}

const mostCopies = 50_000

export type Budget = { spend(target: object, measure: () => number): void }

/**
 * Limits the data that includes add to a response. A list that names one document often, or a document that names
 * itself, multiplies at every level.
 */
export function createBudget(access: Access): Budget {
  const most = largestAnswer(access)
  const sizes = new Map<object, number>()
  let copies = 0
  let letters = 0
  return {
    spend(target, measure) {
      const size = sizes.get(target)
      // Measured when it comes again: what was fetched once was within bounds.
      sizes.set(target, size === undefined ? 0 : size || measure())
      letters += sizes.get(target) ?? 0
      if (++copies > mostCopies || letters > most) throw tooLarge()
    },
  }
}

export function tooLarge(): CountersignError {
  return new CountersignError(
    'ObjectTooLarge',
    'The response would be too large. Request fewer objects with limit, or fewer fields with keys and include.',
  )
}
