import { CountersignError, longest } from '@countersign/protocol'
import type { StoredAcl } from '../classes/acl.ts'
import type { Change } from '../classes/Change.ts'
import type { Context } from '../context/Context.ts'
import { sql } from '../db/sql.ts'
import { refuseLong } from '../endpoint/parseRequest.ts'
import type { Access } from './accessOf.ts'

/** Access lists name roles as `role:<name>`: what could be mistaken for anything else is refused. */
const roleName = /^(?! )[0-9a-zA-Z_\- ]+(?<! )$/

/** A role needs a name and an access list: one that anyone could join would give its rights to anyone. */
export function checkNewRole(changes: Change[], acl: StoredAcl | undefined): void {
  const name = changes.find(({ field, path }) => field === 'name' && path.length === 0)
  if (name?.kind !== 'set' && name?.kind !== 'setOnInsert') {
    throw new CountersignError('IncorrectType', 'A role needs a name.')
  }
  checkName(name.value)
  if (!acl) throw new CountersignError('IncorrectType', 'ACL is required.')
}

/** A role keeps its name, since access lists go by it. */
export function checkRoleChange(access: Access, changes: Change[]): void {
  const name = changes.find(({ field }) => field === 'name')
  if (!name) return
  if (!access.isMaster) {
    throw new CountersignError(
      'FieldMayNotChange',
      'The name of a role cannot be changed. Create another role instead.',
    )
  }
  checkName(name.kind === 'set' && name.path.length === 0 ? name.value : null)
}

function checkName(name: unknown): void {
  if (typeof name === 'string') refuseLong('name', name, longest.role)
  if (typeof name === 'string' && roleName.test(name)) return
  throw new CountersignError(
    'InvalidRoleName',
    'A role name can contain letters, digits, -, _ and spaces between them, at most 200 characters.',
  )
}

/**
 * A name that gave rights is not reused: a new role with a deleted one's name would get all its grants. Checked after
 * the insert and in its transaction, because only then is a deletion of that name finished.
 */
export async function refuseNamedRole({ db, classes, config }: Context, objectId: string): Promise<void> {
  const [role] = await db.query<{ name: string; isRetired: boolean }>(
    sql`
      select r."name", exists (select from countersign.retired_roles where name = r."name") as "isRetired"
      from public."_Role" r
      where r."objectId" = ${objectId}`,
  )
  if (!role) return
  if (role.isRetired) {
    throw new CountersignError(
      'OperationForbidden',
      'A role with this name was deleted, and access lists may still contain it. Choose another name; only the master key can use this one again.',
    )
  }
  const named = classes.list().find(({ className, permissions }) => {
    const own = Object.hasOwn(config.protectedFields, className) ? config.protectedFields[className] : undefined
    return [...Object.values(permissions ?? {}), own].some((rights) =>
      Object.hasOwn(Object(rights), `role:${role.name}`),
    )
  })
  if (!named) return
  throw new CountersignError(
    'OperationForbidden',
    `The permissions of ${named.className} contain this role name. Choose another name; only the master key can create this role.`,
  )
}
