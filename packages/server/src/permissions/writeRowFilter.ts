import type { ClassSchema } from '../classes/ClassSchema.ts'
import { writeOwnRows } from '../classes/olderClasses.ts'
import { type Fragment, sql } from '../db/sql.ts'
import type { Access } from '../roles/accessOf.ts'
import type { Decision } from './Decision.ts'

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
