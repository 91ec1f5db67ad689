import { z } from 'zod'

/** Second factor of a sign-in. */
export const secondFactorSchema = z.strictObject({
  /** Users who must have one: nobody, everyone, or members of these roles. */
  required: z
    .union([
      z.literal(false),
      z.literal('everyone'),
      z.strictObject({ roles: z.array(z.string().min(1).max(200)).min(1).max(50) }),
    ])
    .default(false),
  /** Days for which a browser is remembered where its user asks for it; 0: never. */
  rememberDays: z.number().int().min(0).max(365).default(30),
})

/** Sign-in with a code or a link that is mailed. */
export const emailCodeSchema = z.strictObject({
  enabled: z.boolean().default(false),
  /** Lets a code create an account for an unknown address. */
  signUp: z.boolean().default(true),
  /** Seconds that a code is valid. */
  validity: z.number().int().min(60).max(1800).default(600),
})
