import { z } from 'zod'
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
  async handle(context, caller) {
    const { objectId, token } = needSession(caller)
    return { ...(await getSession(context, caller, objectId)), sessionToken: token }
  },
}

const rows: Endpoint[] = [
  defineEndpoint('createSession', {
    summary: 'Open a further session for the same user.',
    status: 201,
    location: (output) => `/sessions/${(output as { objectId: string }).objectId}`,
    handle: (context, caller) => openSession(context, caller),
  }),
  defineEndpoint('updateSession', {
    summary: "Write fields of the application's own into a session.",
    input: z.looseObject({}),
    handle: (context, caller, input, params) => updateSession(context, caller, one(params), input),
  }),
  defineEndpoint('revokeSession', {
    summary: 'End a session, at once and everywhere.',
    handle: (context, caller, _input, params) => revokeSession(context, caller, one(params)),
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
    handle: (context, caller) => revokeOtherSessions(context, caller),
  }),
]
