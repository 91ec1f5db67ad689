import type { CountersignError } from '@countersign/react'
import { t, translateError } from '../../i18n/translate.ts'

type FieldName = 'username' | 'email' | 'password' | 'currentPassword' | 'newPassword'

/** An error in the words of a form: a sentence, the field it belongs to, and how long to wait. */
type Problem = { message: string; field?: FieldName; retryAfter?: number }

const fieldOfReason: Partial<Record<string, FieldName>> = {
  invalidEmailAddress: 'email',
  emailTaken: 'email',
  emailMissing: 'email',
  emailNotFound: 'email',
  emailNotVerified: 'email',
  usernameMissing: 'username',
  usernameTaken: 'username',
  usernameTooLong: 'username',
  usernameHasHiddenCharacters: 'username',
  usernameIsEmailAddress: 'username',
  usernameIsWalletAddress: 'username',
  usernameIsThisAddress: 'email',
  emailTooLong: 'email',
  passwordTooLong: 'password',
  passwordMissing: 'password',
  currentPasswordMissing: 'password',
}

/** Turns what the session layer reports into what a form shows. The server's own sentence is kept (R22). */
export function describeError(error: CountersignError): Problem {
  if (error.reason === 'rateLimited')
    return { message: translateError(error), retryAfter: error.rateLimit?.retryAfter ?? error.rateLimit?.reset }
  if (error.reason === 'serverUnreachable')
    return { message: t('The server can’t be reached. Check your connection and try again.') }
  return { message: translateError(error), field: fieldOfReason[error.reason] }
}

/** Returns true if the person canceled a passkey or wallet prompt. That is not shown as an error. */
export function isCancelled(error: CountersignError): boolean {
  return error.reason === 'passkeyCancelled' || error.reason === 'userRejected' || error.reason === 'cancelled'
}
