import type { UserRecord, WireChanges, WireFields, WireValue } from '@countersign/protocol'
import { contract } from '@countersign/protocol/contract'
import { z } from 'zod'
import { echoAuthData } from '../../auth/older/echoAuthData.ts'
import { readAnonymousId } from '../../auth/older/readAnonymousId.ts'
import { readAuthData } from '../../auth/older/readAuthData.ts'
import { signInByAuthData } from '../../auth/older/signInByAuthData.ts'
import { updateByAuthData } from '../../auth/older/updateByAuthData.ts'
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

const { password, token } = contract.resetPassword.input.shape
/** The fields of the older pages. */
const resetForm = z.object({ new_password: password, token })

/** Sign-in methods are for the user's own eyes. */
function withAuthData(caller: Caller, user: WireFields): WireFields {
  if (caller.session?.userId !== user.objectId) return user
  const authData = echoAuthData(user, caller.session?.isAnonymous === true)
  return Object.keys(authData).length > 0 ? { ...user, authData } : user
}

/** Whether there is a sign-in method in `authData`; what the older clients send back empty changes nothing. */
function namesSignInMethod(context: Context, { authData }: WireChanges): boolean {
  const given = authData as WireValue | undefined
  return readAuthData(given).length > 0 || typeof readAnonymousId(context, given) === 'string'
}

const signUpEndpoint = defineEndpoint('signUp', {
  location: (output) => `/users/${(output as { objectId: string }).objectId}`,
  async handle({ context, caller, input }) {
    const fields = input as WireChanges
    if (!namesSignInMethod(context, fields)) {
      await checkWrite(context, caller, '_User', 'create', fields)
      return respond(await signUp(context, caller, fields), { status: 201 })
    }
    const { user, isNew } = await signInByAuthData(context, caller, fields)
    return respond(user as UserRecord, { status: isNew ? 201 : 200 })
  },
})
const updateUserEndpoint = defineEndpoint('updateUser', {
  async handle({ context, caller, input, params: { objectId } }) {
    const changes = input as WireChanges
    await checkWrite(context, caller, '_User', 'update', changes, objectId)
    const changed =
      changes.authData === undefined
        ? await updateUser(context, caller, objectId, changes)
        : await updateByAuthData(context, caller, objectId, changes)
    return changed as WireFields & { updatedAt: string }
  },
})
const deleteUserEndpoint = defineEndpoint('deleteUser', {
  async handle({ context, caller, params }) {
    await checkWrite(context, caller, '_User', 'delete', {})
    return deleteUser(context, caller, params.objectId)
  },
})
const verifyPasswordEndpoint = defineEndpoint('verifyPassword', {
  handle: ({ context, caller, input }) => proveByPassword(context, caller, input),
})

/** The same endpoints under the class's own path, where the older clients look for users. */
const asClass = (endpoint: Endpoint): Endpoint => ({
  ...endpoint,
  name: `${endpoint.name}InClass`,
  path: endpoint.path.replace(/^\/users/, '/classes/_User'),
})

export const accountEndpoints: Endpoint[] = [
  signUpEndpoint,
  defineEndpoint('getCurrentUser', {
    async handle({ caller }) {
      const session = needSession(caller)
      return withAuthData(caller, { ...session.user, sessionToken: session.token }) as UserRecord
    },
  }),
  updateUserEndpoint,
  deleteUserEndpoint,
  ...[signUpEndpoint, updateUserEndpoint, deleteUserEndpoint].map(asClass),
  defineEndpoint('logIn', { handle: ({ context, caller, input }) => logIn(context, caller, input) }),
  defineEndpoint('logInByGet', {
    sameAs: 'logIn',
    writes: true,
    handle: ({ context, caller, input }) => logIn(context, caller, input),
  }),
  verifyPasswordEndpoint,
  { ...verifyPasswordEndpoint, name: 'verifyPasswordByGet', method: 'GET', sameAs: 'verifyPassword', textQuery: true },
  defineEndpoint('logInAs', { handle: ({ context, caller, input }) => logInAs(context, caller, input.userId) }),
  defineEndpoint('logOut', { handle: ({ context, caller }) => logOut(context, caller) }),
  defineEndpoint('changePassword', { handle: ({ context, caller, input }) => changePassword(context, caller, input) }),
  defineEndpoint('requestPasswordReset', {
    handle: ({ context, caller, input }) => requestPasswordReset(context, caller, input.email),
  }),
  defineEndpoint('resetPassword', { handle: ({ context, caller, input }) => resetPassword(context, caller, input) }),
  defineEndpoint('requestEmailVerification', {
    handle: ({ context, caller, input }) => requestEmailVerification(context, caller, input.email),
  }),
  defineEndpoint('verifyEmail', { handle: ({ context, caller, input }) => verifyEmail(context, caller, input.token) }),
  {
    name: 'resetPasswordByForm',
    method: 'POST',
    path: '/apps/:appId/request_password_reset',
    summary: 'The reset form of the older pages.',
    sameAs: 'resetPassword',
    session: 'dropped',
    input: resetForm,
    handle({ context, caller, input }) {
      const { new_password: password, token } = input as z.output<typeof resetForm>
      return resetPassword(context, caller, { password, token })
    },
  },
]
