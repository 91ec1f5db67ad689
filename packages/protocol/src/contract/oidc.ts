import { z } from 'zod'
import type { EndpointContract } from './EndpointContract.ts'
import { instant, listOf, nothing, text } from './fields.ts'
import { named } from './typeNames.ts'

const address = text(2_000).min(1)
const addresses = z.array(address).max(20)

const client = z.object({
  name: text(80).trim().min(1).describe('Shown to people who are asked for consent'),
  kind: z.enum(['web', 'public']).describe('web: a server with a secret. public: a page, a native app, a terminal'),
  redirectUris: addresses.describe('Full https:// addresses, compared exactly. Loopback addresses may be http://'),
  postLogoutRedirectUris: addresses.optional(),
  backchannelLogoutUri: address.optional(),
  website: z
    .url({ protocol: /^https?$/ })
    .max(500)
    .optional(),
  tokenAuth: z.enum(['basic', 'post']).optional().describe('Sending of the secret'),
  isPairwise: z.boolean().optional().describe('Gives the client ids of its own for people'),
  device: z.boolean().optional().describe('Allows the device flow, for terminals and televisions'),
  isTrusted: z.boolean().optional().describe('An application of your own: people are not asked for consent'),
})

const clientRecord = named(
  'OidcClientRecord',
  z
    .strictObject({
      clientId: z.string(),
      name: z.string(),
      kind: z.enum(['web', 'public']),
      redirectUris: z.array(z.string()),
      postLogoutRedirectUris: z.array(z.string()),
      backchannelLogoutUri: z.string().optional(),
      website: z.string().optional(),
      tokenAuth: z.enum(['basic', 'post']).optional(),
      isPairwise: z.boolean(),
      device: z.boolean(),
      isTrusted: z.boolean(),
      isRegistered: z.boolean().describe('Self-registered.'),
      users: z.int().describe('Accounts connected to it.'),
      createdAt: instant,
      updatedAt: instant,
    })
    .describe('An application that signs people in with their account here.'),
)

const withSecret = clientRecord.extend({ secret: z.string().optional().describe('Shown once.') })
const byClient = z.object({ clientId: text(200).min(1) })
const byRequest = z.object({ uid: text(64).min(1) })

const connectedApp = named(
  'ConnectedApp',
  z
    .strictObject({
      id: z.string(),
      clientId: z.string(),
      name: z.string(),
      host: z.string().optional().describe('Host of its website.'),
      scopes: z.array(z.string()),
      connectedAt: instant,
      lastUsedAt: instant.optional(),
    })
    .describe('An application that a user gave access to their account.'),
)

const authorizationRequest = named(
  'AuthorizationRequest',
  z
    .strictObject({
      client: z.strictObject({
        name: z.string(),
        host: z.string().describe('Host that people return to.'),
        origin: z
          .enum(['operator', 'registered', 'document'])
          .describe(
            'operator: created by an operator. registered: self-registered. document: from its metadata document.',
          ),
      }),
      scopes: z.array(z.string()),
      granted: z.array(z.string()).describe('Scopes that the user has granted before.'),
      resource: z.string().optional().describe('API that the access is for.'),
      needs: z.enum(['signIn', 'confirmation', 'consent', 'nothing']),
      hint: z.string().optional(),
      userCode: z.string().optional().describe('Code on the device, in the device flow.'),
    })
    .describe('A request of an application to sign a person in.'),
)

/** Endpoints of the OpenID provider besides those of the protocol itself, which are at `/oidc`. */
export const oidc = {
  getAuthorizationRequest: {
    method: 'GET',
    path: '/oidc/requests/:uid',
    list: 'operator',
    summary: 'Get the request of an application. Works only in the browser that it redirected.',
    session: 'tolerated',
    params: byRequest,
    output: authorizationRequest,
    reasons: ['authorizationRequestExpired'],
  },
  answerAuthorizationRequest: {
    method: 'POST',
    path: '/oidc/requests/:uid',
    list: 'operator',
    summary: 'Allow or refuse. The response has the address to go on to.',
    session: 'tolerated',
    params: byRequest,
    input: z.object({
      allow: z.boolean(),
      scopes: z.array(text(100)).max(100).optional().describe('Granted scopes of those requested; all by default'),
    }),
    output: z.strictObject({ location: z.string() }),
    reasons: ['authorizationRequestExpired', 'reauthenticationRequired'],
  },
  listConnectedApps: {
    method: 'GET',
    path: '/auth/connectedApps',
    access: 'user',
    summary: 'Applications with access to your account.',
    output: listOf(connectedApp),
  },
  disconnectApp: {
    method: 'DELETE',
    path: '/auth/connectedApps/:id',
    access: 'user',
    summary: 'End the access of an application at once.',
    params: z.object({ id: text(100).min(1) }),
    output: nothing,
    reasons: ['objectNotFound'],
  },
  listOidcClients: {
    method: 'GET',
    path: '/console/oidcClients',
    access: 'master',
    summary: 'Clients of the OpenID provider.',
    output: listOf(clientRecord),
  },
  createOidcClient: {
    method: 'POST',
    path: '/console/oidcClients',
    access: 'master',
    status: 201,
    summary: 'Create a client of the OpenID provider. Its secret is shown once.',
    input: client,
    output: withSecret,
    reasons: ['hiddenCharacters', 'invalidRedirectUri'],
  },
  updateOidcClient: {
    method: 'PUT',
    path: '/console/oidcClients/:clientId',
    access: 'master',
    summary: 'Change a client, or renew its secret.',
    params: byClient,
    input: client.omit({ kind: true }).partial().extend({ renewSecret: z.boolean().optional() }),
    output: withSecret,
    reasons: ['hiddenCharacters', 'invalidRedirectUri', 'objectNotFound'],
  },
  deleteOidcClient: {
    method: 'DELETE',
    path: '/console/oidcClients/:clientId',
    access: 'master',
    summary: 'Delete a client and all access that people gave it.',
    params: byClient,
    output: nothing,
    reasons: ['objectNotFound'],
  },
  rotateSigningKeys: {
    method: 'POST',
    path: '/console/oidcKeys',
    access: 'master',
    summary: 'Sign ID tokens with new keys. The former ones stay published for two days.',
    output: z.strictObject({ keys: z.array(z.strictObject({ kid: z.string(), alg: z.string() })) }),
  },
} as const satisfies Record<string, EndpointContract>
