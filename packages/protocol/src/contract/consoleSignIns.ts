import { z } from 'zod'
import { page } from './consoleFields.ts'
import type { EndpointContract } from './EndpointContract.ts'
import { instant, text } from './fields.ts'
import { named } from './typeNames.ts'

const method = named(
  'SignInLogMethod',
  z
    .enum([
      'password',
      'wallet',
      'passkey',
      'provider',
      'emailCode',
      'recoveryCode',
      'secondFactor',
      'farcaster',
      'guest',
      'legacyClient',
      'operator',
    ])
    .describe('Method of a sign-in attempt. `operator`: a session that an operator or the master key opened.'),
)

const result = named(
  'SignInResult',
  z
    .enum(['succeeded', 'failed', 'incomplete'])
    .describe('`incomplete`: the proof was right, and the account asks for more, such as a second factor.'),
)

const person = z.strictObject({ objectId: z.string(), username: z.string() })

const signInRecord = named(
  'SignInLogRecord',
  z
    .strictObject({
      objectId: z.string(),
      at: instant,
      result,
      method,
      reason: z.string().optional().describe('Reason of the refusal; absent if a session was opened.'),
      user: person.optional().describe('The account, if the attempt named one that exists.'),
      ipAddress: z.string().optional(),
      userAgent: z.string().optional(),
      count: z.number().describe('Equal attempts within a few seconds that share this entry.'),
    })
    .describe('A sign-in attempt, without anything that was typed.'),
)

const lockoutRecord = named(
  'SignInLockoutRecord',
  z
    .strictObject({
      objectId: z.string(),
      secret: z.enum(['password', 'recovery', 'additional']).describe('The guessed secret.'),
      user: person.optional().describe('Absent if no account has the name that was tried.'),
      isKnownBrowser: z.boolean().describe('Only for a browser that has opened the account before.'),
      failures: z.number(),
      until: instant,
    })
    .describe('A name that has too many failed sign-ins.'),
)

const rateLimitRecord = named(
  'SignInRateLimitRecord',
  z
    .strictObject({
      objectId: z.string(),
      address: z.string().describe('An address, or the network that is counted as one.'),
      path: z.string(),
      methods: z.array(z.string()).optional(),
      requests: z.number().describe('Requests allowed in the window.'),
      until: instant,
    })
    .describe('An address that has used up a rate limit of the responding server.'),
)

/** Endpoints of the operator's console for sign-in attempts, lockouts and rate limits. */
export const consoleSignIns = {
  listSignIns: {
    method: 'GET',
    path: '/console/signIns',
    scope: 'users:read',
    summary: 'Successful and failed sign-ins, newest first.',
    access: 'operator',
    textQuery: true,
    input: z.object({
      result: result.optional(),
      method: method.optional(),
      user: text(320).optional().describe('ID, username, email address or wallet of a user'),
      address: text(64).optional().describe('Beginning of the IP address'),
      from: instant.optional(),
      until: instant.optional(),
      ...page,
    }),
    output: z.strictObject({
      days: z.number().describe('How long entries are kept; 0: nothing is recorded'),
      results: z.array(signInRecord),
      next: z.string().optional(),
    }),
  },
  listSignInLimits: {
    method: 'GET',
    path: '/console/signInLimits',
    scope: 'users:read',
    summary: 'Lockouts of names and used-up rate limits, at most 100 of each.',
    access: 'operator',
    output: z.strictObject({ lockouts: z.array(lockoutRecord), rateLimits: z.array(rateLimitRecord) }),
  },
  liftSignInLimit: {
    method: 'DELETE',
    path: '/console/signInLimits/:limit',
    scope: 'users:write',
    summary: 'Lift a lockout or a rate limit.',
    access: 'operator',
    operators: ['admin', 'support'],
    params: z.object({ limit: text(64).min(1) }),
    output: z.strictObject({ objectId: z.string().optional().describe('The user whose lockout was lifted') }),
  },
} as const satisfies Record<string, EndpointContract>
