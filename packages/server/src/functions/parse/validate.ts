import { CountersignError, type WireFields, type WireValue } from '@countersign/protocol'
import type { Context } from '../../context/Context.ts'
import { callerOf } from '../../context/codeCaller.ts'
import type { CodeCaller, FunctionFacts } from '../../context/Registry.ts'
import { accessOf } from '../../roles/accessOf.ts'
import type { CloudRequest } from './CloudRequest.ts'
import type { ParseSdk } from './ParseSdk.ts'

type Roles = readonly string[] | (() => readonly string[] | Promise<readonly string[]>)

/** Rules beside a legacy function or hook. */
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
  // At sign-up the new user is the user of the request.
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

/** Checks the parameters of a function, or the fields of an object that is to be saved, and fills in defaults. */
async function validateFields(request: CloudRequest, rules: Validator['fields']): Promise<void> {
  if (!rules) return
  const { object } = request
  const params: { [name: string]: unknown } = object ? { ...object.toJSON() } : (request.params ?? {})
  const given = (name: string) => (Object.hasOwn(params, name) ? (params[name] ?? undefined) : undefined)
  const need = (name: string) => {
    if (given(name) === undefined) refuse(`Validation failed. Please specify data for ${name}.`)
  }
  if (Array.isArray(rules)) return rules.forEach(need)
  for (const [name, rule] of Object.entries(rules as { [name: string]: FieldRule | string })) {
    if (typeof rule === 'string') {
      need(rule)
      continue
    }
    if (rule.default !== undefined && rule.default !== null && given(name) === undefined) {
      params[name] = rule.default
      object?.set(name, rule.default)
    }
    if (rule.constant && object) {
      if (request.original) object.revert(name)
      else if (rule.default !== undefined && rule.default !== null) object.set(name, rule.default)
    }
    if (rule.required) need(name)
    if (given(name) !== undefined || rule.required) await validateValue(name, params[name], rule)
  }
}

/** Facts of a function from its validator. Rules written as code are left out. */
export function describeValidator(validator: Validator | ValidatorFunction | undefined): FunctionFacts {
  if (typeof validator !== 'object') return {}
  const { fields, requireUser, requireMaster, requireAnyUserRoles: any, requireAllUserRoles: all } = validator
  const roles = [any, all].flatMap((named) => (Array.isArray(named) ? named : [])) as string[]
  return {
    ...(fields && { input: describeFields(fields) }),
    requires: [
      ...(requireMaster ? ['master'] : []),
      ...(requireUser || any || all ? ['user'] : []),
      ...roles.map((role) => `role:${role}`),
    ],
  }
}

const jsonTypes = new Set(['string', 'number', 'boolean', 'object', 'array'])

function describeFields(fields: NonNullable<Validator['fields']>): WireFields {
  const named: (readonly [string, FieldRule | string])[] = Array.isArray(fields)
    ? fields.map((name: string) => [name, name])
    : Object.entries(fields)
  const properties: WireFields = {}
  const required: string[] = []
  for (const [name, rule] of named) {
    if (typeof rule === 'string') {
      properties[rule] = {}
      required.push(rule)
      continue
    }
    const type = rule.type?.name.toLowerCase() ?? ''
    const choices = Array.isArray(rule.options) ? rule.options.filter((value) => typeof value !== 'object') : []
    properties[name] = {
      ...(jsonTypes.has(type) && { type }),
      ...(choices.length > 0 && { enum: choices as WireValue[] }),
    }
    if (rule.required) required.push(name)
  }
  return { type: 'object', properties, required, additionalProperties: true }
}

export type FieldRule = {
  type?: (...parts: never[]) => unknown
  required?: boolean
  default?: unknown
  /** Of a hook: may be set when the object is made, and never again. */
  constant?: boolean
  options?: unknown
  error?: string
}

function refuse(message: string): never {
  throw new CountersignError('ValidationError', message)
}

/** Checks a value against its rule. */
async function validateValue(name: string, value: unknown, { type, options, error }: FieldRule): Promise<void> {
  const wanted = type?.name.toLowerCase()
  const actual = Array.isArray(value) ? 'array' : isDate(value) ? 'date' : typeof value
  if (wanted && wanted !== actual) refuse(`Validation failed. Invalid type for ${name}. Expected: ${wanted}`)
  if (options === undefined) return
  if (typeof options !== 'function') {
    const allowed: unknown[] = Array.isArray(options) ? options : [options]
    if (allowed.includes(value)) return
    return refuse(error ?? `Validation failed. Invalid option for ${name}. Expected: ${allowed.join(', ')}`)
  }
  const invalid = error ?? `Validation failed. Invalid value for ${name}.`
  let result: unknown
  try {
    result = await (options as (value: unknown) => unknown)(value)
  } catch (thrown) {
    const { message } = Object(thrown) as { message?: unknown }
    refuse(error ?? (typeof thrown === 'string' ? thrown : typeof message === 'string' ? message : invalid))
  }
  if (!result && result !== undefined && result !== null) refuse(invalid)
}

function isDate(value: unknown): boolean {
  return value instanceof Date || Reflect.get(Object(value), '__type') === 'Date'
}

/** Parameters as functions of the older form get them: dates, files and pointers are made into what they stand for. */
export function readParams(parse: ParseSdk, params: WireFields): { [name: string]: unknown } {
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, readParam(parse, value)]))
}

function readParam(parse: ParseSdk, value: WireValue): unknown {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map((item) => readParam(parse, item))
  const { __type } = value as WireFields
  if (__type === 'Date' || __type === 'File' || __type === 'Pointer') return parse._decode(null, value)
  return readParams(parse, value as WireFields)
}
