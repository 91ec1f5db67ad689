import type { CountersignError } from '@countersign/react'
import { say } from './say.ts'
import { sayKnown } from './sayKnown.ts'

export type FieldName = 'username' | 'email' | 'password' | 'currentPassword' | 'newPassword'

/** An error in the words of a form: a sentence, the field it belongs to, and how long to wait. */
export type Problem = { message: string; field?: FieldName; retryAfter?: number }

const fieldOfCode: Partial<Record<number, FieldName>> = {
  125: 'email',
  200: 'username',
  201: 'password',
  202: 'username',
  203: 'email',
  204: 'email',
  205: 'email',
}

/** Turns what the session layer reports into what a form shows. The server's own sentence is kept (R22). */
export function describeError(error: CountersignError): Problem {
  if (error.code === 155 || error.status === 429)
    return { message: sayKnown(error.message), retryAfter: error.rateLimit?.retryAfter ?? error.rateLimit?.reset }
  // A node of a chain that is down is named by the server, which then is not.
  if (error.code === 100 && !error.message.includes('of this chain'))
    return { message: say('The server cannot be reached. Check your connection, then try again.') }
  return { message: sayKnown(error.message), field: fieldOfCode[error.code] }
}
