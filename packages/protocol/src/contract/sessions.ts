import { z } from 'zod'
import type { EndpointContract } from './EndpointContract.ts'
import { byId, changes, fields, instant, nothing, openObject } from './fields.ts'
import { visibleSession } from './records.ts'
import { typed } from './typeNames.ts'

export const sessions = {
  createSession: {
    method: 'POST',
    path: '/sessions',
    access: 'user',
    list: 'operator',
    summary: 'Open another session for the same user.',
    status: 201,
    input: fields,
    output: visibleSession,
    reasons: ['reauthenticationRequired'],
  },
  updateSession: {
    method: 'PUT',
    path: '/sessions/:objectId',
    summary: 'Write your own fields to a session.',
    params: byId,
    input: changes,
    output: openObject({ updatedAt: typed('string', instant.optional()) }),
    reasons: ['objectNotFound'],
  },
  revokeSession: {
    method: 'DELETE',
    path: '/sessions/:objectId',
    summary: 'End a session immediately.',
    params: byId,
    output: nothing,
    reasons: ['invalidSessionToken'],
  },
  getCurrentSession: {
    method: 'GET',
    path: '/sessions/me',
    access: 'user',
    list: 'operator',
    summary: 'The session of this request.',
    output: visibleSession,
  },
  upgradeToRevocableSession: {
    method: 'POST',
    path: '/upgradeToRevocableSession',
    access: 'user',
    list: 'operator',
    summary: 'For legacy clients. Every session is revocable.',
    output: visibleSession,
  },
  revokeOtherSessions: {
    method: 'POST',
    path: '/revokeOtherSessions',
    access: 'user',
    summary: 'End all other sessions of the user.',
    output: z.strictObject({ revoked: z.int() }),
  },
} as const satisfies Record<string, EndpointContract>
