import { CountersignError, longest, type Reason, refuse, type WireValue } from '@countersign/protocol'
import type { Context } from '../../context/Context.ts'

/** A password that may be stored. An object in its place would be a query operator in disguise. */
export function readPassword(value: WireValue | undefined): string {
  if (typeof value !== 'string' || value === '') throw refuse('passwordMissing')
  refuseLongPassword(value)
  return value
}

function refuseLongPassword(password: string): void {
  if (password.length > longest.password) throw refuse('passwordTooLong', { max: longest.password })
}

/** Refuses a new password that the operator's rules do not allow. */
export function checkPasswordPolicy({ config }: Context, password: string, username: string): void {
  const policy = config.passwordPolicy
  refuseLongPassword(password)
  if (password.length < policy.minLength) throw inOwnWords(refuse('passwordTooShort', { min: policy.minLength }))
  if (policy.doNotAllowUsername && password.toLowerCase().includes(username.toLowerCase())) {
    throw inOwnWords(refuse('passwordContainsUsername'))
  }

  // The operator may have a sentence for all of them.
  function inOwnWords(refusal: CountersignError): CountersignError {
    const { reason, params } = refusal
    if (policy.validationError === undefined) return refusal
    return new CountersignError('ValidationError', policy.validationError, {
      reason: reason as Reason,
      ...(params && { params }),
    })
  }
}
