import { z } from 'zod'

const flag = z.union([z.boolean(), z.enum(['true', 'false', 'on', 'off', '1', '0'])]).transform((value) => {
  return typeof value === 'boolean' ? value : value === 'true' || value === 'on' || value === '1'
})

/** Roles that go with a token. */
export const gatesSchema = z
  .strictObject({
    /** Whether this server looks after gates. At least one must. */
    enabled: flag.default(true),
    /** Seconds from one look at every wallet to the next. */
    interval: z.number().min(0.1).max(86_400).default(60),
    /** Seconds that what was last seen counts while no node answers. Then nobody holds the role by its gate. */
    patience: z.number().min(1).max(604_800).default(900),
  })
  .refine(({ interval, patience }) => patience >= interval * 2, {
    path: ['patience'],
    message: 'must be at least twice gates.interval',
  })
