import { z } from 'zod'

/** Classes that Citus spreads over several servers. */
export const distributeSchema = z.record(
  z.string().regex(/^[A-Za-z][A-Za-z0-9_]{0,62}$/, 'must be classes of the application'),
  z.strictObject({
    /** Number of pieces. Each worker holds its share of them, so there should be several for each worker to come. */
    shards: z.number().int().min(2).max(1024).default(32),
  }),
)
