import type { ObjectRecord } from '@countersign/protocol'
import type { Client } from '../../client/Client.ts'
import { requireUser } from '../../client/guards.ts'
import type { ActionOptions } from '../../client/runAction.ts'
import { request } from '../../session/request.ts'
import type { Role } from '../inputs.ts'

/** More levels than anyone makes; roles that hold each other end the search by being known. */
const depth = 20

/** Roles of the user, then roles that contain one of these, and so on. */
export async function listRoles(client: Client, { signal }: ActionOptions = {}): Promise<readonly Role[]> {
  const { objectId } = requireUser(client, 'listing roles').record
  const find = async (where: object) => {
    const input = { className: '_Role', where: where as never, keys: 'name', limit: 1000 }
    return (await request(client, 'findObjects', input, signal ? { signal } : {})).results
  }
  const known = new Map<string, Role>()
  const add = (found: readonly ObjectRecord[], isInherited: boolean) => {
    const added = found.filter((role) => !known.has(role.objectId))
    for (const role of added)
      known.set(role.objectId, { objectId: role.objectId, name: String(role.name), isInherited })
    return added.map((role) => ({ __type: 'Pointer', className: '_Role', objectId: role.objectId }))
  }
  let last = add(await find({ users: { __type: 'Pointer', className: '_User', objectId } }), false)
  for (let level = 0; level < depth && last.length > 0; level++) last = add(await find({ roles: { $in: last } }), true)
  return Object.freeze([...known.values()])
}
