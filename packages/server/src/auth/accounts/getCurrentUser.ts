import type { UserRecord, WireFields } from '@countersign/protocol'
import type { HeldSession } from '../../caches/createSessionCache.ts'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { defineEndpoint } from '../../endpoint/defineEndpoint.ts'
import { type Responded, respond } from '../../endpoint/respond.ts'
import { requireSession } from '../../users/sessions/sessions.ts'
import { echoAuthData } from '../parseCompat/readAuthData.ts'
import { addIdentities } from '../providers/identities.ts'

export const getCurrentUserEndpoint = defineEndpoint('getCurrentUser', {
  async handle({ context, caller }) {
    const session = requireSession(caller)
    // Identities may change on another server, of which the session's cache here hears nothing.
    if (context.authProviders.size > 0) return describeOwnUser(context, caller, session)
    session.ownUser ??= await describeOwnUser(context, caller, session)
    return session.ownUser as Responded<UserRecord>
  },
})

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
