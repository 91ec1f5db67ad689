import type { SessionRecord, WireFields } from '@countersign/protocol'
import { z } from 'zod'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { checkWrite } from '../../permissions/checkWrite.ts'
import { hiddenFields, stripHidden } from '../../permissions/hiddenFields.ts'
import { accessOf } from '../../roles/accessOf.ts'
import { getSession } from '../../users/getSession.ts'
import { needSession } from '../../users/needSession.ts'
import { openSession } from '../../users/openSession.ts'
import { revokeOtherSessions } from '../../users/revokeOtherSessions.ts'
import { revokeSession } from '../../users/revokeSession.ts'
import { updateSession } from '../../users/updateSession.ts'
import { defineEndpoint, type Endpoint } from '../Endpoint.ts'

const one = (params: Record<string, string>) => params.objectId ?? ''

/** The older clients read their token back from here. */
const ownSession: Pick<Endpoint, 'handle'> = {
  async handle({ context, caller }) {
    const { objectId, token } = needSession(caller)
    return {
      ...(await withoutHidden(context, caller, await getSession(context, caller, objectId))),
      sessionToken: token,
    }
  },
}

async function withoutHidden(context: Context, caller: Caller, session: SessionRecord): Promise<WireFields> {
  const access = await accessOf(context, caller)
  const schema = context.classes.get('_Session')
  return stripHidden(hiddenFields(context.config, schema, access), schema, access, session as unknown as WireFields)
}

/** What operations led to, as far as the caller may see it. */
async function withoutUnaskable(context: Context, caller: Caller, answer: WireFields): Promise<WireFields> {
  const access = await accessOf(context, caller)
  const { unaskable } = hiddenFields(context.config, context.classes.get('_Session'), access)
  return Object.fromEntries(Object.entries(answer).filter(([name]) => !unaskable.has(name)))
}

const rows: Endpoint[] = [
  defineEndpoint('createSession', {
    summary: 'Open a further session for the same user.',
    status: 201,
    location: (output) => `/sessions/${(output as { objectId: string }).objectId}`,
    async handle({ context, caller }) {
      await checkWrite(context, caller, '_Session', 'create', {})
      return withoutHidden(context, caller, await openSession(context, caller))
    },
  }),
  defineEndpoint('updateSession', {
    summary: "Write fields of the application's own into a session.",
    describedInput: z.looseObject({}),
    async handle({ context, caller, input, params }) {
      await checkWrite(context, caller, '_Session', 'update', input)
      return withoutUnaskable(context, caller, await updateSession(context, caller, one(params), input))
    },
  }),
  defineEndpoint('revokeSession', {
    summary: 'End a session, at once and everywhere.',
    handle: ({ context, caller, params }) => revokeSession(context, caller, one(params)),
  }),
]

export const sessionEndpoints: Endpoint[] = [
  ...rows,
  ...rows.map((endpoint) => ({
    ...endpoint,
    name: `${endpoint.name}InClass`,
    path: endpoint.path.replace(/^\/sessions/, '/classes/_Session'),
  })),
  defineEndpoint('getCurrentSession', { summary: 'The session of this request.', ...ownSession }),
  defineEndpoint('upgradeToRevocableSession', {
    summary: 'Kept for older clients: every session is revocable.',
    ...ownSession,
  }),
  defineEndpoint('revokeOtherSessions', {
    summary: 'End every session of the caller but this one.',
    handle: ({ context, caller }) => revokeOtherSessions(context, caller),
  }),
]
