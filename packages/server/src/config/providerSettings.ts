import { z } from 'zod'

const url = z.url({ protocol: /^https?$/, error: 'must be a full https:// address' })
const word = (most: number) => z.string().min(1).max(most)

/** Providers with built-in settings. */
export const readyProviders = ['google', 'apple', 'github', 'discord', 'x', 'microsoft', 'gitlab', 'twitch'] as const

export type ReadyProvider = (typeof readyProviders)[number]

/** One provider of OpenID Connect or OAuth 2 that people sign in with in the browser. */
const providerSchema = z.strictObject({
  /** `oidc`, or a ready provider under another name. */
  type: z.enum(['oidc', ...readyProviders]).optional(),
  enabled: z.boolean().optional(),
  /** Label of the button. */
  label: word(40).optional(),
  /** Of `oidc`, and of a GitLab of your own. */
  issuer: url.optional(),
  clientId: word(500),
  /** Without it a ready provider takes ID tokens of native apps alone. */
  clientSecret: word(2_000).optional(),
  /** Method of sending the secret to the token endpoint. */
  tokenAuth: z.enum(['post', 'basic']).optional(),
  /** Further client ids whose ID tokens native apps may bring. */
  clientIds: z.array(word(500)).max(20).default([]),
  scopes: z
    .array(z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/, 'must be an OAuth scope, such as email'))
    .max(30)
    .optional(),
  /** Hosts besides the issuer's that the server may connect to, where its discovery document names others. */
  hosts: z
    .array(z.string().regex(/^[a-z0-9.-]+(:\d{1,5})?$/, 'must be a host such as keys.example.com'))
    .max(20)
    .default([]),
  /** Trusts the provider's verification of email addresses. */
  trustEmail: z.boolean().optional(),
  /** Seconds after which an ID token of a native app is too old. */
  maxTokenAge: z.number().int().min(60).max(86_400).default(3_600),
  policy: z.enum(['default', 'solo']).default('default'),
  /** Of Microsoft: a tenant, `common`, `organizations` or `consumers`. */
  tenant: z
    .string()
    .regex(/^[A-Za-z0-9.-]{1,200}$/, 'must be a tenant ID or domain')
    .optional(),
  /** Of Apple, in place of a secret: the key that signs one for each request. */
  teamId: word(100).optional(),
  keyId: word(100).optional(),
  privateKey: word(5_000).optional(),
  /** Of GitHub, Discord and X where they are elsewhere, such as GitHub Enterprise. */
  authorizationUrl: url.optional(),
  tokenUrl: url.optional(),
  profileUrl: url.optional(),
  emailsUrl: url.optional(),
})

export type ProviderSettings = z.output<typeof providerSchema>

/**
 * The setting of a provider that the server knows how to ask, or `undefined` for one with an adapter. Throws a sentence
 * about what is wrong with it.
 */
export function readProviderSettings(
  name: string,
  given: { [name: string]: unknown },
): (ProviderSettings & { kind: 'oidc' | ReadyProvider }) | undefined {
  const isReady = (readyProviders as readonly string[]).includes(name)
  const hasAdapter = given.module !== undefined || Object.values(given).some((value) => typeof value === 'function')
  if (hasAdapter || !(isReady || given.type !== undefined)) return undefined
  const read = providerSchema.safeParse(given)
  if (!read.success) {
    const [issue] = read.error.issues
    throw new Error(`${issue?.path.join('.') ?? ''} ${issue?.message ?? 'is invalid'}`.trim())
  }
  const settings = { ...read.data, kind: read.data.type ?? (name as ReadyProvider) }
  if (settings.kind === 'oidc' && !settings.issuer) throw new Error('issuer is required.')
  return settings
}
