import type { UserRecord, WireChanges, WireValue } from '@countersign/protocol'
import type { Context } from '../../context/Context.ts'
import { defineEndpoint } from '../../endpoint/defineEndpoint.ts'
import { respond } from '../../endpoint/respond.ts'
import { checkWrite } from '../../permissions/checkWrite.ts'
import { findSession } from '../../users/sessions/findSession.ts'
import { readAnonymousId, readAuthData } from '../parseCompat/readAuthData.ts'
import { signInByAuthData } from '../parseCompat/signInByAuthData.ts'
import { readProviders } from '../providers/identities.ts'
import { signUpWithAdditional } from '../providers/signInWithProviders.ts'
import { changeMfa, checkMfaSetUp, readMfa, signInWithMfa } from '../secondFactor/olderMfa.ts'

export const signUpEndpoint = defineEndpoint('signUp', {
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

/** Returns true if `authData` contains a sign-in method. Empty values that legacy clients send back change nothing. */
function namesSignInMethod(context: Context, { authData }: WireChanges): boolean {
  const given = authData as WireValue | undefined
  const providers = readProviders(context, given).given
  return (
    readAuthData(given).length > 0 ||
    typeof readAnonymousId(context, given) === 'string' ||
    providers.some(({ provider }) => provider.policy !== 'additional')
  )
}
