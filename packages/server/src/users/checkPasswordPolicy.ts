import { CountersignError } from '@countersign/protocol'
import type { Context } from '../context/Context.ts'
import { refuseLongPassword } from './readCredentials.ts'

/** Refuses a new password that the operator's rules do not allow. */
export function checkPasswordPolicy({ config }: Context, password: string, username: string): void {
  const policy = config.passwordPolicy
  const refuse = (reason: string) => new CountersignError('ValidationError', policy.validationError ?? reason)
  refuseLongPassword(password)
  if (password.length < policy.minLength) throw refuse(`A password needs at least ${policy.minLength} characters.`)
  if (policy.doNotAllowUsername && password.toLowerCase().includes(username.toLowerCase())) {
    throw refuse('A password may not contain the user name.')
  }
}
