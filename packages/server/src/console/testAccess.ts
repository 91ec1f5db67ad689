import { type AccessRecord, type AccessStep, CountersignError, type EndpointTypes, refuse } from '@countersign/protocol'
import { type ClassSchema, tableOf } from '../classes/ClassSchema.ts'
import { type BaseRow, columnNames, decodeRow } from '../classes/decodeRow.ts'
import type { Context } from '../context/Context.ts'
import { sql } from '../db/sql.ts'
import { defineEndpoint } from '../endpoint/defineEndpoint.ts'
import { findDecision, refuseInternal } from '../permissions/decide.ts'
import { hiddenFields } from '../permissions/hiddenFields.ts'
import { mayAccess, namesUser } from '../permissions/mayAccess.ts'
import type { Access } from '../roles/accessOf.ts'
import { findUser, findUserByName } from '../users/UserRow.ts'

type Input = EndpointTypes['testAccess']['input']

type Role = AccessRecord['roles'][number]

type Stored = ReturnType<typeof decodeRow>

const writing = new Set<Input['operation']>(['create', 'update', 'delete', 'addField'])

/** Maximum list entries in a response. */
const mostEntries = 50

/**
 * Checks a user's access, and names the rule, role or entry that decides. The verdict comes from the functions that
 * check requests; the steps only name their inputs.
 */
async function testAccess(context: Context, input: Input): Promise<AccessRecord> {
  const { className, operation } = input
  const schema = context.classes.find(className)
  if (!schema && isInternal(className, operation))
    return { isAllowed: false, roles: [], steps: [internalStep(className)] }
  if (!schema) throw new CountersignError('InvalidClassName', `Class ${className.slice(0, 200)} does not exist.`)
  const userId = input.user === undefined ? undefined : await getUserId(context, input.user)
  const roles = userId === undefined ? [] : await findRolePaths(context, userId)
  const access: Access = {
    isMaster: false,
    ...(userId !== undefined && { userId }),
    entities: ['*', ...(userId === undefined ? [] : [userId]), ...roles.map(({ name }) => `role:${name}`)],
  }
  const byClass = explainClass(schema, access, input, roles)
  const isOfObject = input.objectId !== undefined && operation !== 'create'
  const object = isOfObject ? await findObject(context, schema, input.objectId as string) : undefined
  const byObject = object ? explainObject(schema, access, input, object, roles) : []
  const hidden = explainHidden(context, schema, access, operation)
  const steps = [...byClass, ...byObject]
  const isAllowed = steps.every(({ outcome }) => outcome !== 'refuses') && (!isOfObject || object !== undefined)
  return {
    isAllowed,
    ...(isOfObject && { isFound: object !== undefined }),
    roles,
    steps: isAllowed ? [...steps, ...hidden] : steps,
  }
}

async function getUserId(context: Context, given: string): Promise<string> {
  const user = (await findUser(context, given)) ?? (await findUserByName(context, given))
  if (!user) throw refuse('objectNotFound')
  return user.objectId
}

/** The roles that a user holds, each with the way to it: from the role that lists the user to the one that is held. */
export async function findRolePaths({ db }: Context, userId: string): Promise<Role[]> {
  const rows = await db.query<{ name: string; path: string[] }>(sql`
    with recursive held as (
      select j."owningId" as id, array[j."owningId"] as ids
      from public."_Join:users:_Role" j
      where j."relatedId" = ${userId}
      union all
      select j."owningId", held.ids || j."owningId"
      from held
      join public."_Join:roles:_Role" j on j."relatedId" = held.id
      where j."owningId" <> all(held.ids) and cardinality(held.ids) < 20
    ), shortest as (
      select distinct on (id) id, ids from held order by id, cardinality(ids)
    )
    select r.name, array(select step.name from unnest(shortest.ids) with ordinality as way (id, place)
      join public."_Role" step on step."objectId" = way.id order by place) as path
    from shortest
    join public."_Role" r on r."objectId" = shortest.id
    order by r.name
    limit 500`)
  return rows
}

const internalStep = (className: string): AccessStep => ({
  rule: 'internalClass',
  outcome: 'refuses',
  entry: className,
})

/** Returns true for classes of the server that only the master key may use. */
function isInternal(className: string, operation: Input['operation']): boolean {
  try {
    refuseInternal({ isMaster: false, entities: ['*'] }, className, operation)
    return false
  } catch {
    return true
  }
}

function explainClass(schema: ClassSchema, access: Access, { operation }: Input, roles: Role[]): AccessStep[] {
  const { className, permissions } = schema
  if (isInternal(className, operation)) return [internalStep(className)]
  const rights: { [entity: string]: true | string[] } = permissions?.[operation] ?? {}
  const holds = permissions ? Object.keys(rights).slice(0, mostEntries) : undefined
  const step = (outcome: AccessStep['outcome'], entry?: string): AccessStep => ({
    rule: 'classPermissions',
    outcome,
    ...describeEntry(entry, roles),
    ...(holds && { holds }),
  })
  if (!permissions) return [step('allows')]
  const entry = access.entities.find((entity) => rights[entity] === true)
  const decision = findDecision(schema, access, operation)
  if (!decision) return [step('refuses')]
  if (decision.rows === 'all') return [step('allows', entry ?? 'requiresAuthentication')]
  const fields = decision.rows === 'pointing' ? [...decision.fields] : []
  return [{ ...step('limits', fields.join(', ')), holds: fields }]
}

function describeEntry(entry: string | undefined, roles: Role[]): Pick<AccessStep, 'entry' | 'path'> {
  if (entry === undefined) return {}
  const path = roles.find(({ name }) => entry === `role:${name}`)?.path
  return { entry, ...(path && { path }) }
}

function explainObject(schema: ClassSchema, access: Access, input: Input, object: Stored, roles: Role[]): AccessStep[] {
  const { operation } = input
  const right = writing.has(operation) ? 'write' : 'read'
  const decision = findDecision(schema, access, operation)
  if (!decision) return []
  const isAllowed = mayAccess(schema, access, decision, right, object)
  if (schema.className === '_Session') return [{ rule: 'ownSession', outcome: isAllowed ? 'allows' : 'refuses' }]
  if (schema.className === '_User') {
    const isOwn = access.userId === object.objectId
    if (isOwn || right === 'write') return [{ rule: 'ownAccount', outcome: isOwn ? 'allows' : 'refuses' }]
  }
  const acl = object.ACL as { [entity: string]: { [right: string]: boolean } } | null | undefined
  const listed = acl ? Object.keys(acl).filter((entity) => acl[entity]?.[right] === true) : undefined
  const entry = listed ? access.entities.find((entity) => listed.includes(entity)) : undefined
  const isListed = !listed || entry !== undefined
  const steps: AccessStep[] = [
    {
      rule: 'accessList',
      outcome: isListed ? 'allows' : 'refuses',
      ...describeEntry(entry, roles),
      ...(listed && { holds: listed.slice(0, mostEntries) }),
    },
  ]
  if (decision.rows !== 'pointing' || !isListed) return steps
  const field = decision.fields.find((name) => namesUser(object[name], access.userId))
  // Asked of the judge, not of the field found here: a field may name the user and be of a type that grants nothing.
  steps.push({
    rule: 'pointer',
    outcome: isAllowed ? 'allows' : 'refuses',
    ...(field && { entry: field }),
    holds: [...decision.fields],
  })
  return steps
}

function explainHidden(
  { config }: Context,
  schema: ClassSchema,
  access: Access,
  operation: Input['operation'],
): AccessStep[] {
  if (operation !== 'find' && operation !== 'get') return []
  const { always, unaskable } = hiddenFields(config, schema, access)
  const names = [...(always ?? unaskable)]
  return names.length === 0 ? [] : [{ rule: 'hiddenFields', outcome: 'limits', holds: names.slice(0, mostEntries) }]
}

async function findObject({ db }: Context, schema: ClassSchema, objectId: string): Promise<Stored | undefined> {
  const columns = columnNames(schema).map((name) => sql.id(name))
  const [row] = await db.query<BaseRow & Record<string, unknown>>(
    sql`select ${sql.join(columns)} from ${tableOf(schema)} where "objectId" = ${objectId}`,
  )
  return row && decodeRow(schema, row)
}

export const testAccessEndpoint = defineEndpoint('testAccess', {
  handle: ({ context, input }) => testAccess(context, input),
})
