import type { ClassSchema } from '../classes/ClassSchema.ts'
import { type Bindings, quote } from '../db/createBindings.ts'
import type { Access } from '../roles/Access.ts'
import type { Decision } from './Decision.ts'

/**
 * The rows that the caller may read or write, as a condition for `where`: the access list of each, and the pointers
 * that the class asks for. `undefined` where every row will do. `mayAccess` says the same of an object in memory.
 */
export function writeRowFilter(
  bindings: Bindings,
  schema: ClassSchema,
  access: Access,
  decision: Decision,
  right: 'read' | 'write',
  alias: string,
): string | undefined {
  if (access.isMaster) return undefined
  if (decision.rows === 'none') return 'false'
  const column = (name: string) => `${alias}.${quote(name)}`
  // Sessions have no access list: each is its user's own.
  if (schema.className === '_Session') {
    return access.userId === undefined ? 'false' : `${column('user')} = ${bindings.bind(access.userId)}`
  }
  const fields = decision.rows === 'pointing' ? decision.fields.filter((name) => canPoint(schema, name)) : []
  // Told before anything is bound: a value that no condition uses would be refused.
  if (decision.rows === 'pointing' && fields.length === 0) return 'false'
  const list = column(right === 'read' ? '_rperm' : '_wperm')
  const conditions = [`${list} is null`]
  // By itself, since the database knows how many objects are for all: among the bound names it would take them for few,
  // and gather them all from the index before it looks at what was asked for.
  if (access.entities.includes('*')) conditions.push(`${list} @> '{*}'::text[]`)
  const names = access.entities.filter((entity) => entity !== '*')
  if (names.length > 0) conditions.push(`${list} && ${bindings.bind(names)}::text[]`)
  // Whatever the list says, the own account stays in reach.
  if (schema.className === '_User' && access.userId !== undefined) {
    conditions.push(`${column('objectId')} = ${bindings.bind(access.userId)}`)
  }
  const listed = `(${conditions.join(' or ')})`
  if (decision.rows === 'all') return listed
  const pointing = fields.map((name) =>
    schema.fields.get(name)?.type === 'Array'
      ? `${column(name)} @> ${bindings.bind(pointerIn(decision.userId))}::jsonb`
      : `${column(name)} = ${bindings.bind(decision.userId)}`,
  )
  return `${listed} and (${pointing.join(' or ')})`
}

function canPoint(schema: ClassSchema, name: string): boolean {
  const field = schema.fields.get(name)
  return field?.type === 'Array' || (field?.type === 'Pointer' && field.targetClass === '_User')
}

function pointerIn(userId: string): string {
  return JSON.stringify([{ __type: 'Pointer', className: '_User', objectId: userId }])
}
