import { z } from 'zod'
import { longest } from '../limits.ts'
import type { EndpointContract } from './EndpointContract.ts'
import { instant, mailToken, namedText, restoreAccount, text, textOr } from './fields.ts'
import { assertion } from './passkeys.ts'
import { userRecord } from './records.ts'
import { proof } from './signInMethods.ts'
import { named, typed } from './typeNames.ts'

const accountSecurity = named(
  'AccountSecurity',
  z
    .strictObject({
      recoveryCodes: z.strictObject({
        left: z.int(),
        made: z.int(),
        createdAt: instant.optional(),
        lastUsedAt: instant.optional(),
      }),
      signInAlerts: z.boolean().describe('Sends an email about a sign-in from a new device.'),
    })
    .describe('Safeguards of the account, as shown to its owner.'),
)

const password = textOr('passwordMissing').max(longest.password, 'passwordTooLong')

/** Endpoints that protect and recover an account. */
export const recovery = {
  getAccountSecurity: {
    method: 'GET',
    path: '/auth/security',
    scope: 'account:read',
    access: 'user',
    summary: 'Number of recovery codes left, and whether new-device alerts are on.',
    output: accountSecurity,
  },
  updateAccountSecurity: {
    method: 'PUT',
    path: '/auth/security',
    access: 'user',
    summary: 'Turn alerts on or off. Off needs a recent proof.',
    input: z.object({ signInAlerts: z.boolean() }),
    output: accountSecurity,
    reasons: ['reauthenticationRequired'],
  },
  createRecoveryCodes: {
    method: 'POST',
    path: '/auth/recoveryCodes',
    access: 'user',
    summary: 'Create ten recovery codes, shown once. They replace the old ones. Needs a recent proof.',
    status: 201,
    output: z.strictObject({ codes: z.array(z.string()) }),
    reasons: ['reauthenticationRequired'],
  },
  signInWithRecoveryCode: {
    method: 'POST',
    path: '/auth/signInWithRecoveryCode',
    summary: 'Sign in with username or email address and a recovery code.',
    session: 'dropped',
    input: z.object({
      username: namedText(longest.username, { missing: 'signInNameMissing', long: 'usernameTooLong' }),
      code: text(longest.recoveryCode).min(1),
      restoreAccount,
    }),
    output: userRecord,
    reasons: ['invalidRecoveryCode', 'tooManyFailedSignIns', 'emailNotVerified', 'accountDeletionPending'],
  },
  exportAccount: {
    method: 'GET',
    path: '/auth/export',
    access: 'user',
    summary: 'Export everything stored about the user as one JSON file. Needs a recent proof.',
    output: typed('WireFields', z.unknown()),
    reasons: ['reauthenticationRequired'],
  },
  undoEmailChange: {
    method: 'POST',
    path: '/undoEmailChange',
    summary:
      'Restore an email address that was changed or removed, with the token mailed to it. Ends all sessions and returns a token for a new password.',
    session: 'dropped',
    input: z.object({ token: mailToken }),
    output: z.strictObject({ resetToken: z.string() }),
    reasons: ['linkExpired', 'emailOfOtherAccount'],
  },
  recoverAccount: {
    method: 'POST',
    path: '/recoverAccount',
    summary:
      'Undo what somebody added to an account, with the mailed token and an older password, wallet or passkey. Ends all sessions.',
    session: 'dropped',
    binds: 'ends',
    input: proof.partial().extend({
      token: mailToken,
      password: password.optional().describe('Password of the account before the change. Needs newPassword.'),
      newPassword: password.optional(),
      credential: assertion.optional(),
    }),
    output: z.strictObject({}),
    reasons: [
      'linkExpired',
      'proofMissing',
      'wrongPassword',
      'olderProofRequired',
      'passwordMissing',
      'passwordTooShort',
      'passwordContainsUsername',
      'tooManyFailedSignIns',
      'emailOfOtherAccount',
      'signInMethodOff',
      'challengeExpired',
      'challengeUsed',
      'challengeOfOtherPurpose',
      'messageNotOurs',
      'messageChanged',
      'challengeOfOtherBrowser',
      'invalidSignature',
      'nodeUnavailable',
      'passkeyUnknown',
      'passkeyOfOtherAccount',
      'passkeyNotVerifyingUser',
      'passkeyRefused',
    ],
  },
  undoMergeByLink: {
    method: 'POST',
    path: '/undoMerge',
    summary:
      'Restore an account that was merged, with the token mailed to its owner. Ends all sessions of both and returns a token for a new password.',
    session: 'dropped',
    input: z.object({ token: mailToken }),
    output: z.strictObject({ resetToken: z.string() }),
    reasons: ['linkExpired', 'mergeUndoExpired', 'mergeUndoUnreadable', 'mergeUndoWithoutMethod'],
  },
} as const satisfies Record<string, EndpointContract>
