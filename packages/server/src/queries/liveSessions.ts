import type { ClassSchema } from '../classes/ClassSchema.ts'
import type { Condition } from './Condition.ts'
import { always } from './conditions.ts'

/** A session that is over is gone, also while its row waits for the sweep. */
export function liveSessions(schema: ClassSchema, now: Date): Condition {
  if (schema.className !== '_Session') return always
  const place = { field: 'expiresAt', type: 'Date', path: [] } as const
  return { kind: 'compares', place, operator: '>', value: { __type: 'Date', iso: now.toISOString() } }
}
