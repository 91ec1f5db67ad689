import type { UserRecord, WireChanges, WireFields, WireValue } from '@countersign/protocol'
import { contract } from '@countersign/protocol/contract'
import { z } from 'zod'
import { echoAuthData, readAnonymousId, readAuthData } from '../../auth/parseCompat/readAuthData.ts'
import { signInByAuthData } from '../../auth/parseCompat/signInByAuthData.ts'
import { updateByAuthData } from '../../auth/parseCompat/updateByAuthData.ts'
import { type ChallengeInput, challengeProviders } from '../../auth/providers/challengeProviders.ts'
import { addIdentities, readProviders, withIdentities } from '../../auth/providers/identities.ts'
import { proveAdditional, signUpWithAdditional } from '../../auth/providers/signInWithProviders.ts'
import { changeMfa, checkMfaSetUp, readMfa, signInWithMfa } from '../../auth/secondFactor/olderMfa.ts'
import { requireRemainingMethod } from '../../auth/signInMethods.ts'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import type { HeldSession } from '../../context/createSessionCache.ts'
import { checkWrite } from '../../permissions/checkWrite.ts'
import { deleteUser } from '../../users/deleteUser.ts'
import { requestEmailVerification, verifyEmail } from '../../users/email/verifyEmail.ts'
import { changePassword } from '../../users/passwords/changePassword.ts'
import { logIn, logInAs, verifyPassword } from '../../users/passwords/logIn.ts'
import { requestPasswordReset, resetPassword } from '../../users/passwords/resetPassword.ts'
import { findSession } from '../../users/sessions/findSession.ts'
import { logOut } from '../../users/sessions/logOut.ts'
import { requireSession } from '../../users/sessions/sessions.ts'
import { updateUser } from '../../users/updateUser.ts'
import { defineEndpoint, type Endpoint, type Responded, respond } from '../Endpoint.ts'

const { password, token } = contract.resetPassword.input.shape
/** The fields of the older pages. */
const resetForm = z.object({ new_password: password, token })

/** Sign-in methods are for the user's own eyes. */
async function withAuthData(context: Context, caller: Caller, user: WireFields): Promise<WireFields> {
  if (caller.session?.userId !== user.objectId) return user
  const authData = echoAuthData(user, caller.session?.isAnonymous === true)
  const own = Object.keys(authData).length > 0 ? { ...user, authData } : { ...user }
  await addIdentities(context, caller, [own])
  return own
}

async function describeOwnUser(
  context: Context,
  caller: Caller,
  { user, token }: HeldSession,
): Promise<Responded<UserRecord>> {
  const output = (await withAuthData(context, caller, { ...user, sessionToken: token })) as UserRecord
  return respond(output, { text: JSON.stringify(output) })
}

/** Whether there is a sign-in method in `authData`; what the older clients send back empty changes nothing. */
function namesSignInMethod(context: Context, { authData }: WireChanges): boolean {
  const given = authData as WireValue | undefined
  const providers = readProviders(context, given).given
  return (
    readAuthData(given).length > 0 ||
    typeof readAnonymousId(context, given) === 'string' ||
    providers.some(({ provider }) => provider.policy !== 'additional')
  )
}

const signUpEndpoint = defineEndpoint('signUp', {
  location: (output) => `/users/${(output as { objectId: string }).objectId}`,
  async handle({ context, caller, input }) {
    const fields = input as WireChanges
    if (!namesSignInMethod(context, fields)) {
      await checkWrite(context, caller, '_User', 'create', fields)
      const mfa = readMfa(context, fields.authData as WireValue | undefined)
      if (mfa?.kind === 'setUp') await checkMfaSetUp(context, mfa)
      const made = await signUpWithAdditional(context, caller, fields)
      if (mfa?.kind !== 'setUp' || made.sessionToken === undefined) return respond(made, { status: 201 })
      const own = { ...caller, session: await findSession(context, made.sessionToken) }
      const response = await changeMfa(context, own, made.objectId, mfa)
      return respond({ ...made, ...(response && { authDataResponse: { mfa: response } }) }, { status: 201 })
    }
    const { user, isNew } = await signInByAuthData(context, caller, fields).catch(async (refusal) => ({
      user: await signInWithMfa(context, caller, fields.authData as WireValue | undefined, refusal),
      isNew: false,
    }))
    return respond(user as UserRecord, { status: isNew ? 201 : 200 })
  },
})
/** Where codes are mailed, the address may be the last sign-in method. */
function takesAddressAway({ email }: WireChanges): boolean {
  return email === null || Reflect.get(Object(email), '__op') === 'Delete'
}

const updateUserEndpoint = defineEndpoint('updateUser', {
  async handle({ context, caller, input, params: { objectId } }) {
    const changes = input as WireChanges
    await checkWrite(context, caller, '_User', 'update', changes, objectId)
    const change = () =>
      changes.authData === undefined
        ? updateUser(context, caller, objectId, changes)
        : updateByAuthData(context, caller, objectId, changes)
    const changed =
      takesAddressAway(changes) && context.config.emailCode.enabled && !caller.isMaster
        ? await requireRemainingMethod(context, caller, 'changeEmail', objectId, change)
        : await change()
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
  handle: ({ context, caller, input }) => verifyPassword(context, caller, input),
})

/** A password, and what else the account asks for. */
async function logInWithAll(
  context: Context,
  caller: Caller,
  input: z.output<typeof contract.logIn.input>,
): Promise<UserRecord> {
  const { given } = readProviders(context, input.authData as WireValue | undefined)
  const user = await logIn(context, caller, input, (found) => proveAdditional(context, caller, found, given)).catch(
    (refusal) => signInWithMfa(context, caller, input.authData as WireValue | undefined, refusal),
  )
  return withIdentities(context, caller, user)
}

/** The same endpoints under the class's own path, where the older clients look for users. */
const asClass = (endpoint: Endpoint): Endpoint => ({
  ...endpoint,
  name: `${endpoint.name}InClass`,
  path: endpoint.path.replace(/^\/users/, '/classes/_User'),
})

export const accountEndpoints: Endpoint[] = [
  signUpEndpoint,
  defineEndpoint('getCurrentUser', {
    async handle({ context, caller }) {
      const session = requireSession(caller)
      // Identities may change on another server, of which the session's cache here hears nothing.
      if (context.authProviders.size > 0) return describeOwnUser(context, caller, session)
      session.ownUser ??= await describeOwnUser(context, caller, session)
      return session.ownUser as Responded<UserRecord>
    },
  }),
  updateUserEndpoint,
  deleteUserEndpoint,
  ...[signUpEndpoint, updateUserEndpoint, deleteUserEndpoint].map(asClass),
  defineEndpoint('logIn', { handle: ({ context, caller, input }) => logInWithAll(context, caller, input) }),
  defineEndpoint('logInByGet', {
    sameAs: 'logIn',
    writes: true,
    handle: ({ context, caller, input }) => logInWithAll(context, caller, input),
  }),
  verifyPasswordEndpoint,
  { ...verifyPasswordEndpoint, name: 'verifyPasswordByGet', method: 'GET', sameAs: 'verifyPassword', textQuery: true },
  defineEndpoint('challenge', {
    handle: ({ context, caller, input }) => challengeProviders(context, caller, input as ChallengeInput),
  }),
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
