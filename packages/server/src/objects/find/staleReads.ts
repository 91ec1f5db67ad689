import { CountersignError, headers, readFromHeader, type WireValue } from '@countersign/protocol'
import type { ClassSchema } from '../../classes/ClassSchema.ts'
import type { Config } from '../../config/Config.ts'
import type { Context } from '../../context/Context.ts'
import type { Fragment } from '../../db/sql.ts'
import type { Sent } from '../../endpoint/Endpoint.ts'
import { addHeaders, type Responded } from '../../endpoint/respond.ts'
import type { Condition } from '../../queries/Condition.ts'
import type { Access } from '../../roles/accessOf.ts'

/** A caller's permission to read from a replica, and the source of the result. */
export type StaleReads = {
  /** Largest age of the result in milliseconds. */
  readonly maxAge: number
  /** Age of the oldest part that came from a replica. */
  age: number | undefined
}

/**
 * Reads `maxStaleness`, in seconds. The operator's limit comes first: someone who lost access to a document could
 * otherwise choose how long to keep reading it.
 */
function readStaleness(
  { maxStaleness }: Pick<Config, 'maxStaleness'>,
  value: WireValue | undefined,
): StaleReads | undefined {
  if (value === undefined || value === null) return undefined
  const seconds = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  if (typeof seconds !== 'number' || !Number.isFinite(seconds) || seconds < 0) {
    throw new CountersignError('InvalidQuery', 'maxStaleness must be a number of seconds from 0 up.')
  }
  return { maxAge: Math.min(seconds, maxStaleness) * 1_000, age: undefined }
}

/** The wish of a request: its parameter, or its header. */
export function stalenessOf(config: Config, given: WireValue | undefined, sent?: Sent): StaleReads | undefined {
  return readStaleness(config, given ?? (sent?.headers[headers.maxStaleness.toLowerCase()] as string | undefined))
}

type Read = { schema: ClassSchema; access: Access; condition?: Condition }

/** Rows from a replica; `undefined` if the primary has to be asked. */
export async function readStale<Row>(
  { replicas, classes, roleCache }: Context,
  { schema, access, condition }: Read,
  stale: StaleReads | undefined,
  statement: Fragment,
): Promise<Row[] | undefined> {
  if (!stale || !replicas || isOwn(schema) || (condition && asksOwn(condition))) return undefined
  // Rights come from the primary. A replica that lacks their last change may have rows that were deleted before these
  // rights were given.
  const { isMaster, userId, serviceId, entities } = access
  const holder = userId ?? (serviceId && `service ${serviceId}`)
  const rightsSince = isMaster || holder === undefined ? 0 : roleCache.heldSince(holder, entities)
  const since = Math.max(classes.changedAt(), rightsSince)
  const found = await replicas.read<Row>(statement, { maxAge: stale.maxAge, since })
  if (!found) return undefined
  stale.age = Math.max(stale.age ?? 0, found.age)
  return found.rows
}

/**
 * Sessions, users, roles, devices: always read from the primary. So are distributed classes: a standby of the coordinator
 * would read them from the same workers.
 */
function isOwn({ className, source, distributed }: ClassSchema): boolean {
  return className.startsWith('_') || source !== undefined || distributed === true
}

/** Returns true if a condition asks one of those classes. */
function asksOwn(condition: Condition): boolean {
  switch (condition.kind) {
    case 'all':
    case 'any':
      return condition.of.some(asksOwn)
    case 'not':
      return asksOwn(condition.of)
    case 'inQuery':
    case 'select':
      return isOwn(condition.query.schema) || asksOwn(condition.query.condition)
    case 'relation':
      return condition.query !== undefined && (isOwn(condition.query.schema) || asksOwn(condition.query.condition))
    case 'relatedTo':
      return isOwn(condition.owner.schema) || asksOwn(condition.owner.condition)
    default:
      return false
  }
}

/** The result with a header that names its source and age, if a caller asked for it. */
export function nameSource<Output extends object>(
  answer: Output | Responded<Output>,
  stale: StaleReads | undefined,
): Output | Responded<Output> {
  if (!stale) return answer
  const source = stale.age === undefined ? 'primary' : `replica; age=${(Math.ceil(stale.age) / 1_000).toFixed(3)}`
  return addHeaders(answer, { [readFromHeader]: source })
}
