import { z } from 'zod'
import { fields, instant, openObject, wireDate, wirePointer } from './fields.ts'
import { named, typed } from './typeNames.ts'

export const acl = typed('Acl', z.looseObject({}))

export const userRecord = named(
  'UserRecord',
  openObject({
    objectId: z.string(),
    createdAt: instant,
    updatedAt: instant,
    username: z.string(),
    email: typed('string', z.string().nullish()),
    emailVerified: typed('boolean', z.boolean().nullish()),
    ACL: acl.optional(),
    sessionToken: z
      .string()
      .optional()
      .describe('Only in responses to the user itself, and never if the session is in a cookie.'),
  }).describe("A user, as returned by the server. The application's own fields are included unchanged."),
)

export const mailKind = named(
  'MailKind',
  z
    .enum(['verification', 'passwordReset', 'signInCode', 'newDevice', 'accountChanged', 'emailChanged', 'application'])
    .describe('Kind of an email. `application`: sent by application code.'),
)

const createdWith = named(
  'CreatedWith',
  z
    .looseObject({
      action: typed("'signup' | 'login' | 'create' | 'upgrade'", z.string()),
      authProvider: z.string().optional(),
    })
    .describe('Origin of a session.'),
)

export const sessionRecord = named(
  'SessionRecord',
  z
    .looseObject({
      objectId: z.string(),
      createdAt: instant,
      updatedAt: instant,
      user: wirePointer,
      createdWith,
      expiresAt: wireDate,
      installationId: z.string().optional(),
      sessionToken: z.string().optional(),
      current: z.boolean().optional().describe('True for the session of this request.'),
      userAgent: z.string().optional(),
      ipAddress: z.string().optional(),
      lastUsedAt: wireDate.optional(),
      proof: z
        .object({ message: z.string(), signature: z.string() })
        .optional()
        .describe('Message and signature that started it, for its owner to verify.'),
    })
    .describe(
      'A session as its owner sees it. The token is included only for the session of the request and for a new one.',
    ),
)

/** The type names every field, since a server hides none by default. An operator may hide any but these. */
export const visibleSession = typed(
  sessionRecord,
  sessionRecord.partial().required({ objectId: true, createdAt: true, updatedAt: true }),
)

export const walletRecord = named(
  'WalletRecord',
  z
    .strictObject({
      objectId: z.string(),
      namespace: z.enum(['eip155', 'solana']).describe('The family of chains: `eip155` (EVM) or `solana`.'),
      kind: z.enum(['eoa', 'contract', 'delegated', 'solana']),
      address: z.string().describe('Address for display, with checksum for EVM.'),
      chainId: z.string().optional().describe('The chain of a contract account.'),
      label: z.string().optional(),
      primary: z.boolean(),
      provisional: z
        .literal(true)
        .optional()
        .describe(
          'A contract account that was not deployed at its last proof. It passes no token gate, and its account cannot add sign-in methods.',
        ),
      imported: z
        .literal(true)
        .optional()
        .describe('Imported from another server and not proven here yet. It passes no token gate.'),
      linkedAt: instant,
      lastUsedAt: instant,
    })
    .describe('A wallet that the user has proven to own.'),
)

export const passkeyRecord = named(
  'PasskeyRecord',
  z
    .strictObject({
      objectId: z.string(),
      name: z.string(),
      createdAt: instant,
      lastUsedAt: instant.optional(),
      backedUp: z.boolean(),
    })
    .describe('A passkey of the user.'),
)

export const identityRecord = named(
  'IdentityRecord',
  z
    .strictObject({
      provider: z.string(),
      id: z.string().optional().describe('Absent if the provider only confirms another sign-in method.'),
      name: z.string().optional().describe('Display name of an OpenID Connect or OAuth 2 provider.'),
      label: z.string().optional().describe('Name or address of the account there.'),
      additional: z.literal(true).optional(),
      imported: z.literal(true).optional().describe('Imported, and not used to sign in here yet.'),
      linkedAt: instant.optional(),
      lastUsedAt: instant.optional(),
    })
    .describe("Identity of an account's owner at a provider of the operator."),
)

export const activityRecord = named(
  'ActivityRecord',
  z
    .strictObject({
      id: z.string(),
      action: z.string(),
      details: fields,
      ipAddress: z.string().optional(),
      userAgent: z.string().optional(),
      at: instant,
    })
    .describe('An event of an account.'),
)

export const signInMethodsRecord = named(
  'SignInMethods',
  z
    .strictObject({
      password: z.boolean(),
      wallets: z.array(walletRecord),
      passkeys: z.array(passkeyRecord),
      identities: z.array(identityRecord).optional().describe('Of configured providers; absent if there are none.'),
      emailCode: z.literal(true).optional().describe('The user can sign in with a code by email.'),
      anonymous: z.literal(true).optional().describe('The user can sign in with a guest ID of legacy clients.'),
      lastUses: z
        .array(z.strictObject({ method: z.enum(['password', 'emailCode', 'anonymous']), lastUsedAt: instant }))
        .optional()
        .describe('Last use of each method without its own list; absent if none was used.'),
    })
    .describe('All sign-in methods of an account. The last one cannot be removed.'),
)

export const providerRecord = named(
  'ProviderRecord',
  z
    .strictObject({
      name: z.string(),
      label: z.string().describe('Name on its button.'),
      kind: z.string().describe('`oidc`, or the name of a well-known provider.'),
    })
    .describe('An OpenID Connect or OAuth 2 provider for sign-in in the browser.'),
)
