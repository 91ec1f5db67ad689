import { z } from 'zod'

const flag = z.union([z.boolean(), z.enum(['true', 'false', 'on', 'off', '1', '0'])]).transform((value) => {
  return typeof value === 'boolean' ? value : value === 'true' || value === 'on' || value === '1'
})

/** Roles that go with a token. */
export const tokenGatesSchema = z
  .strictObject({
    /** Checks gates on this server. At least one server must. */
    enabled: flag.default(true),
    /** Seconds from one look at every wallet to the next. */
    interval: z.number().min(0.1).max(86_400).default(60),
    /** Time (s) that the last reading counts while no node responds. Then the gate grants the role to nobody. */
    staleAfter: z.number().min(1).max(604_800).default(900),
  })
  .refine(({ interval, staleAfter }) => staleAfter >= interval * 2, {
    path: ['staleAfter'],
    message: 'must be at least twice tokenGates.interval',
  })
