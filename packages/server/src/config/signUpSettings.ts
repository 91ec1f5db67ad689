import { z } from 'zod'

const methods = ['wallet', 'passkey', 'provider', 'emailCode', 'password'] as const

export type SignInMethod = (typeof methods)[number]

/** Sign-in methods. */
export const signInSchema = z.strictObject({
  /** The methods that are on, in the order in which they are offered. */
  methods: z
    .array(z.enum(methods))
    .min(1)
    .refine((list) => new Set(list).size === list.length, 'must name each method once')
    .default([...methods]),
})

/** Permission to sign up. */
export const signUpSchema = z.strictObject({
  /** Everybody, those with an invitation, or nobody but the master key. */
  mode: z.enum(['open', 'invitation', 'closed']).default('open'),
  /** Hosts of the email addresses that may sign up, such as `example.com`; any unless set. */
  emailDomains: z
    .array(z.string().regex(/^[a-z0-9.-]{1,253}$/, 'must be a host in lower case, such as example.com'))
    .max(1_000)
    .default([]),
  /** Days for which an invitation is valid, unless it says otherwise. */
  invitationDays: z.number().int().min(1).max(365).default(7),
})
