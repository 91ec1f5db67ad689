import { CountersignError, type WireValue } from '@countersign/protocol'
import type { ClassSchema } from '../classes/ClassSchema.ts'
import type { Classes } from '../classes/createClasses.ts'
import type { Config } from '../config/Config.ts'
import { hiddenFields } from '../permissions/hiddenFields.ts'
import type { Access } from '../roles/accessOf.ts'
import type { Condition } from './Condition.ts'

export type Where = { [key: string]: WireValue }

/** A `where` that is being read, its subqueries included. */
export type QueryParser = QueryScope & {
  conditions: number
  /** Number of patterns so far, and their total length. */
  patterns: { count: number; length: number }
  subqueries: number
  readonly read: (parser: QueryParser, schema: ClassSchema, where: Where) => Condition
}

export function countConditions(parser: QueryParser, more: number): void {
  const { conditionCount } = parser.config.requestComplexity
  parser.conditions += more
  if (parser.conditions > conditionCount) {
    throw new CountersignError('InvalidQuery', `A query can have at most ${conditionCount} conditions.`)
  }
}

/** Rejects conditions on hidden fields: neither the result nor its order may confirm a guess. */
export function checkAskable({ config, access }: QueryScope, schema: ClassSchema, field: string): void {
  if (access.isMaster || !hiddenFields(config, schema, access).unaskable.has(field)) return
  throw new CountersignError(
    'OperationForbidden',
    `This user is not allowed to query ${field} on class ${schema.className}.`,
  )
}

/** Caller and limits of a query. */
export type QueryScope = {
  readonly classes: Classes
  readonly config: Config
  readonly access: Access
  readonly now: Date
}
