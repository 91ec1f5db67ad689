import { z } from 'zod'

const seconds = (least: number, most: number) => z.coerce.number().int().min(least).max(most)

/** An API of the operator's own that checks access tokens of this server. */
const resource = z.strictObject({
  /** Resource indicator (RFC 8707) that clients request, and the audience of its tokens. */
  url: z.url({ protocol: /^https?$/, error: 'must be a full https:// address' }).max(500),
  scopes: z
    .array(z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,100}$/, 'must be an OAuth scope, such as orders:read'))
    .max(100)
    .default([]),
  /** `jwt`: the API verifies tokens without the server, until they expire. `opaque`: it calls the introspection endpoint. */
  accessTokens: z.enum(['jwt', 'opaque']).default('jwt'),
})

/** The OpenID provider: other applications sign people in with their account here. */
export const oidcSchema = z.strictObject({
  enabled: z.boolean().default(true),
  /** Allows any application to register as a client. */
  dynamicRegistration: z.boolean().default(false),
  /** Hosts whose client metadata documents are accepted, or `*` for every public host. None by default. */
  metadataHosts: z
    .array(z.string().regex(/^(\*|[a-z0-9.-]+(:\d{1,5})?)$/, 'must be a host such as app.example.com, or *'))
    .max(100)
    .default([]),
  resources: z.array(resource).max(20).default([]),
  /** Seconds that an access token is valid. */
  accessTokenLength: seconds(60, 86_400).default(3_600),
  /** Seconds after which an app that was not used loses its access. */
  refreshTokenLength: seconds(3_600, 365 * 86_400).default(30 * 86_400),
})
