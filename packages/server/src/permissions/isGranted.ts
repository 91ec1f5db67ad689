import type { ClassOperation } from '@countersign/protocol'
import type { ClassSchema } from '../classes/ClassSchema.ts'
import type { Access } from '../roles/Access.ts'

/**
 * Whether the permissions of a class name the caller: for what is the operator's unless the operator says otherwise.
 * `*` names nobody here, since a class without permissions shows it, and a tool that writes back what it read must not
 * open anything.
 */
export function isGranted({ permissions }: ClassSchema, access: Access, operation: ClassOperation): boolean {
  const rights: { [entity: string]: true | string[] } = permissions?.[operation] ?? {}
  if (access.isMaster) return true
  if (rights.requiresAuthentication === true && access.userId !== undefined) return true
  return access.entities.some((entity) => entity !== '*' && rights[entity] === true)
}
