import { CountersignError } from '@countersign/protocol'
import type { StoredAcl } from '../classes/acl.ts'
import type { Change } from '../classes/Change.ts'
import type { Access } from './Access.ts'

/** Access lists name roles as `role:<name>`: what could be mistaken for anything else is refused. */
const roleName = /^[0-9a-zA-Z_\- ]+$/

/** A role must say its name and who may change it: one that anyone could join would give its rights to anyone. */
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
    throw new CountersignError('FieldMayNotChange', 'The name of a role cannot be changed. Make another role instead.')
  }
  checkName(name.kind === 'set' && name.path.length === 0 ? name.value : null)
}

function checkName(name: unknown): void {
  if (typeof name === 'string' && roleName.test(name) && name.length <= 200) return
  throw new CountersignError(
    'InvalidRoleName',
    'The name of a role may hold letters, digits, spaces, - and _ only, and at least one of them.',
  )
}
