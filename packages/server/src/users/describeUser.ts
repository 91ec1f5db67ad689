import type { WireFields } from '@countersign/protocol'
import { applyChanges } from '../classes/applyChanges.ts'
import { initialValues } from '../classes/initialValues.ts'
import type { UserFields } from './readUserFields.ts'

/** What a user is after a write, as far as it is known before; a new password among it. */
export function describeUser(original: WireFields | undefined, fields: UserFields): WireFields {
  const { username, password, email, emailVerified, ACL, changes } = fields
  const own = { username, password, email, emailVerified, ACL }
  const set = Object.entries(own).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
  return {
    ...(original ? applyChanges(original, changes) : Object.fromEntries(initialValues(changes))),
    ...Object.fromEntries(set),
  }
}

export function withoutPassword({ password: _secret, ...user }: WireFields): WireFields {
  return user
}
