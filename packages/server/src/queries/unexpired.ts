import type { ClassSchema } from '../classes/ClassSchema.ts'
import { always, type Condition } from './Condition.ts'

const expiryFields = new Map([
  ['_Session', 'expiresAt'],
  ['_Idempotency', 'expire'],
])

/** A session that is over is gone, also while its row waits for the sweep; a request id likewise. */
export function unexpired(schema: ClassSchema, now: Date): Condition {
  const field = expiryFields.get(schema.className)
  if (field === undefined) return always
  const place = { field, type: 'Date', path: [] } as const
  return { kind: 'compares', place, operator: '>', value: { __type: 'Date', iso: now.toISOString() } }
}
