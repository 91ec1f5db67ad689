import { CountersignError, refuse } from '@countersign/protocol'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import type { Endpoint } from '../../endpoint/Endpoint.ts'
import { notHere } from '../../endpoint/notHere.ts'
import { operatorRoleOf } from '../../users/operators.ts'
import { requireSession } from '../../users/sessions/sessions.ts'
import { Unauthorized } from './answerError.ts'
import type { Match } from './createRouter.ts'

/** Whether the caller's keys open the endpoint at all. What a read-only key may not do is not a list that could lack one. */
export function checkRights(
  context: Context,
  { endpoint, params }: Match,
  caller: Caller,
  method: string,
  path: string,
): void {
  if (endpoint.access === 'operator') {
    const role = operatorRoleOf(caller)
    // As if it was not there: nobody learns from the answer who is an operator.
    if (!role) throw notHere(method, path)
    if (endpoint.operators && !endpoint.operators.includes(role)) throw refuse('operatorForbidden')
  }
  if (caller.operator) checkOperator(context, endpoint, caller, params.className)
  if (endpoint.access === 'user') requireSession(caller)
  if (endpoint.access === 'master' && !caller.isMaster) throw new Unauthorized('unauthorized: master key is required')
  if (caller.isReadOnly && (endpoint.method !== 'GET' || endpoint.writes) && endpoint.name !== 'batch') {
    throw new CountersignError(
      'OperationForbidden',
      `read-only masterKey isn't allowed to perform the ${endpoint.name} operation.`,
    )
  }
}

/** What operators do all day, and what takes nothing away: objects of the application are made and changed. */
const mild = new Set(['createObject', 'updateObject'])

/** Reads that show what opens accounts. */
const secretReads = new Set(['listOutbox', 'exportConsoleUser'])

/**
 * Whether an operator may do this now. Every write but the mild ones needs a proof that was given a short time ago: a
 * console that was left open must not delete, impersonate or give rights away. What is mild is a list, not what is not.
 */
function checkOperator({ config, clock }: Context, endpoint: Endpoint, caller: Caller, className = ''): void {
  const isWrite = (endpoint.method !== 'GET' || endpoint.writes) && endpoint.name !== 'batch'
  if (isWrite && caller.operator === 'viewer') throw refuse('operatorForbidden')
  // A session for a user without mark and limit: operators impersonate instead.
  if (endpoint.name === 'logInAs') throw refuse('operatorForbidden')
  const isMild = mild.has(endpoint.name) && !className.startsWith('_')
  if (!secretReads.has(endpoint.name) && (!isWrite || isMild)) return
  const confirmedAt = caller.session?.confirmedAt ?? 0
  if (clock.ms() - confirmedAt > config.confirmationLength * 1000) throw refuse('reauthenticationRequired')
}
