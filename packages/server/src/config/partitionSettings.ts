import { z } from 'zod'

/** Layout of the table of one class. */
const layoutSchema = z.discriminatedUnion('by', [
  z.strictObject({
    /** Spreads the objects evenly by their id. */
    by: z.literal('hash'),
    parts: z.number().int().min(2).max(256),
  }),
  z.strictObject({
    /** One part for each month of `createdAt`. */
    by: z.literal('month'),
    /** The only date that every object has and that never changes. */
    field: z.literal('createdAt', 'must be createdAt: other dates may be absent or change').default('createdAt'),
    /** Age at which a month is dropped with its objects. Absent: never. */
    keep: z
      .string()
      .regex(/^[1-9]\d{0,2} (months?|years?)$/, 'must look like "12 months" or "2 years"')
      .optional(),
  }),
  z.strictObject({
    /** One table, as without this setting. To bring a partitioned class back. */
    by: z.literal('none'),
  }),
])

export type PartitionSetting = z.output<typeof layoutSchema>

/** Classes whose tables have parts. */
export const partitionSchema = z.record(
  z.string().regex(/^[A-Za-z][A-Za-z0-9_]{0,62}$/, 'must be classes of the application'),
  layoutSchema,
)
