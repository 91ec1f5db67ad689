import { CountersignError, type WireFields } from '@countersign/protocol'
import type { Context } from '../context/Context.ts'

/** Id of a new document that the client made, so that a repeated create is the same create. */
export type ClientId = { readonly className: string; readonly objectId: string; readonly expires: Date }

/** ULID: milliseconds in ten characters, then 80 random bits. */
const ulid = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/

const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** Tolerated error (ms) of a device's clock. */
const mostAhead = 86_400_000

/**
 * The id in the input of a create, if clients make ids in this class. Its time limits for how long it can be used: the
 * first create is remembered until then, so nobody can take the id of a deleted document, to which others still point.
 */
export function findClientId(
  { config, clock }: Context,
  className: string | undefined,
  { objectId }: WireFields,
): ClientId | undefined {
  const { classes, requestAge } = config.offline
  if (objectId === undefined || className === undefined || classes.length === 0) return undefined
  if (className.startsWith('_') || !classes.includes(className)) return undefined
  if (typeof objectId !== 'string' || !ulid.test(objectId)) return undefined
  const time = [...objectId.slice(0, 10)].reduce((sum, digit) => sum * 32 + digits.indexOf(digit), 0)
  const now = clock.now().getTime()
  const expires = time + requestAge * 1_000
  if (time > now + mostAhead || expires <= now) return undefined
  return { className, objectId, expires: new Date(expires) }
}

export function duplicateId(cause?: unknown): CountersignError {
  return new CountersignError('DuplicateValue', 'A duplicate value for a field with unique values was provided', {
    cause,
  })
}
