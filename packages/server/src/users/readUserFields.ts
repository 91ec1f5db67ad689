import { CountersignError, type WireChanges, type WireValue } from '@countersign/protocol'
import { readAcl } from '../classes/acl.ts'
import type { Change } from '../classes/Change.ts'
import { readChanges } from '../classes/readChanges.ts'
import type { Caller } from '../context/Caller.ts'

/** Fields of a user that a client may write, with the ones that have their own rules separated. */
export type UserFields = {
  username?: WireValue
  password?: WireValue
  email?: WireValue
  emailVerified?: WireValue
  ACL?: WireValue
  changes: Change[]
  /** Fields sent by a client although the server derives them; the response contains their values. */
  derived: string[]
}

/** Addresses come from signatures alone. The older clients write them after each sign-in. */
export const derivedFields = new Set(['accounts', 'ethAddress', 'solAccounts', 'solAddress'])

/** Set by the server alone. The older clients send some of them back as they got them. */
const ignored = new Set(['createdAt', 'updatedAt', 'sessionToken'])

/** Sorts the input; for fixed fields an operation is replaced by its value. */
export function readUserFields(caller: Caller, input: WireChanges): UserFields {
  const fields: UserFields = { changes: [], derived: [] }
  const free: WireChanges = {}
  for (const [key, value] of Object.entries(input)) {
    if (ignored.has(key)) continue
    const field = key.split('.')[0] ?? key
    if (derivedFields.has(field)) fields.derived.push(field)
    else if (field === 'authData') checkAuthData(key, value)
    else if (key === 'ACL') {
      const list = readAcl(value as WireValue)
      if (list !== undefined) fields.ACL = list
    } else if (key === 'username' || key === 'password' || key === 'email' || key === 'emailVerified') {
      fields[key] = isDelete(value) ? null : (value as WireValue)
    } else free[key] = value
  }
  if (fields.emailVerified !== undefined && !caller.isMaster) {
    throw new CountersignError('OperationForbidden', "Clients aren't allowed to manually update email verification.")
  }
  if (fields.emailVerified !== undefined && typeof fields.emailVerified !== 'boolean') {
    throw new CountersignError('IncorrectType', 'schema mismatch for _User.emailVerified; expected Boolean')
  }
  fields.changes = readChanges(free)
  return fields
}

function isDelete(value: WireChanges[string]): boolean {
  return value !== null && typeof value === 'object' && !Array.isArray(value) && Reflect.get(value, '__op') === 'Delete'
}

/** Sign-in methods are proven elsewhere and never fields. The older clients send empty ones back with other changes; that is harmless. */
function checkAuthData(key: string, value: WireChanges[string]): void {
  const empty = typeof value === 'object' && Object.values(value ?? {}).every((provider) => provider === null)
  if (key === 'authData' && (isDelete(value) || empty)) return
  throw new CountersignError('UnsupportedService', 'This authentication method is unsupported.')
}
