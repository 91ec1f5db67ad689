import { type ClassOperation, CountersignError } from '@countersign/protocol'
import type { ClassSchema } from '../classes/ClassSchema.ts'
import type { Access } from '../roles/Access.ts'
import type { Decision } from './Decision.ts'
import { decide } from './decide.ts'

/** What the permissions of a class let the caller do; `undefined` where that is nothing. */
export function findDecision(schema: ClassSchema, access: Access, operation: ClassOperation): Decision | undefined {
  try {
    const decision = decide(schema, access, operation)
    return decision.rows === 'none' ? undefined : decision
  } catch (error) {
    if (error instanceof CountersignError) return undefined
    throw error
  }
}
