import type { SessionRecord, WireChanges, WireFields } from '@countersign/protocol'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { defineEndpoint } from '../endpoint/defineEndpoint.ts'
import type { HandlerRequest } from '../endpoint/Endpoint.ts'
import { checkWrite } from '../permissions/checkWrite.ts'
import { hiddenFields, stripHidden } from '../permissions/hiddenFields.ts'
import { accessOf } from '../roles/accessOf.ts'
import { getSession, openSession, requireSession } from '../users/sessions/sessions.ts'
import { updateSession } from '../users/sessions/updateSession.ts'

export const createSessionEndpoint = defineEndpoint('createSession', {
  location: (output) => `/sessions/${(output as { objectId: string }).objectId}`,
  async handle({ context, caller }) {
    await checkWrite(context, caller, '_Session', 'create', {})
    return withoutHidden(context, caller, await openSession(context, caller))
  },
})

export const updateSessionEndpoint = defineEndpoint('updateSession', {
  async handle({ context, caller, input, params }) {
    const changes = input as WireChanges
    await checkWrite(context, caller, '_Session', 'update', changes)
    return withoutUnaskable(context, caller, await updateSession(context, caller, params.objectId, changes))
  },
})

export const getCurrentSessionEndpoint = defineEndpoint('getCurrentSession', { handle: getOwnSession })

export const upgradeToRevocableSessionEndpoint = defineEndpoint('upgradeToRevocableSession', { handle: getOwnSession })

/** The older clients read their token back from here. */
async function getOwnSession({ context, caller }: Pick<HandlerRequest, 'context' | 'caller'>): Promise<SessionRecord> {
  const { objectId, token } = requireSession(caller)
  const session = await withoutHidden(context, caller, await getSession(context, caller, objectId))
  return { ...session, sessionToken: token }
}

async function withoutHidden(context: Context, caller: Caller, session: SessionRecord): Promise<SessionRecord> {
  const access = await accessOf(context, caller)
  const schema = context.classes.get('_Session')
  const hidden = hiddenFields(context.config, schema, access)
  return stripHidden(hidden, schema, access, session as unknown as WireFields) as unknown as SessionRecord
}

/** Removes fields that the caller may not read from the result of operations. */
async function withoutUnaskable<Answer extends WireFields>(
  context: Context,
  caller: Caller,
  answer: Answer,
): Promise<Answer> {
  const access = await accessOf(context, caller)
  const { unaskable } = hiddenFields(context.config, context.classes.get('_Session'), access)
  return Object.fromEntries(Object.entries(answer).filter(([name]) => !unaskable.has(name))) as Answer
}
