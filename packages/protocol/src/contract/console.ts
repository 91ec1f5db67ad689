import { z } from 'zod'
import { byOperator, page, role } from './consoleFields.ts'
import type { EndpointContract } from './EndpointContract.ts'
import { byId, className, instant, listOf, nothing, objectId, text } from './fields.ts'

const operation = z.enum(['find', 'get', 'count', 'create', 'update', 'delete', 'addField'])

const operatorRecord = z.strictObject({
  objectId: z.string(),
  username: z.string(),
  email: z.string().optional(),
  role,
  since: instant,
  secondFactor: z.boolean(),
})

const figure = z.strictObject({
  at: instant,
  requests: z.number(),
  refused: z.number(),
  failed: z.number(),
  median: z.number().optional(),
  p95: z.number().optional(),
  signUps: z.number(),
  signIns: z.record(z.string(), z.number()),
  sockets: z.number(),
})

const roleRow = z.strictObject({
  objectId: z.string(),
  name: z.string(),
  users: z.number(),
  isMore: z.boolean(),
  roles: z.number(),
  tokenGates: z.number(),
})

const person = z.strictObject({ objectId: z.string(), username: z.string().optional() })

/** The operator's console. Who is no operator is answered as if none of it was there (404). */
export const operatorConsole = {
  getConsole: {
    method: 'GET',
    path: '/console',
    summary: 'The role of the operator who asks, and what the console offers to it.',
    access: 'operator',
    output: z.strictObject({
      role,
      areas: z.array(z.string()),
      appName: z.string(),
      version: z.string(),
      production: z.boolean(),
    }),
  },
  claimConsole: {
    method: 'POST',
    path: '/console/claim',
    summary: 'Become an operator by the secret of a one-time link.',
    input: z.object({ token: text(200).min(1) }),
    output: z.strictObject({ role }),
    reasons: ['linkExpired'],
  },
  endImpersonation: {
    method: 'POST',
    path: '/console/impersonation/end',
    summary: 'End a session that an operator opened for a user; a browser goes back to the session of the operator.',
    output: z.strictObject({ sessionToken: z.string().optional() }),
  },
  getOverview: {
    method: 'GET',
    path: '/console/overview',
    summary:
      'What the server does: users, requests, sign-ins, sockets, jobs, database and chains, over time. Operators.',
    access: 'operator',
    textQuery: true,
    input: z.object({ range: z.enum(['hour', 'day', 'week', 'month']).optional() }),
    output: z.strictObject({
      at: instant,
      range: z.enum(['hour', 'day', 'week', 'month']),
      step: z.number(),
      users: z.strictObject({
        total: z.number(),
        newToday: z.number(),
        activeToday: z.number(),
        activeMonth: z.number(),
      }),
      sessions: z.number(),
      sockets: z.number(),
      jobs: z.strictObject({ waiting: z.number(), failedToday: z.number(), doneToday: z.number() }),
      database: z.strictObject({ kind: z.enum(['embedded', 'postgres']), size: z.number() }),
      server: z.strictObject({ version: z.string(), node: z.string(), startedAt: instant }),
      chains: z.array(
        z.strictObject({
          chain: z.number(),
          block: z.number(),
          head: z.number(),
          lag: z.number(),
          status: z.string(),
          error: z.string().optional(),
        }),
      ),
      series: z.array(figure),
    }),
  },
  testAccess: {
    method: 'GET',
    path: '/console/access',
    summary: 'Whether a user, or a guest, may do something with a class or an object, and what decides it. Operators.',
    access: 'operator',
    textQuery: true,
    input: z.object({
      user: objectId.optional().describe('The id or the name of a user; a guest unless given'),
      className: className.min(1),
      objectId: objectId.optional(),
      operation,
    }),
    output: z.strictObject({
      isAllowed: z.boolean(),
      isFound: z.boolean().optional(),
      roles: z.array(z.strictObject({ name: z.string(), path: z.array(z.string()) })),
      steps: z.array(
        z.strictObject({
          rule: z.string(),
          outcome: z.enum(['allows', 'refuses', 'limits']),
          entry: z.string().optional(),
          path: z.array(z.string()).optional(),
          holds: z.array(z.string()).optional(),
        }),
      ),
    }),
  },
  listConsoleRoles: {
    method: 'GET',
    path: '/console/roles',
    summary:
      'Roles by name, page by page: those at the top of the tree, those below one, or those with a text in their name. Operators.',
    access: 'operator',
    textQuery: true,
    input: z.object({ search: text(200).optional(), parent: objectId.optional(), ...page }),
    output: z.strictObject({ results: z.array(roleRow), next: z.string().optional() }),
  },
  getConsoleRole: {
    method: 'GET',
    path: '/console/roles/:objectId',
    summary: 'One role: how many members it has, which roles hold it, and who may read and change it. Operators.',
    ...byOperator,
    output: roleRow.extend({
      createdAt: instant,
      parents: z.array(z.strictObject({ objectId: z.string(), name: z.string() })),
      readers: z.array(z.string()),
      writers: z.array(z.string()),
    }),
  },
  listRoleMembers: {
    method: 'GET',
    path: '/console/roles/:objectId/members',
    summary: 'The users that a role lists itself, page by page. Operators.',
    ...byOperator,
    textQuery: true,
    input: z.object({ search: text(200).optional(), ...page }),
    output: z.strictObject({
      results: z.array(
        z.strictObject({
          objectId: z.string(),
          username: z.string(),
          email: z.string().optional(),
          isGated: z.boolean(),
        }),
      ),
      next: z.string().optional(),
    }),
  },
  listConsoleFiles: {
    method: 'GET',
    path: '/console/files',
    summary: 'Stored files by name or owner, newest first, page by page. Operators with the role admin or viewer.',
    access: 'operator',
    textQuery: true,
    input: z.object({ search: text(200).optional(), ...page }),
    output: z.strictObject({
      results: z.array(
        z.strictObject({
          name: z.string(),
          type: z.string(),
          size: z.number(),
          store: z.string(),
          url: z.string(),
          createdAt: instant,
          ipfs: z.string().optional(),
          owner: person.optional(),
        }),
      ),
      next: z.string().optional(),
    }),
  },
  listTokenGateHolders: {
    method: 'GET',
    path: '/console/tokenGates/:objectId/holders',
    summary: 'The wallets that pass a token gate, page by page. Operators with the role admin or viewer.',
    ...byOperator,
    textQuery: true,
    input: z.object(page),
    output: z.strictObject({
      results: z.array(z.strictObject({ address: z.string(), amount: z.string(), seenAt: instant, user: person })),
      next: z.string().optional(),
    }),
  },
  listMailLog: {
    method: 'GET',
    path: '/console/mail',
    summary:
      'What became of mails that were sent by SMTP, newest first, page by page. Never what they say. Operators with the role admin.',
    access: 'operator',
    textQuery: true,
    input: z.object({
      search: text(400).optional().describe('A part of the address'),
      outcome: z.enum(['all', 'sent', 'failed']).optional(),
      ...page,
    }),
    output: z.strictObject({
      isSending: z.boolean().describe('Whether mails are sent by SMTP; otherwise they lie in the outbox'),
      days: z.number().describe('How long entries are kept'),
      results: z.array(
        z.strictObject({
          objectId: z.string(),
          to: z.string(),
          kind: z.enum([
            'verification',
            'passwordReset',
            'signInCode',
            'newDevice',
            'accountChanged',
            'emailChanged',
            'application',
          ]),
          sentAt: instant,
          milliseconds: z.number(),
          error: z.string().optional(),
        }),
      ),
      next: z.string().optional(),
    }),
  },
  getSettings: {
    method: 'GET',
    path: '/console/settings',
    summary: 'The settings as they hold, each with its source; what may be secret is left out. Operators.',
    access: 'operator',
    output: listOf(
      z.strictObject({
        name: z.string(),
        source: z.enum(['default', 'file', 'environment', 'commandLine']),
        value: z.string().optional(),
        isSecret: z.boolean(),
        isSet: z.boolean(),
      }),
    ),
  },
  listOperators: {
    method: 'GET',
    path: '/console/operators',
    summary: 'Who may use the console, and in which role. Operators.',
    access: 'operator',
    output: listOf(operatorRecord),
  },
  setOperator: {
    method: 'PUT',
    path: '/console/operators/:objectId',
    summary: 'Make a user an operator, or give an operator another role. Operators with the role admin.',
    access: 'operator',
    params: byId,
    input: z.object({ role }),
    output: operatorRecord,
    reasons: ['lastAdmin'],
  },
  removeOperator: {
    method: 'DELETE',
    path: '/console/operators/:objectId',
    summary: 'Take the console from a user. Operators with the role admin.',
    access: 'operator',
    params: byId,
    output: nothing,
    reasons: ['lastAdmin'],
  },
  createOperatorLink: {
    method: 'POST',
    path: '/console/operatorLinks',
    summary:
      'A link that makes the first person who opens it an operator, for 24 hours. Operators with the role admin.',
    access: 'operator',
    status: 201,
    input: z.object({ role: role.optional() }),
    output: z.strictObject({ url: z.string(), role, expiresAt: instant }),
  },
} as const satisfies Record<string, EndpointContract>
