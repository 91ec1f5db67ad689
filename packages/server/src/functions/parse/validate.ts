import { CountersignError } from '@countersign/protocol'
import type { Context } from '../../context/Context.ts'
import { callerOf } from '../../context/codeCaller.ts'
import type { CodeCaller } from '../../context/Registry.ts'
import { accessOf } from '../../roles/accessOf.ts'
import type { CloudRequest } from './createRequest.ts'
import { validateFields } from './validateFields.ts'
import { type FieldRule, refuse } from './validateValue.ts'

type Roles = readonly string[] | (() => readonly string[] | Promise<readonly string[]>)

/** What may be said beside a function or hook of the older form. */
export type Validator = {
  requireUser?: boolean
  requireMaster?: boolean
  /** Without it the master key passes unchecked. */
  validateMasterKey?: boolean
  /** The hook itself is left out for the master key. */
  skipWithMasterKey?: boolean
  requireAnyUserRoles?: Roles
  requireAllUserRoles?: Roles
  requireUserKeys?: readonly string[] | { [name: string]: FieldRule }
  fields?: readonly string[] | { [name: string]: FieldRule | string }
  rateLimit?: { requestTimeWindow?: number; requestCount?: number; errorResponseMessage?: string }
}
export type ValidatorFunction = (request: CloudRequest) => unknown

/** Refuses with 142 what a validator does not let pass. */
export async function validate(
  context: Context,
  caller: CodeCaller,
  request: CloudRequest,
  validator: Validator | ValidatorFunction | undefined,
): Promise<void> {
  if (!validator) return
  try {
    if (typeof validator !== 'function') await check(context, caller, request, validator)
    else if ((await validator(request)) === false) refuse('Validation failed.')
  } catch (error) {
    if (error instanceof CountersignError) throw error
    const { code, message } = Object(error) as { code?: unknown; message?: unknown }
    const text = typeof error === 'string' ? error : typeof message === 'string' ? message : 'Validation failed.'
    throw new CountersignError(typeof code === 'number' ? code : 'ValidationError', text, { cause: error })
  }
}

async function check(context: Context, caller: CodeCaller, request: CloudRequest, rules: Validator): Promise<void> {
  if (request.master && !rules.validateMasterKey) return
  // Who signs up is the user of the request.
  const isNewUser = request.object?.className === '_User' && !request.object.existed()
  const user = request.user ?? (isNewUser ? request.object : undefined)
  const { requireAnyUserRoles, requireAllUserRoles, requireUserKeys = [] } = rules
  if ((rules.requireUser || requireAnyUserRoles || requireAllUserRoles) && !user) {
    refuse('Validation failed. Please login to continue.')
  }
  if (rules.requireMaster && !request.master) {
    refuse('Validation failed. Master key is required to complete this request.')
  }
  await validateFields(request, rules.fields)
  if (requireAnyUserRoles || requireAllUserRoles) {
    const { entities } = await accessOf(context, callerOf(caller))
    const holds = (role: string) => entities.includes(`role:${role}`)
    const any = await list(requireAnyUserRoles)
    if (any && !any.some(holds)) refuse('Validation failed. User does not match the required roles.')
    const all = await list(requireAllUserRoles)
    if (all && !all.every(holds)) refuse('Validation failed. User does not match all the required roles.')
  }
  const keys = Array.isArray(requireUserKeys) ? requireUserKeys : Object.keys(requireUserKeys)
  if (keys.length > 0 && !user) refuse('Please login to make this request.')
  if (!Array.isArray(requireUserKeys)) {
    const values = Object.fromEntries(keys.map((name) => [name, user?.get(name)]))
    return validateFields({ ...request, object: undefined, params: values } as CloudRequest, requireUserKeys as never)
  }
  const missing = keys.find((name) => (user?.get(name) ?? undefined) === undefined)
  if (missing !== undefined) refuse(`Validation failed. Please set data for ${missing} on your account.`)
}

async function list(roles: Roles | undefined): Promise<readonly string[] | undefined> {
  return typeof roles === 'function' ? roles() : roles
}
