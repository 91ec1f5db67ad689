import { z } from 'zod'
import { scopeLimits } from '../scopes.ts'
import type { EndpointContract } from './EndpointContract.ts'
import { byId, instant, listOf, nothing, objectId, text } from './fields.ts'
import { named } from './typeNames.ts'

const tokenRecord = named(
  'AccessTokenRecord',
  z.strictObject({
    objectId: z.string(),
    name: z.string(),
    kind: z.enum(['personal', 'oauth', 'service', 'operator']),
    scopes: z.array(z.string()),
    hint: z.string().describe('Last letters of the token'),
    addresses: z.array(z.string()).describe('Addresses and networks that may use it; empty for all'),
    createdAt: instant,
    expiresAt: instant.optional(),
    lastUsedAt: instant.optional(),
    lastAddress: z.string().optional(),
    service: z.string().optional().describe('Name of the service account'),
    client: z.string().optional().describe('OAuth client'),
    madeBy: z.string().optional().describe('Operator who made it. It ends when the operator loses the role admin'),
    replacedBy: z.string().optional().describe('Token that replaces it'),
  }),
)

const newToken = named('NewAccessTokenRecord', tokenRecord.extend({ token: z.string().describe('Shown once') }))

const serviceRecord = named(
  'ServiceRecord',
  z.strictObject({
    objectId: z.string(),
    name: z.string().describe('In access lists as `service:` and this name'),
    roles: z.array(z.string()),
    keys: z.int(),
    createdAt: instant,
    lastUsedAt: instant.optional(),
  }),
)

const year = 366 * 24 * 3600

const draft = z.object({
  name: text(scopeLimits.name).min(1),
  scopes: z.array(text(scopeLimits.scope)).max(scopeLimits.scopes),
  addresses: z.array(text(64)).max(scopeLimits.addresses).optional().describe('Addresses and networks; all if absent'),
})

const expiresIn = z.int().min(60).max(year).describe('Seconds')

const operators = ['admin', 'viewer'] as const

const keyReasons = ['hiddenCharacters', 'invalidScope', 'tooManyTokens'] as const

/** Tokens with a scope: of persons, service accounts and operators. */
export const accessTokens = {
  listAccessTokens: {
    method: 'GET',
    path: '/auth/tokens',
    access: 'user',
    summary: 'Access tokens of the account, newest first.',
    output: listOf(tokenRecord),
  },
  createAccessToken: {
    method: 'POST',
    path: '/auth/tokens',
    access: 'user',
    status: 201,
    summary: 'Create a personal access token, shown once. Needs a recent proof.',
    input: draft.extend({ expiresIn: expiresIn.default(90 * 24 * 3600) }),
    output: newToken,
    reasons: [...keyReasons, 'reauthenticationRequired'],
  },
  revokeAccessToken: {
    method: 'DELETE',
    path: '/auth/tokens/:objectId',
    access: 'user',
    summary: 'Revoke an access token of the account, on all servers at once.',
    params: byId,
    output: nothing,
    reasons: ['objectNotFound'],
  },
  getAccessToken: {
    method: 'GET',
    path: '/auth/token',
    scope: 'any',
    list: 'operator',
    summary: 'The token of this request, with its scopes.',
    output: tokenRecord,
    reasons: ['invalidSessionToken'],
  },
  listScopes: {
    method: 'GET',
    path: '/console/scopes',
    access: 'operator',
    operators,
    summary: 'Scopes with the endpoints that each opens.',
    output: listOf(
      z.strictObject({
        scope: z.string(),
        meaning: z.string(),
        holders: z.array(z.string()),
        endpoints: z.array(
          z.strictObject({ name: z.string(), method: z.string(), path: z.string(), summary: z.string() }),
        ),
      }),
    ),
  },
  listServices: {
    method: 'GET',
    path: '/console/services',
    access: 'operator',
    operators,
    summary: 'Service accounts.',
    output: listOf(serviceRecord),
  },
  createService: {
    method: 'POST',
    path: '/console/services',
    access: 'operator',
    operators: ['admin'],
    status: 201,
    summary: 'Create a service account. Its name never changes: access lists have it.',
    input: z.object({
      name: text(scopeLimits.name).regex(/^[A-Za-z][\w-]*$/, 'must have letters, digits, - and _ only'),
      roles: z.array(objectId).max(100).optional().describe('Names of roles'),
    }),
    output: serviceRecord,
    reasons: ['serviceNameTaken', 'objectNotFound', 'tooManyTokens'],
  },
  updateService: {
    method: 'PUT',
    path: '/console/services/:objectId',
    access: 'operator',
    operators: ['admin'],
    summary: 'Change the roles of a service account.',
    params: byId,
    input: z.object({ roles: z.array(objectId).max(100).describe('Names of roles') }),
    output: serviceRecord,
    reasons: ['objectNotFound'],
  },
  deleteService: {
    method: 'DELETE',
    path: '/console/services/:objectId',
    access: 'operator',
    operators: ['admin'],
    summary: 'Delete a service account and revoke its keys.',
    params: byId,
    output: nothing,
    reasons: ['objectNotFound'],
  },
  listAccessKeys: {
    method: 'GET',
    path: '/console/accessKeys',
    access: 'operator',
    operators,
    summary: 'Keys of service accounts and of operators, newest first.',
    output: listOf(tokenRecord),
  },
  createAccessKey: {
    method: 'POST',
    path: '/console/accessKeys',
    access: 'operator',
    operators: ['admin'],
    status: 201,
    summary: 'Create a key with scopes, shown once: of a service account, or in place of the master key.',
    input: draft.extend({
      service: objectId.optional().describe('Service account that it acts for; an operator key if absent'),
      expiresIn: expiresIn.optional().describe('Seconds; without end if absent'),
    }),
    output: newToken,
    reasons: [...keyReasons, 'objectNotFound'],
  },
  rotateAccessKey: {
    method: 'POST',
    path: '/console/accessKeys/:objectId/rotate',
    access: 'operator',
    operators: ['admin'],
    status: 201,
    summary: 'Create a key that replaces this one. Both are valid for a while.',
    params: byId,
    input: z.object({
      overlap: z
        .int()
        .min(0)
        .max(30 * 24 * 3600)
        .default(24 * 3600)
        .describe('Seconds for which the former key stays valid'),
    }),
    output: newToken,
    reasons: ['objectNotFound'],
  },
  revokeAccessKey: {
    method: 'DELETE',
    path: '/console/accessKeys/:objectId',
    access: 'operator',
    operators: ['admin'],
    summary: 'Revoke a key of a service account or of operators, on all servers at once.',
    params: byId,
    output: nothing,
    reasons: ['objectNotFound'],
  },
} as const satisfies Record<string, EndpointContract>
