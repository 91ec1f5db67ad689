import { CountersignError, type UserRecord, type WireFields } from '@countersign/protocol'
import { z } from 'zod'
import { echoAuthData } from '../../auth/older/echoAuthData.ts'
import { readAnonymousId } from '../../auth/older/readAnonymousId.ts'
import { readAuthData } from '../../auth/older/readAuthData.ts'
import { signInByAuthData } from '../../auth/older/signInByAuthData.ts'
import { updateByAuthData } from '../../auth/older/updateByAuthData.ts'
import { undoEmailChange } from '../../auth/recovery/undoEmailChange.ts'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { checkWrite } from '../../permissions/checkWrite.ts'
import { changePassword } from '../../users/changePassword.ts'
import { deleteUser } from '../../users/deleteUser.ts'
import { logIn } from '../../users/logIn.ts'
import { logInAs } from '../../users/logInAs.ts'
import { logOut } from '../../users/logOut.ts'
import { needSession } from '../../users/needSession.ts'
import { proveByPassword } from '../../users/proveByPassword.ts'
import { requestEmailVerification } from '../../users/requestEmailVerification.ts'
import { requestPasswordReset } from '../../users/requestPasswordReset.ts'
import { resetPassword } from '../../users/resetPassword.ts'
import { signUp } from '../../users/signUp.ts'
import { updateUser } from '../../users/updateUser.ts'
import { verifyEmail } from '../../users/verifyEmail.ts'
import { defineEndpoint, type Endpoint, respond } from '../Endpoint.ts'
import type { Body } from '../readBody.ts'

const credentials = z.object({ username: z.string().optional(), email: z.string().optional(), password: z.string() })
const newUser = z.looseObject({ username: z.string(), password: z.string(), email: z.string().optional() })
const changes = z.looseObject({}).describe('Fields to set, or operations such as { "__op": "Increment", "amount": 1 }')
const email = z.object({ email: z.string() })

const me: Pick<Endpoint, 'handle'> = {
  async handle({ caller }) {
    const session = needSession(caller)
    return withAuthData(caller, { ...session.user, sessionToken: session.token }) as UserRecord
  },
}

/** Ways in are for the user's own eyes. */
function withAuthData(caller: Caller, user: WireFields): WireFields {
  if (caller.session?.userId !== user.objectId) return user
  const authData = echoAuthData(user, caller.session?.isAnonymous === true)
  return Object.keys(authData).length > 0 ? { ...user, authData } : user
}

/** Whether there is a way in in `authData`; what the older clients send back empty changes nothing. */
function namesWaysIn(context: Context, input: Body): boolean {
  return readAuthData(input.authData).length > 0 || typeof readAnonymousId(context, input.authData) === 'string'
}

const one = (params: Record<string, string>) => params.objectId ?? ''

const signUpEndpoint = defineEndpoint('signUp', {
  summary: 'Make an account and open a session; with authData of a wallet or of a guest, sign in or make that account.',
  // Who makes a new account wants to leave the old session behind, whether or not it still lives.
  session: 'tolerated',
  describedInput: newUser,
  location: (output) => `/users/${(output as { objectId: string }).objectId}`,
  async handle({ context, caller, input }) {
    if (!namesWaysIn(context, input)) {
      await checkWrite(context, caller, '_User', 'create', input)
      return respond(await signUp(context, caller, input), { status: 201 })
    }
    const { user, isNew } = await signInByAuthData(context, caller, input)
    return isNew ? respond(user, { status: 201 }) : user
  },
})
const updateUserEndpoint = defineEndpoint('updateUser', {
  summary: 'Change a user: the user itself, or the master key.',
  describedInput: changes,
  async handle({ context, caller, input, params }) {
    await checkWrite(context, caller, '_User', 'update', input, one(params))
    return input.authData === undefined
      ? updateUser(context, caller, one(params), input)
      : updateByAuthData(context, caller, one(params), input)
  },
})
const deleteUserEndpoint = defineEndpoint('deleteUser', {
  summary: 'Delete a user with all sessions.',
  async handle({ context, caller, params }) {
    await checkWrite(context, caller, '_User', 'delete', {})
    return deleteUser(context, caller, one(params))
  },
})
const logInEndpoint = defineEndpoint('logIn', {
  summary: 'Open a session by user name (or e-mail address) and password.',
  session: 'dropped',
  describedInput: credentials,
  handle: ({ context, caller, input }) => logIn(context, caller, input),
})
const verifyPasswordEndpoint = defineEndpoint('verifyPassword', {
  summary: 'Check a password without opening a session.',
  describedInput: credentials,
  handle: ({ context, input }) => proveByPassword(context, input),
})

/** The same endpoints under the class's own path, where the older clients look for users. */
const asClass = (endpoint: Endpoint): Endpoint => ({
  ...endpoint,
  name: `${endpoint.name}InClass`,
  path: endpoint.path.replace(/^\/users/, '/classes/_User'),
})

export const accountEndpoints: Endpoint[] = [
  signUpEndpoint,
  defineEndpoint('getCurrentUser', { summary: 'The user of the session.', ...me }),
  updateUserEndpoint,
  deleteUserEndpoint,
  ...[signUpEndpoint, updateUserEndpoint, deleteUserEndpoint].map(asClass),
  logInEndpoint,
  defineEndpoint('logInByGet', {
    ...logInEndpoint,
    sameAs: 'logIn',
    textQuery: true,
    writes: true,
    summary: 'The same by GET, for the older clients.',
  }),
  verifyPasswordEndpoint,
  { ...verifyPasswordEndpoint, name: 'verifyPasswordByGet', method: 'GET', sameAs: 'verifyPassword', textQuery: true },
  defineEndpoint('logInAs', {
    summary: 'Open a session for any user. Master key.',
    describedInput: z.object({ userId: z.string() }),
    handle: ({ context, caller, input }) => logInAs(context, caller, input.userId),
  }),
  defineEndpoint('logOut', {
    summary: 'End the session.',
    session: 'tolerated',
    handle: ({ context, caller }) => logOut(context, caller),
  }),
  defineEndpoint('changePassword', {
    summary: 'Set a new password by the current one, or a first one after a step-up; ends every other session.',
    describedInput: z.object({ currentPassword: z.string().optional(), newPassword: z.string() }),
    handle: ({ context, caller, input }) => changePassword(context, caller, input),
  }),
  defineEndpoint('requestPasswordReset', {
    summary: 'Mail a link that sets a new password. The answer does not tell whether the address is known.',
    describedInput: email,
    handle: ({ context, caller, input }) => requestPasswordReset(context, caller, input.email),
  }),
  defineEndpoint('resetPassword', {
    summary: 'Set a new password by the secret of a mailed link.',
    session: 'dropped',
    describedInput: z.object({ token: z.string(), password: z.string() }),
    handle: ({ context, caller, input }) => resetPassword(context, caller, input),
  }),
  defineEndpoint('requestEmailVerification', {
    summary: 'Mail the confirmation link again.',
    describedInput: email,
    handle: ({ context, caller, input }) => requestEmailVerification(context, caller, input.email),
  }),
  defineEndpoint('verifyEmail', {
    summary: 'Confirm an e-mail address by the secret of a mailed link.',
    session: 'tolerated',
    describedInput: z.object({ token: z.string() }),
    handle: ({ context, caller, input }) => verifyEmail(context, caller, input.token),
  }),
  defineEndpoint('undoEmailChange', {
    summary:
      'Bring back an e-mail address that was changed or removed, by the secret of the link that was mailed to it. Ends every session; the answer has the secret for a new password.',
    session: 'dropped',
    describedInput: z.object({ token: z.string() }),
    handle: ({ context, caller, input }) => undoEmailChange(context, caller, input.token),
  }),
  {
    name: 'resetPasswordByForm',
    method: 'POST',
    path: '/apps/:appId/request_password_reset',
    summary: 'The reset form of the older pages.',
    sameAs: 'resetPassword',
    session: 'dropped',
    handle: ({ context, caller, input }) => resetPassword(context, caller, readForm(input)),
  },
]

function readForm(input: Body) {
  if (input.new_password === undefined) throw new CountersignError('PasswordMissing', 'Missing password')
  return { ...(input.token !== undefined && { token: input.token }), password: input.new_password }
}
