import { z } from 'zod'
import { byOperator, limit, role } from './consoleFields.ts'
import type { EndpointContract } from './EndpointContract.ts'
import { byId, fields, instant, nothing, text } from './fields.ts'
import { activityRecord, sessionRecord, signInMethodsRecord } from './records.ts'
import { named, typed } from './typeNames.ts'

const status = named('UserStatus', z.enum(['active', 'disabled', 'deleting']))
const filter = named('UserFilter', z.enum(['all', 'disabled', 'deleting', 'unverified', 'guests', 'operators']))

const method = named('UserMethod', z.enum(['password', 'wallet', 'passkey', 'provider']))
const order = named(
  'UserOrder',
  z.enum(['createdAt', '-createdAt', 'username', '-username', 'lastSeenAt', '-lastSeenAt']),
)

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
    wallet: z.string().optional().describe('Address of the primary wallet, else of the first one.'),
    methods: z.array(method).describe('Sign-in methods of the account.'),
  }),
)

const roleGrant = named(
  'RoleGrantRecord',
  z
    .strictObject({
      objectId: z.string(),
      name: z.string(),
      isGated: z.boolean().describe('Given by a token gate.'),
      path: z.array(z.string()).describe('Names from the role that lists the user to this one.'),
    })
    .describe('A role of a user, and why they have it.'),
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
      grants: z.array(roleGrant),
      isUndoable: z.boolean().describe('True if an operator scheduled the deletion, which an operator can undo.'),
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
    scope: 'users:read',
    summary: 'Users by name, email address, id or wallet, newest first by default.',
    access: 'operator',
    textQuery: true,
    input: z.object({
      search: text(200).optional(),
      filter: filter.optional(),
      order: order.optional(),
      after: text(1_000).optional(),
      limit,
    }),
    output: z.strictObject({ results: z.array(userRow), next: z.string().optional() }),
  },
  getConsoleUser: {
    method: 'GET',
    path: '/console/users/:objectId',
    scope: 'users:read',
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
    scope: 'users:write',
    summary: 'Lock an account and end its sessions.',
    ...byOperator,
    operators: ['admin', 'support'],
    output: z.strictObject({ status }),
  },
  enableUser: {
    method: 'POST',
    path: '/console/users/:objectId/enable',
    scope: 'users:write',
    summary: 'Unlock an account, with its former access list.',
    ...byOperator,
    operators: ['admin', 'support'],
    output: z.strictObject({ status }),
  },
  signOutUser: {
    method: 'POST',
    path: '/console/users/:objectId/signOut',
    scope: 'users:write',
    summary: 'End all sessions of a user.',
    ...byOperator,
    operators: ['admin', 'support'],
    output: z.strictObject({ revoked: z.number() }),
  },
  endUserSession: {
    method: 'DELETE',
    path: '/console/users/:objectId/sessions/:sessionId',
    scope: 'users:write',
    summary: 'End one session of a user.',
    ...byOperator,
    operators: ['admin', 'support'],
    params: byId.extend({ sessionId: text(100).min(1) }),
    output: nothing,
    reasons: ['objectNotFound', 'operatorForbidden'],
  },
  scheduleUserDeletion: {
    method: 'POST',
    path: '/console/users/:objectId/delete',
    summary: 'Lock an account, to be deleted when the grace period is over.',
    ...byOperator,
    operators: ['admin'],
    output: z.strictObject({ deletedAt: instant }),
    reasons: ['objectNotFound', 'operatorForbidden'],
  },
  undoUserDeletion: {
    method: 'POST',
    path: '/console/users/:objectId/undoDelete',
    summary: 'Keep an account that an operator scheduled for deletion.',
    ...byOperator,
    operators: ['admin'],
    output: z.strictObject({ status }),
    reasons: ['objectNotFound', 'operatorForbidden'],
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
