import { CountersignError } from '@countersign/protocol'
import type { Caller } from '../context/Caller.ts'
import type { Endpoint } from './Endpoint.ts'
import { Unauthorized } from './Unauthorized.ts'

/** Whether the caller's keys open the endpoint at all. What a read-only key may not do is not a list that could lack one. */
export function checkRights(endpoint: Endpoint, caller: Caller): void {
  if (endpoint.access === 'master' && !caller.isMaster) throw new Unauthorized('unauthorized: master key is required')
  if (caller.isReadOnly && (endpoint.method !== 'GET' || endpoint.writes) && endpoint.name !== 'batch') {
    throw new CountersignError(
      'OperationForbidden',
      `read-only masterKey isn't allowed to perform the ${endpoint.name} operation.`,
    )
  }
}
