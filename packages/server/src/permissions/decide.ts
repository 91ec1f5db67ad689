import { type ClassOperation, CountersignError, type WireFields } from '@countersign/protocol'
import type { ClassSchema } from '../classes/ClassSchema.ts'
import { writeOwnRows } from '../classes/olderClasses.ts'
import type { Config } from '../config/Config.ts'
import { type Fragment, sql } from '../db/sql.ts'
import type { Access } from '../roles/accessOf.ts'
import type { Decision } from './Decision.ts'
import { namesUser } from './mayAccess.ts'

const all: Decision = { rows: 'all' }

const none: Decision = { rows: 'none' }

const reading = new Set<ClassOperation>(['find', 'get', 'count'])

/** Permissions of a class for the caller. Throws 119, or 101 if only a sign-in is missing. */
export function decide(schema: ClassSchema, access: Access, operation: ClassOperation): Decision {
  if (access.isMaster) return all
  const { className, permissions } = schema
  refuseInternal(access, className, operation)
  if (!permissions) return all
  const rights: { [entity: string]: true | string[] } = permissions[operation] ?? {}
  // Compared with true: an inherited property, such as `constructor`, is no right.
  if (access.entities.some((entity) => rights[entity] === true)) return all
  if (rights.requiresAuthentication === true) {
    if (access.userId !== undefined) return all
    throw new CountersignError('ObjectNotFound', 'Permission denied, user needs to be authenticated.')
  }
  const fields = pointerFields(permissions, rights, operation)
  if (fields.length === 0) {
    throw new CountersignError('OperationForbidden', `Permission denied for action ${operation} on class ${className}.`)
  }
  return access.userId === undefined ? none : { rows: 'pointing', fields, userId: access.userId }
}

/** Nothing points to anyone in an object that is not there yet, so pointers never grant its making. */
function pointerFields(
  permissions: NonNullable<ClassSchema['permissions']>,
  rights: { [entity: string]: true | string[] },
  operation: ClassOperation,
): string[] {
  if (operation === 'create') return []
  const ofClass = reading.has(operation) ? permissions.readUserFields : permissions.writeUserFields
  const ofOperation = Array.isArray(rights.pointerFields) ? rights.pointerFields : []
  return [...new Set([...(ofClass ?? []), ...ofOperation])]
}

/** Permissions of a class for the caller; `undefined` if there are none. */
export function findDecision(schema: ClassSchema, access: Access, operation: ClassOperation): Decision | undefined {
  try {
    const decision = decide(schema, access, operation)
    return decision.rows === 'none' ? undefined : decision
  } catch (error) {
    if (error instanceof CountersignError) return undefined
    throw error
  }
}

/**
 * Returns true if the permissions name the caller, for operations reserved to the operator by default. `*` does not
 * count: a class without permissions shows it, and a tool that writes back what it read must not open anything.
 */
export function isGranted({ permissions }: ClassSchema, access: Access, operation: ClassOperation): boolean {
  const rights: { [entity: string]: true | string[] } = permissions?.[operation] ?? {}
  if (access.isMaster) return true
  if (rights.requiresAuthentication === true && access.userId !== undefined) return true
  return access.entities.some((entity) => entity !== '*' && rights[entity] === true)
}

/** Classes that hold what the server itself works with. */
const internal = new Set([
  '_JobStatus',
  '_PushStatus',
  '_Hooks',
  '_GlobalConfig',
  '_GraphQLConfig',
  '_JobSchedule',
  '_Audience',
  '_Idempotency',
])

const devices = new Set<ClassOperation>(['find', 'get', 'count', 'delete'])

/** Rejects operations reserved to the master key (119), before the class is looked up. */
export function refuseInternal(access: Access, className: string, operation: ClassOperation): void {
  if (access.isMaster || !className.startsWith('_')) return
  // A device must not learn of the others, nor end their pushes. `getObject` knows whose a device is.
  const isDevice = className === '_Installation' && devices.has(operation)
  if (!isDevice && !internal.has(className) && !className.startsWith('_Join:')) return
  throw new CountersignError(
    'OperationForbidden',
    `Clients aren't allowed to perform the ${operation} operation on the ${isDevice ? 'installation' : className.slice(0, 100)} collection.`,
  )
}

/** The fields of a class that the caller does not get to see. */
export type HiddenFields = {
  /** Of every object. `undefined`: no rule speaks of this caller. */
  always: ReadonlySet<string> | undefined
  /** For objects that name the caller in a field: only fields hidden by all matching rules are hidden. */
  whereNamed: readonly { field: string; hidden: ReadonlySet<string> }[]
  /** Fields forbidden in conditions and orders: the result would reveal hidden values. */
  unaskable: ReadonlySet<string>
}

type Rules = ReadonlyMap<string, ReadonlySet<string>>

const nothing: HiddenFields = { always: undefined, whereNamed: [], unaskable: new Set() }

const byField = 'userField:'

/** A schema is never changed, so what follows from it is worked out once. */
const rulesBySchema = new WeakMap<ClassSchema, { config: Config; rules: Rules }>()

/** Fields hidden from the caller by `protectedFields` of the class and of the configuration. */
export function hiddenFields(config: Config, schema: ClassSchema, access: Access): HiddenFields {
  if (access.isMaster) return nothing
  const rules = rulesOf(config, schema)
  if (rules.size === 0) return nothing
  const applying: ReadonlySet<string>[] = []
  const whereNamed: { field: string; hidden: ReadonlySet<string> }[] = []
  for (const [entity, hidden] of rules) {
    if (entity === 'authenticated' ? access.userId !== undefined : access.entities.includes(entity))
      applying.push(hidden)
    else if (access.userId !== undefined && entity.startsWith(byField))
      whereNamed.push({ field: entity.slice(byField.length), hidden })
  }
  const always = applying.length === 0 ? undefined : applying.reduce(intersection)
  const unaskable = always ?? new Set(whereNamed.flatMap((rule) => [...rule.hidden]))
  return { always, whereNamed, unaskable }
}

/** The object without what the caller may not see. Users see all of themselves. */
export function stripHidden(hidden: HiddenFields, schema: ClassSchema, access: Access, object: WireFields): WireFields {
  if (!hidden.always && hidden.whereNamed.length === 0) return object
  if (schema.className === '_User' && access.userId !== undefined && object.objectId === access.userId) return object
  const applying = hidden.whereNamed
    .filter(({ field }) => Object.hasOwn(object, field) && namesUser(object[field], access.userId))
    .map((rule) => rule.hidden)
  if (hidden.always) applying.push(hidden.always)
  if (applying.length === 0) return object
  // A copy: the same object may be on its way to others who see more of it.
  const open = { ...object }
  for (const name of applying.reduce(intersection)) delete open[name]
  return open
}

/** Never hidden from the writer of the object: without them a response is useless. */
const ofEveryWrite = new Set(['objectId', 'createdAt', 'updatedAt'])

/** Removes hidden values from the response to a write: a default, or what a hook added to a number. */
export function omitHidden<Answer extends WireFields>(answer: Answer, hidden: ReadonlySet<string>): Answer {
  if (hidden.size === 0) return answer
  return Object.fromEntries(
    Object.entries(answer).filter(([name]) => !hidden.has(name) || ofEveryWrite.has(name)),
  ) as Answer
}

function intersection(one: ReadonlySet<string>, other: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...one].filter((name) => other.has(name)))
}

function rulesOf(config: Config, schema: ClassSchema): Rules {
  const before = rulesBySchema.get(schema)
  if (before?.config === config) return before.rules
  const rules = new Map<string, Set<string>>()
  const configured = Object.hasOwn(config.protectedFields, schema.className)
    ? config.protectedFields[schema.className]
    : undefined
  for (const source of [configured, schema.permissions?.protectedFields]) {
    for (const [entity, names] of Object.entries(source ?? {})) {
      rules.set(entity, new Set([...(rules.get(entity) ?? []), ...names]))
    }
  }
  // A rule without names hides nothing from those it speaks of, and so does whatever else applies to them.
  const isEmpty = rules.size === 1 && rules.get('*')?.size === 0
  rulesBySchema.set(schema, { config, rules: isEmpty ? new Map() : rules })
  return isEmpty ? new Map() : rules
}

/**
 * Condition for rows that the caller may read or write: the access list of each, and the class's pointer permissions.
 * `undefined` if every row matches. Must agree with `mayAccess`.
 */
export function writeRowFilter(
  schema: ClassSchema,
  access: Access,
  decision: Decision,
  right: 'read' | 'write',
  alias: Fragment,
): Fragment | undefined {
  if (access.isMaster) return undefined
  if (decision.rows === 'none') return sql`false`
  const column = (name: string) => sql`${alias}.${sql.id(name)}`
  // Sessions have no access list: each is its user's own.
  if (schema.className === '_Session') {
    return access.userId === undefined ? sql`false` : sql`${column('user')} = ${access.userId}`
  }
  if (schema.source) {
    if (schema.source.isPublic) return undefined
    return access.userId === undefined ? sql`false` : writeOwnRows(schema.source, access.userId, alias)
  }
  const fields = decision.rows === 'pointing' ? decision.fields.filter((name) => canPoint(schema, name)) : []
  if (decision.rows === 'pointing' && fields.length === 0) return sql`false`
  const list = column(right === 'read' ? '_rperm' : '_wperm')
  const conditions = [sql`${list} is null`]
  // A separate condition, since the database knows how many objects are public: among the bound names it would assume
  // few, and collect them all from the index before it looks at the query.
  if (access.entities.includes('*')) conditions.push(sql`${list} @> '{*}'::text[]`)
  const names = access.entities.filter((entity) => entity !== '*')
  if (names.length > 0) conditions.push(sql`${list} && ${names}::text[]`)
  // Whatever the list says, the own account stays in reach.
  if (schema.className === '_User' && access.userId !== undefined) {
    conditions.push(sql`${column('objectId')} = ${access.userId}`)
  }
  const listed = sql`(${sql.join(conditions, ' or ')})`
  if (decision.rows === 'all') return listed
  const pointing = fields.map((name) =>
    schema.fields.get(name)?.type === 'Array'
      ? sql`${column(name)} @> ${pointerIn(decision.userId)}::jsonb`
      : sql`${column(name)} = ${decision.userId}`,
  )
  return sql`${listed} and (${sql.join(pointing, ' or ')})`
}

function canPoint(schema: ClassSchema, name: string): boolean {
  const field = schema.fields.get(name)
  return field?.type === 'Array' || (field?.type === 'Pointer' && field.targetClass === '_User')
}

function pointerIn(userId: string): string {
  return JSON.stringify([{ __type: 'Pointer', className: '_User', objectId: userId }])
}
