import { z } from 'zod'
import { byOperator, limit, role } from './consoleFields.ts'
import type { EndpointContract } from './EndpointContract.ts'
import { fields, instant, nothing, text } from './fields.ts'
import { activityRecord, sessionRecord, signInMethodsRecord } from './records.ts'
import { named, typed } from './typeNames.ts'

const status = named('UserStatus', z.enum(['active', 'disabled', 'deleting']))
const filter = named('UserFilter', z.enum(['all', 'disabled', 'deleting', 'unverified', 'guests', 'operators']))

const userRow = named(
  'ConsoleUserRow',
  z.strictObject({
    objectId: z.string(),
    username: z.string(),
    email: z.string().optional(),
    emailVerified: z.boolean().optional(),
    createdAt: instant,
    lastSeenAt: instant.optional(),
    status,
    isGuest: z.boolean(),
    operator: role.optional(),
    wallets: z.number(),
  }),
)

const userDetails = named(
  'ConsoleUserRecord',
  userRow
    .extend({
      deletedAt: instant.optional().describe('Time of permanent deletion, if its owner has deleted the account.'),
      fields: fields.describe('Custom fields of the user.'),
      signInMethods: signInMethodsRecord,
      secondFactor: z.boolean(),
      sessions: z.array(typed(sessionRecord, sessionRecord.partial())),
      roles: z.array(z.string()),
      activity: z.array(activityRecord),
      objects: z
        .array(z.strictObject({ className: z.string(), count: z.number(), isMore: z.boolean() }))
        .describe('Number of objects of each class the user can write; `isMore` if there are more than counted.'),
    })
    .describe('One user, as operators see them.'),
)

/** Endpoints of the operator's console for users and their accounts. */
export const consoleUsers = {
  listConsoleUsers: {
    method: 'GET',
    path: '/console/users',
    summary: 'Users by name, email address, id or wallet, newest first.',
    access: 'operator',
    textQuery: true,
    input: z.object({
      search: text(200).optional(),
      filter: filter.optional(),
      after: text(100).optional(),
      limit,
    }),
    output: z.strictObject({ results: z.array(userRow), next: z.string().optional() }),
  },
  getConsoleUser: {
    method: 'GET',
    path: '/console/users/:objectId',
    summary: 'A user: profile, sign-in methods, sessions, roles, activity and objects.',
    ...byOperator,
    output: userDetails,
  },
  exportConsoleUser: {
    method: 'GET',
    path: '/console/users/:objectId/export',
    summary: 'Export everything stored about a user as one JSON text.',
    ...byOperator,
    operators: ['admin'],
    output: fields,
  },
  disableUser: {
    method: 'POST',
    path: '/console/users/:objectId/disable',
    summary: 'Lock an account and end its sessions.',
    ...byOperator,
    operators: ['admin', 'support'],
    output: z.strictObject({ status }),
  },
  enableUser: {
    method: 'POST',
    path: '/console/users/:objectId/enable',
    summary: 'Unlock an account, with its former access list.',
    ...byOperator,
    operators: ['admin', 'support'],
    output: z.strictObject({ status }),
  },
  signOutUser: {
    method: 'POST',
    path: '/console/users/:objectId/signOut',
    summary: 'End all sessions of a user.',
    ...byOperator,
    operators: ['admin', 'support'],
    output: z.strictObject({ revoked: z.number() }),
  },
  verifyUserEmail: {
    method: 'POST',
    path: '/console/users/:objectId/verifyEmail',
    summary: "Mark a user's email address as verified.",
    ...byOperator,
    operators: ['admin', 'support'],
    output: nothing,
  },
  sendUserReset: {
    method: 'POST',
    path: '/console/users/:objectId/sendReset',
    summary: 'Mail a user a link that sets a new password.',
    ...byOperator,
    operators: ['admin', 'support'],
    output: nothing,
  },
  impersonateUser: {
    method: 'POST',
    path: '/console/users/:objectId/impersonate',
    summary: 'Open a marked session of a user for at most one hour.',
    ...byOperator,
    operators: ['admin'],
    output: z.strictObject({
      user: z.strictObject({ objectId: z.string(), username: z.string() }),
      expiresAt: instant,
      sessionToken: z.string().optional(),
    }),
  },
  deleteConsoleUser: {
    method: 'DELETE',
    path: '/console/users/:objectId',
    summary: 'Delete a user permanently.',
    ...byOperator,
    operators: ['admin'],
    output: nothing,
  },
} as const satisfies Record<string, EndpointContract>
