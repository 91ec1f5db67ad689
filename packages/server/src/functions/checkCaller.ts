import { CountersignError } from '@countersign/protocol'
import type { Context } from '../context/Context.ts'
import { callerOf } from '../context/codeCaller.ts'
import type { CodeCaller } from '../context/Registry.ts'
import { accessOf } from '../roles/accessOf.ts'
import { needSession } from '../users/needSession.ts'
import type { FunctionDefinition } from './Definition.ts'

/** Whether the caller may call the function at all. */
export async function checkCaller(
  context: Context,
  definition: FunctionDefinition,
  name: string,
  caller: CodeCaller,
): Promise<void> {
  const { requireMaster, requireRoles, requireUser } = definition
  if (requireMaster && !caller.isMaster) {
    throw new CountersignError('OperationForbidden', `${name} is for the master key alone.`)
  }
  const known = callerOf(caller)
  if (requireUser || (requireRoles && !caller.isMaster)) needSession(known)
  if (!requireRoles || caller.isMaster) return
  const { entities } = await accessOf(context, known)
  if (requireRoles.some((role) => entities.includes(`role:${role}`))) return
  throw new CountersignError('OperationForbidden', `${name} is for ${describe(requireRoles)} alone.`)
}

function describe(roles: readonly string[]): string {
  return roles.length === 1 ? `the role ${roles[0]}` : `the roles ${roles.join(', ')}`
}
