import type { WireFields } from '@countersign/protocol'

export type UserFields = WireFields & { objectId: string }

const secret = new Set(['sessionToken', 'password', '__type', 'className'])

/** The user's fields out of an answer, without anything that must not be shown or kept; none if it holds no user. */
export function readRecord(answer: unknown): UserFields | undefined {
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return undefined
  const fields: WireFields = Object.fromEntries(Object.entries(answer).filter(([name]) => !secret.has(name)))
  if (!Object.hasOwn(fields, 'objectId') || typeof fields.objectId !== 'string') return undefined
  return fields as UserFields
}
