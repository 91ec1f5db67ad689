import type { CloudRequest } from './createRequest.ts'
import type { Validator } from './validate.ts'
import { type FieldRule, refuse, validateValue } from './validateValue.ts'

/** Checks the parameters of a function, or the fields of an object that is to be saved, and fills in defaults. */
export async function validateFields(request: CloudRequest, rules: Validator['fields']): Promise<void> {
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
