import { z } from 'zod'
import { longest } from '../limits.ts'
import type { EndpointContract } from './EndpointContract.ts'
import { instant, mailToken, namedText, newAccount, restoreAccount, signUpReasons, text } from './fields.ts'
import { userRecord } from './records.ts'

/** A code as it was typed, with the handle that the asking browser got. */
export const emailCodeProof = z.object({
  handle: text(longest.token).min(1).describe('Handle from requestEmailCode'),
  code: text(longest.emailCode).min(1),
})

/** Sign-in with a code or a link that is mailed. */
export const emailCode = {
  requestEmailCode: {
    method: 'POST',
    path: '/auth/emailCode',
    summary:
      "Mail a sign-in code, valid in this browser only. The response is the same for every address. To confirm a session, the code goes to the account's address.",
    session: 'tolerated',
    binds: 'begins',
    input: z.object({
      email: namedText(longest.email, {
        missing: 'emailMissing',
        wrong: 'emailNotText',
        long: 'emailTooLong',
      }).optional(),
      purpose: z.enum(['signIn', 'reauthenticate']).nullish(),
    }),
    output: z.strictObject({ handle: z.string(), expiresAt: instant }),
    reasons: [
      'emailCodeDisabled',
      'emailMissing',
      'invalidEmailAddress',
      'tooManyEmailCodes',
      'emailCodeWithoutAddress',
    ],
  },
  signInWithEmailCode: {
    method: 'POST',
    path: '/auth/signInWithEmailCode',
    summary: 'Sign in with a mailed code, in the browser that requested it.',
    session: 'dropped',
    binds: 'ends',
    input: emailCodeProof.extend({ restoreAccount, newAccount }),
    output: userRecord,
    reasons: [
      ...signUpReasons,
      'emailCodeDisabled',
      'invalidEmailCode',
      'emailCodeExpired',
      'challengeOfOtherBrowser',
      'emailOpensNothing',
      'mailNotEnough',
      'accountLocked',
      'accountDeletionPending',
      'secondFactorRequired',
      'secondFactorSetUpRequired',
      'emailNotVerified',
    ],
  },
  signInWithEmailLink: {
    method: 'POST',
    path: '/auth/signInWithEmailLink',
    summary: 'Sign in with the token of a mailed link, in the browser that requested it.',
    session: 'dropped',
    binds: 'ends',
    input: z.object({ token: mailToken, restoreAccount, newAccount }),
    output: userRecord,
    reasons: [
      ...signUpReasons,
      'emailCodeDisabled',
      'linkExpired',
      'challengeOfOtherBrowser',
      'emailOpensNothing',
      'mailNotEnough',
      'accountLocked',
      'accountDeletionPending',
      'secondFactorRequired',
      'secondFactorSetUpRequired',
      'emailNotVerified',
    ],
  },
} as const satisfies Record<string, EndpointContract>
