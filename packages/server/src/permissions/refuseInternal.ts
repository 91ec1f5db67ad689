import { type ClassOperation, CountersignError } from '@countersign/protocol'
import type { Access } from '../roles/Access.ts'

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

const devices = new Set<ClassOperation>(['find', 'count', 'delete'])

/** Refuses clients what only the master key may do (119), before it is known whether the class is there at all. */
export function refuseInternal(access: Access, className: string, operation: ClassOperation): void {
  if (access.isMaster || !className.startsWith('_')) return
  // A device must not learn of the others, nor end their pushes.
  const isDevice = className === '_Installation' && devices.has(operation)
  if (!isDevice && !internal.has(className) && !className.startsWith('_Join:')) return
  throw new CountersignError(
    'OperationForbidden',
    `Clients aren't allowed to perform the ${operation} operation on the ${isDevice ? 'installation' : className.slice(0, 100)} collection.`,
  )
}
