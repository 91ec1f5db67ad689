import { CountersignError, refuse } from '@countersign/protocol'
import type { HeldToken } from '../../caches/createSessionCache.ts'
import { isNear } from '../../clock/Clock.ts'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import type { Endpoint } from '../../endpoint/Endpoint.ts'
import { notHere } from '../../endpoint/notHere.ts'
import { allowsEndpoint, neededScope } from '../../scopes/Scope.ts'
import { operatorRoleOf } from '../../users/operators.ts'
import { requireSession } from '../../users/sessions/sessions.ts'
import { Unauthorized } from './answerError.ts'
import type { Match } from './createRouter.ts'

/** Checks that the caller's keys allow the endpoint. Deny by default for read-only keys. */
export function checkRights(
  context: Context,
  { endpoint, params }: Match,
  caller: Caller,
  method: string,
  path: string,
): void {
  if (caller.token) checkScope(context, endpoint, caller.token, params)
  if (endpoint.access === 'operator') {
    const role = operatorRoleOf(caller)
    // As if it did not exist: the response must not reveal who is an operator.
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

/** Rejects what is beyond the scope of a token. Deny by default: an endpoint without a scope refuses every token. */
function checkScope(context: Context, endpoint: Endpoint, { grant }: HeldToken, params: Record<string, string>): void {
  // A function of the application may take the place of one of ours.
  const called = endpoint.replacedBy?.(context) ?? endpoint
  if (allowsEndpoint(grant.scope, called, params)) return
  const scope = neededScope(called, params)
  throw scope === undefined ? refuse('tokenNotAllowed') : refuse('insufficientScope', { scope: scope.slice(0, 200) })
}

/** Daily work of operators that deletes nothing: creating and changing documents of the application. */
const mild = new Set(['createObject', 'updateObject'])

/** Reads that show what opens accounts. */
const secretReads = new Set(['listOutbox', 'exportConsoleUser'])

/**
 * Checks an operator's rights. All writes except the mild ones need a recent confirmation: a console left open must not
 * delete, impersonate or grant rights. Allowlist: every other endpoint needs the confirmation.
 */
function checkOperator({ config, clock }: Context, endpoint: Endpoint, caller: Caller, className = ''): void {
  const isWrite = (endpoint.method !== 'GET' || endpoint.writes) && endpoint.name !== 'batch'
  if (isWrite && caller.operator === 'viewer') throw refuse('operatorForbidden')
  // A session for a user without mark and limit: operators impersonate instead.
  if (endpoint.name === 'logInAs') throw refuse('operatorForbidden')
  const isMild = mild.has(endpoint.name) && !className.startsWith('_')
  if (!secretReads.has(endpoint.name) && (!isWrite || isMild)) return
  const confirmedAt = caller.session?.confirmedAt ?? 0
  if (!isNear(confirmedAt, clock.ms(), config.confirmationLength * 1000)) throw refuse('reauthenticationRequired')
}
