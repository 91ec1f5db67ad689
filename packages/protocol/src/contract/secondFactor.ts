import { z } from 'zod'
import { longest } from '../limits.ts'
import type { EndpointContract } from './EndpointContract.ts'
import { nothing, text } from './fields.ts'
import { assertion } from './passkeys.ts'
import { userRecord } from './records.ts'
import { named } from './typeNames.ts'

const ticket = text(longest.signInTicket).min(1).describe('From the params of the error secondFactorRequired')
const code = text(longest.recoveryCode).min(1)

const secondFactorRecord = named(
  'SecondFactorRecord',
  z
    .strictObject({
      totp: z.boolean().describe('True if a code of an authenticator app is required'),
      passkey: z.boolean().describe('True if a passkey is required, or accepted instead of a code'),
      required: z.boolean().describe('True if the operator requires a second factor for this account'),
      rememberedDevices: z.int().describe('Number of remembered browsers'),
    })
    .describe('Second factor of an account.'),
)

/** Endpoints for the second factor of a sign-in. */
export const secondFactor = {
  getSecondFactor: {
    method: 'GET',
    path: '/auth/secondFactor',
    scope: 'account:read',
    access: 'user',
    summary: 'Second factor of the account.',
    output: secondFactorRecord,
  },
  updateSecondFactor: {
    method: 'PUT',
    path: '/auth/secondFactor',
    access: 'user',
    summary: "Require one of the account's passkeys after other sign-in methods, or stop. Needs a recent proof.",
    input: z.object({ passkey: z.boolean() }),
    output: secondFactorRecord,
    reasons: ['reauthenticationRequired', 'passkeyMissing', 'secondFactorDemanded'],
  },
  removeSecondFactor: {
    method: 'DELETE',
    path: '/auth/secondFactor',
    access: 'user',
    summary: 'Turn off the second factor. Needs a recent proof.',
    output: secondFactorRecord,
    reasons: ['reauthenticationRequired', 'secondFactorDemanded'],
  },
  forgetDevices: {
    method: 'DELETE',
    path: '/auth/secondFactor/devices',
    access: 'user',
    summary: 'Forget remembered browsers. Each is asked for the second factor again.',
    output: nothing,
  },
  startTotp: {
    method: 'POST',
    path: '/auth/totp',
    summary:
      'Create a secret for an authenticator app. It is off until confirmed with a code. Needs a recent proof, or the ticket of secondFactorSetUpRequired.',
    session: 'tolerated',
    input: z.object({ ticket: ticket.optional() }),
    output: z.strictObject({ secret: z.string(), uri: z.string() }),
    reasons: [
      'reauthenticationRequired',
      'passkeyNotVerifyingUser',
      'secondFactorOn',
      'signInTicketExpired',
      'challengeOfOtherBrowser',
    ],
  },
  confirmTotp: {
    method: 'POST',
    path: '/auth/totp/confirm',
    access: 'user',
    summary: 'Turn on the authenticator app with one of its codes. Needs a recent proof.',
    input: z.object({ code }),
    output: secondFactorRecord,
    reasons: ['reauthenticationRequired', 'invalidSecondFactorCode', 'tooManyFailedSignIns', 'secondFactorOn'],
  },
  signInWithSecondFactor: {
    method: 'POST',
    path: '/auth/signInWithSecondFactor',
    summary: 'Complete a sign-in with its ticket and a code of the app, a recovery code or a passkey.',
    session: 'dropped',
    binds: 'ends',
    input: z.object({
      ticket,
      code: code.optional(),
      credential: assertion.optional(),
      rememberDevice: z.boolean().optional().describe('Remember this browser; for cookie sessions'),
    }),
    output: userRecord,
    reasons: [
      'signInTicketExpired',
      'emailNotVerified',
      'reauthenticationRequired',
      'invalidSecondFactorCode',
      'tooManyFailedSignIns',
      'proofMissing',
      'challengeOfOtherBrowser',
      'challengeUsed',
      'challengeExpired',
      'passkeyOfOtherAccount',
      'passkeyNotVerifyingUser',
      'passkeyOfOtherPage',
      'passkeyRefused',
      'passkeyUnknown',
      'accountLocked',
    ],
  },
} as const satisfies Record<string, EndpointContract>
