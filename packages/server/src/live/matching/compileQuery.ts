import { CountersignError, type WireFields, type WireValue } from '@countersign/protocol'
import type { ClassSchema } from '../../classes/ClassSchema.ts'
import type { Config } from '../../config/Config.ts'
import type { Context } from '../../context/Context.ts'
import { decide } from '../../permissions/decide.ts'
import { hiddenFields } from '../../permissions/hiddenFields.ts'
import { type Condition, isMatchable } from '../../queries/Condition.ts'
import { readName } from '../../queries/Place.ts'
import { checkAskable } from '../../queries/QueryParser.ts'
import { readWhere } from '../../queries/readWhere.ts'
import type { Identity, Rights, SubscriptionQuery } from '../Live.ts'

type Asked = Pick<SubscriptionQuery, 'className' | 'where' | 'watch' | 'operation' | 'askedAt'>

/** Operators that depend on other documents than the changed one. */
const elsewhere = new Set(['$inQuery', '$notInQuery', '$select', '$dontSelect', '$relatedTo', '$text'])

/** Compiles a query with the current rights of its caller. Throws if it is forbidden or unsupported. */
export function compileQuery(
  { classes, config }: Context,
  schema: ClassSchema,
  identity: Identity,
  { where, watch = [], operation, askedAt }: Asked,
): { condition: Condition; rights: Rights } {
  const rights = rightsOf(config, schema, identity, operation)
  const asking = { classes, config, access: identity.access, now: askedAt }
  // Before it is read: a query about a class that is not there yet would be settled for good.
  const operator = findElsewhere(where)
  if (operator !== undefined) refuse(operator)
  const condition = readWhere(asking, schema, where)
  if (!isMatchable(condition)) refuse('A condition on a relation or a token')
  // P6: that an update was sent would reveal that the hidden field changed.
  for (const name of watch) checkAskable(asking, schema, readName(name)[0])
  return { condition, rights }
}

function refuse(what: string): never {
  throw new CountersignError(
    'InvalidQuery',
    `${what} cannot be used in a live query, because it depends on other objects. Subscribe without it, and run the query again when an event arrives.`,
  )
}

function findElsewhere(value: WireValue | WireFields | undefined): string | undefined {
  if (value === null || typeof value !== 'object') return undefined
  for (const [key, inner] of Object.entries(value)) {
    if (elsewhere.has(key)) return key
    const found = findElsewhere(inner as WireValue)
    if (found !== undefined) return found
  }
  return undefined
}

/** Current rights of a caller on a class. Throws if there are none. */
function rightsOf(config: Config, schema: ClassSchema, identity: Identity, operation: 'find' | 'get'): Rights {
  const { access, rights } = identity
  const key = `${operation} ${schema.className}`
  const known = rights.get(key)
  if (known && known.schema === schema && known.access === access) return known
  const decision = decide(schema, access, operation)
  const hidden = hiddenFields(config, schema, access)
  // Users see all of themselves, and rules about fields that name somebody differ from object to object.
  const isSame = hidden.whereNamed.length === 0 && (schema.className !== '_User' || access.userId === undefined)
  const names = [...(hidden.always ?? [])].sort().join()
  const isOpen = !hidden.always && hidden.whereNamed.length === 0
  const made: Rights = { schema, access, decision, hidden, hiddenKey: isOpen ? '' : isSame ? names : undefined }
  rights.set(key, made)
  return made
}
