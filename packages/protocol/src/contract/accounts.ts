import { z } from 'zod'
import { longest } from '../limits.ts'
import type { NamedReason } from '../reasons.ts'
import type { EndpointContract } from './EndpointContract.ts'
import {
  byId,
  fields,
  instant,
  mailToken,
  namedText,
  newAccount,
  nothing,
  objectId,
  openObject,
  password,
  restoreAccount,
  signUpReasons,
  text,
  textOr,
  wireValue,
} from './fields.ts'
import { assertion } from './passkeys.ts'
import { userRecord } from './records.ts'
import { typed } from './typeNames.ts'

/** Legacy marker for deleting a field. */
const removal = z.object({ __op: z.literal('Delete') })

const username = textOr('usernameMissing').max(longest.username, 'usernameTooLong')
const email = z.string().max(longest.email, 'emailTooLong')
/** Of an account: with `null` or a removal it has none. */
const emailOrNone = z.union([email, z.null(), removal], 'invalidEmailAddress')
const passwordOrNone = z.union([password, removal], 'passwordMissing')

/** A query operator where text is expected fails like a wrong password. */
const proven = (max: number, long: NamedReason) => textOr('invalidCredentials').max(max, long).nullish()
const credentials = z.object({
  username: proven(longest.username, 'usernameTooLong'),
  // May replace the name.
  email: proven(longest.email, 'emailTooLong'),
  password: namedText(longest.password, {
    missing: 'signInPasswordMissing',
    wrong: 'invalidCredentials',
    long: 'passwordTooLong',
  }),
})
/** Data for providers of the setting `auth` that check more than the password. */
const authData = fields.optional()

const signInReasons = [
  'signInMethodOff',
  'signInNameMissing',
  'invalidCredentials',
  'tooManyFailedSignIns',
  'emailNotVerified',
  'accountDeletionPending',
  'accountMerged',
  'secondFactorRequired',
  'secondFactorSetUpRequired',
] as const satisfies NamedReason[]

const address = z.object({
  email: namedText(longest.email, { missing: 'emailMissing', wrong: 'emailNotText', long: 'emailTooLong' }),
})

/** Accounts by the paths of the older protocol. Bodies carry fields of the application besides those named here. */
export const accounts = {
  signUp: {
    method: 'POST',
    path: '/users',
    sessionless: true,
    summary: 'Create an account and open a session. With authData, sign in or create that account.',
    // Signing up leaves the old session behind, even if it is still valid.
    session: 'tolerated',
    input: z
      .object({
        username: username.optional(),
        password: password.optional(),
        email: emailOrNone.optional(),
      })
      .catchall(wireValue)
      .describe('Username and password are required, unless authData is sent'),
    output: openObject({ objectId, createdAt: instant, sessionToken: z.string().optional() }),
    reasons: [
      ...signUpReasons,
      'usernameMissing',
      'passwordTooShort',
      'passwordContainsUsername',
      'usernameTaken',
      'usernameHasHiddenCharacters',
      'usernameIsEmailAddress',
      'usernameIsWalletAddress',
      'emailTaken',
      'invalidEmailAddress',
    ],
  },
  logIn: {
    method: 'POST',
    path: '/login',
    summary: 'Sign in with username or email address and password.',
    session: 'dropped',
    input: credentials.extend({ restoreAccount, authData }),
    output: userRecord,
    reasons: signInReasons,
  },
  logInByGet: {
    method: 'GET',
    path: '/login',
    summary: 'Sign in by GET, for legacy clients.',
    session: 'dropped',
    textQuery: true,
    input: credentials.extend({ restoreAccount }),
    output: userRecord,
    reasons: signInReasons,
  },
  challenge: {
    method: 'POST',
    path: '/challenge',
    list: 'operator',
    session: 'tolerated',
    summary: 'Get the challenge of an auth adapter, such as a code that it sends.',
    input: z.object({
      username: textOr('invalidCredentials').max(longest.username, 'usernameTooLong').nullish(),
      email: textOr('invalidCredentials').max(longest.email, 'emailTooLong').nullish(),
      password: textOr('invalidCredentials').max(longest.password, 'passwordTooLong').nullish(),
      authData: typed('WireFields', z.unknown()).optional().describe('authData of a provider that identifies the user'),
      challengeData: typed('WireFields', z.unknown()).optional().describe('Input for each provider, by its name'),
    }),
    output: z.strictObject({ challengeData: fields }),
    reasons: ['invalidCredentials', 'tooManyFailedSignIns'],
  },
  verifyPassword: {
    method: 'POST',
    path: '/verifyPassword',
    sessionless: true,
    summary: 'Check a password without starting a session.',
    input: credentials,
    output: userRecord,
    reasons: signInReasons,
  },
  logInAs: {
    method: 'POST',
    path: '/loginAs',
    list: 'operator',
    summary: 'Start a session for any user. Master key.',
    input: z.object({ userId: objectId }),
    output: userRecord,
  },
  logOut: { method: 'POST', path: '/logout', summary: 'End the session.', session: 'tolerated', output: nothing },
  getCurrentUser: {
    method: 'GET',
    path: '/users/me',
    scope: 'account:read',
    access: 'user',
    summary: 'The user of the session.',
    output: userRecord,
  },
  updateUser: {
    method: 'PUT',
    path: '/users/:objectId',
    summary: 'Change a user: their own record, or any with the master key.',
    params: byId,
    input: typed(
      'WireChanges',
      z
        .looseObject({
          username: username.optional(),
          password: passwordOrNone.optional(),
          email: emailOrNone.optional(),
        })
        .describe('Fields to set, or operations such as { "__op": "Increment", "amount": 1 }'),
    ),
    output: openObject({ updatedAt: instant, sessionToken: z.string().optional() }),
    reasons: [
      'reauthenticationRequired',
      'usernameTaken',
      'usernameHasHiddenCharacters',
      'usernameIsEmailAddress',
      'usernameIsWalletAddress',
      'usernameIsThisAddress',
      'emailTaken',
      'invalidEmailAddress',
      'objectNotFound',
    ],
  },
  deleteUser: {
    method: 'DELETE',
    path: '/users/:objectId',
    summary: 'Delete a user and all sessions. Owners can restore their account for some days.',
    params: byId,
    output: nothing,
    reasons: ['reauthenticationRequired', 'objectNotFound'],
  },
  changePassword: {
    method: 'POST',
    path: '/changePassword',
    access: 'user',
    summary: 'Change the password, or set a first one after a recent proof. Ends all other sessions.',
    input: z.object({
      newPassword: password,
      currentPassword: textOr('currentPasswordMissing').max(longest.password, 'passwordTooLong').optional(),
    }),
    output: z.strictObject({ sessionToken: z.string().optional() }),
    reasons: [
      'wrongCurrentPassword',
      'reauthenticationRequired',
      'operatorForbidden',
      'tooManyFailedSignIns',
      'passwordTooShort',
      'passwordContainsUsername',
    ],
  },
  requestPasswordReset: {
    method: 'POST',
    path: '/requestPasswordReset',
    sessionless: true,
    summary: 'Mail a link that sets a new password. The response is the same for every address.',
    input: address,
    output: nothing,
    reasons: ['invalidEmailAddress'],
  },
  resetPassword: {
    method: 'POST',
    path: '/resetPassword',
    summary: 'Set a new password with the token of a mailed link.',
    session: 'dropped',
    binds: 'ends',
    input: z.object({
      password,
      token: mailToken,
      secondFactorCode: text(longest.recoveryCode)
        .min(1)
        .optional()
        .describe('Required if the account has a second factor and its holder has not verified the address'),
      credential: assertion.optional(),
      authData,
      newAccount,
    }),
    output: nothing,
    reasons: [
      ...signUpReasons,
      'linkExpired',
      'secondFactorRequired',
      'invalidSecondFactorCode',
      'tooManyFailedSignIns',
      'passkeyOfOtherAccount',
      'mailNotEnough',
    ],
  },
  requestEmailVerification: {
    method: 'POST',
    path: '/verificationEmailRequest',
    sessionless: true,
    summary: 'Mail the verification link again.',
    input: address,
    output: nothing,
    reasons: ['invalidEmailAddress'],
  },
  verifyEmail: {
    method: 'POST',
    path: '/verifyEmail',
    summary: 'Verify an email address with the token of a mailed link.',
    session: 'tolerated',
    input: z.object({ token: mailToken }),
    output: nothing,
    reasons: ['linkExpired'],
  },
} as const satisfies Record<string, EndpointContract>
