import { z } from 'zod'

/** Names that are ours: wallets and guests have settings of their own. */
const reserved = ['anonymous', 'moralisEth', 'moralisSol']

/** An adapter, or `{ module, …options }` with the adapter or the file that has it. Read by `providers/authAdapters.ts`. */
export type AuthSetting = { [name: string]: unknown }

const setting = z.custom<AuthSetting>(
  (value) => value !== null && typeof value === 'object' && !Array.isArray(value),
  'must be an adapter, or { module, …options }',
)

/** Providers of the application's own, by the name that clients put into `authData`. */
export const authSchema = z
  .record(z.string(), setting)
  .refine(
    (all) => Object.keys(all).every((name) => /^[A-Za-z][A-Za-z0-9_]{0,99}$/.test(name)),
    'must name each provider by letters, digits and _',
  )
  .refine(
    (all) => !reserved.some((name) => Object.hasOwn(all, name)),
    `must not name ${reserved.join(', ')}: they are built in and take no adapter`,
  )
  .refine((all) => Object.keys(all).length <= 50, 'can name at most 50 providers')

/** Guests. */
export const anonymousSchema = z.strictObject({
  /** The id alone opens the account of a guest: one that is short can be guessed. The clients send a UUID. */
  minimumIdLength: z.number().int().min(1).max(200).default(16),
})
