import { CountersignError, type WireValue } from '@countersign/protocol'
import type { ClassSchema } from '../classes/ClassSchema.ts'
import { hiddenFields } from '../permissions/hiddenFields.ts'
import type { Asking } from './Asking.ts'
import type { Condition } from './Condition.ts'

export type Where = { [key: string]: WireValue }

/** A `where` that is being read, its subqueries included. */
export type Reading = Asking & {
  conditions: number
  /** Patterns so far, and the letters of all of them. */
  patterns: { count: number; length: number }
  subqueries: number
  readonly read: (reading: Reading, schema: ClassSchema, where: Where) => Condition
}

export function countConditions(reading: Reading, more: number): void {
  const { conditionCount } = reading.config.requestComplexity
  reading.conditions += more
  if (reading.conditions > conditionCount) {
    throw new CountersignError('InvalidQuery', `A query may have ${conditionCount} conditions at most.`)
  }
}

/** P5: whether a guess at a hidden value was right must not show in what is found, nor in its order. */
export function checkAskable({ config, access }: Asking, schema: ClassSchema, field: string): void {
  if (access.isMaster || !hiddenFields(config, schema, access).unaskable.has(field)) return
  throw new CountersignError(
    'OperationForbidden',
    `This user is not allowed to query ${field} on class ${schema.className}.`,
  )
}
