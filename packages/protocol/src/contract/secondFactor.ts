import { z } from 'zod'
import { longest } from '../limits.ts'
import type { EndpointContract } from './EndpointContract.ts'
import { nothing, text } from './fields.ts'
import { assertion } from './passkeys.ts'
import { userRecord } from './records.ts'
import { named } from './typeNames.ts'

const ticket = text(longest.signInTicket).min(1).describe('From the params of the refusal secondFactorRequired')
const code = text(longest.recoveryCode).min(1)

const secondFactorRecord = named(
  'SecondFactorRecord',
  z
    .strictObject({
      totp: z.boolean().describe('A code of an authenticator app is asked for'),
      passkey: z.boolean().describe('A passkey is asked for, or taken in the place of the code'),
      required: z.boolean().describe('The operator demands a second factor of this account'),
      rememberedDevices: z.int().describe('Browsers in which it is not asked for'),
    })
    .describe('Second factor of an account.'),
)

/** Endpoints for the second factor of a sign-in. */
export const secondFactor = {
  getSecondFactor: {
    method: 'GET',
    path: '/auth/secondFactor',
    access: 'user',
    summary: "Second factor of the caller's account.",
    output: secondFactorRecord,
  },
  updateSecondFactor: {
    method: 'PUT',
    path: '/auth/secondFactor',
    access: 'user',
    summary:
      "Ask for one of the account's passkeys after every other sign-in method, or no longer. Needs a session that was confirmed recently.",
    input: z.object({ passkey: z.boolean() }),
    output: secondFactorRecord,
    reasons: ['reauthenticationRequired', 'passkeyMissing', 'secondFactorDemanded'],
  },
  removeSecondFactor: {
    method: 'DELETE',
    path: '/auth/secondFactor',
    access: 'user',
    summary: 'Ask for no second factor any more. Needs a session that was confirmed recently.',
    output: secondFactorRecord,
    reasons: ['reauthenticationRequired', 'secondFactorDemanded'],
  },
  forgetDevices: {
    method: 'DELETE',
    path: '/auth/secondFactor/devices',
    access: 'user',
    summary: 'Ask for the second factor again in every browser.',
    output: nothing,
  },
  startTotp: {
    method: 'POST',
    path: '/auth/totp',
    summary:
      'A new secret for an authenticator app. Nothing is asked for until the app has shown a code. Needs a session that was confirmed recently, or the ticket of secondFactorSetUpRequired.',
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
    summary: 'Turn the authenticator app on by a code that it shows. Needs a session that was confirmed recently.',
    input: z.object({ code }),
    output: secondFactorRecord,
    reasons: ['reauthenticationRequired', 'invalidSecondFactorCode', 'tooManyFailedSignIns', 'secondFactorOn'],
  },
  signInWithSecondFactor: {
    method: 'POST',
    path: '/auth/signInWithSecondFactor',
    summary:
      'The second step of a sign-in: the ticket of its refusal, and a code of the authenticator app, a recovery code or a passkey.',
    session: 'dropped',
    binds: 'ends',
    input: z.object({
      ticket,
      code: code.optional(),
      credential: assertion.optional(),
      rememberDevice: z.boolean().optional().describe('Not to be asked again in this browser; for cookie sessions'),
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
