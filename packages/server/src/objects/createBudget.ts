import { CountersignError, type WireFields } from '@countersign/protocol'

/** Letters of JSON. */
export const largestAnswer = 64 * 1024 * 1024
const mostCopies = 50_000

export type Budget = { spend(target: WireFields): void }

/**
 * P13: what including may add to an answer. A list that names one object often, or an object that names itself, makes
 * much of little, and more at every level.
 */
export function createBudget(): Budget {
  const sizes = new Map<WireFields, number>()
  let copies = 0
  let letters = 0
  return {
    spend(target) {
      const size = sizes.get(target)
      // Measured when it comes again: what was fetched once was within bounds.
      sizes.set(target, size === undefined ? 0 : size || JSON.stringify(target).length)
      letters += sizes.get(target) ?? 0
      if (++copies > mostCopies || letters > largestAnswer) throw tooLarge()
    },
  }
}

export function tooLarge(): CountersignError {
  return new CountersignError(
    'ObjectTooLarge',
    'The answer would be too large. Ask for fewer objects by limit, or for less of them by keys and include.',
  )
}
