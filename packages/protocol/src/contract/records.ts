import { z } from 'zod'
import { fields, instant, wireDate, wirePointer } from './fields.ts'

/** What the server answers, by record. Beside the types of `../records.ts`, which a test holds them to. */
export const userRecord = z.looseObject({
  objectId: z.string(),
  createdAt: instant,
  updatedAt: instant,
  username: z.string(),
  email: z.string().nullish(),
  emailVerified: z.boolean().nullish(),
  ACL: fields.optional(),
  sessionToken: z.string().optional(),
})

export const sessionRecord = z.looseObject({
  objectId: z.string(),
  createdAt: instant,
  updatedAt: instant,
  user: wirePointer,
  createdWith: z.looseObject({ action: z.string(), authProvider: z.string().optional() }),
  expiresAt: wireDate,
  installationId: z.string().optional(),
  sessionToken: z.string().optional(),
  current: z.boolean().optional(),
  userAgent: z.string().optional(),
  ipAddress: z.string().optional(),
  lastUsedAt: wireDate.optional(),
  proof: z.object({ message: z.string(), signature: z.string() }).optional(),
})

export const walletRecord = z.strictObject({
  objectId: z.string(),
  namespace: z.enum(['eip155', 'solana']),
  kind: z.enum(['eoa', 'contract', 'delegated', 'solana']),
  address: z.string(),
  chainId: z.string().optional(),
  label: z.string().optional(),
  primary: z.boolean(),
  provisional: z.literal(true).optional(),
  imported: z.literal(true).optional(),
  linkedAt: instant,
  lastUsedAt: instant,
})

export const passkeyRecord = z.strictObject({
  objectId: z.string(),
  name: z.string(),
  createdAt: instant,
  lastUsedAt: instant.optional(),
  backedUp: z.boolean(),
})

export const identityRecord = z.strictObject({
  provider: z.string(),
  id: z.string().optional(),
  name: z.string().optional(),
  label: z.string().optional(),
  additional: z.literal(true).optional(),
  imported: z.literal(true).optional(),
  linkedAt: instant.optional(),
  lastUsedAt: instant.optional(),
})

export const activityRecord = z.strictObject({
  id: z.string(),
  action: z.string(),
  details: fields,
  ipAddress: z.string().optional(),
  userAgent: z.string().optional(),
  at: instant,
})
