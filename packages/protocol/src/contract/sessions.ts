import { z } from 'zod'
import type { EndpointContract } from './EndpointContract.ts'
import { byId, fields, instant, nothing } from './fields.ts'
import { sessionRecord } from './records.ts'

/** An operator may hide any field but these. */
const visibleSession = sessionRecord.partial().required({ objectId: true, createdAt: true, updatedAt: true })

export const sessions = {
  createSession: {
    method: 'POST',
    path: '/sessions',
    summary: 'Open a further session for the same user.',
    status: 201,
    input: fields,
    output: visibleSession,
    reasons: ['reauthenticationRequired'],
  },
  updateSession: {
    method: 'PUT',
    path: '/sessions/:objectId',
    summary: "Write fields of the application's own into a session.",
    params: byId,
    input: fields,
    output: z.looseObject({ updatedAt: instant.optional() }),
    reasons: ['objectNotFound'],
  },
  revokeSession: {
    method: 'DELETE',
    path: '/sessions/:objectId',
    summary: 'End a session, at once and everywhere.',
    params: byId,
    output: nothing,
    reasons: ['invalidSessionToken'],
  },
  getCurrentSession: {
    method: 'GET',
    path: '/sessions/me',
    summary: 'The session of this request.',
    output: visibleSession,
  },
  upgradeToRevocableSession: {
    method: 'POST',
    path: '/upgradeToRevocableSession',
    summary: 'For older clients: every session is revocable.',
    output: visibleSession,
  },
  revokeOtherSessions: {
    method: 'POST',
    path: '/revokeOtherSessions',
    summary: 'End every session of the caller but this one.',
    output: z.strictObject({ revoked: z.int() }),
  },
} as const satisfies Record<string, EndpointContract>
