import { CountersignError, type SchemaRecord } from '@countersign/protocol'
import { encodeSchema } from './encodeSchema.ts'
import { type Parts, userIdPattern } from './Parts.ts'
import { planSchema, type SchemaInput } from './planSchema.ts'

/** Adds and deletes fields and indexes of a class, and sets its permissions. All of it or nothing. */
export async function updateSchema(
  { classes, config }: Parts,
  className: string,
  input: SchemaInput,
): Promise<SchemaRecord> {
  const changed = await classes.change(className, (current) => {
    if (!current) {
      throw new CountersignError('InvalidClassName', `Class ${className.slice(0, 100)} does not exist.`)
    }
    return planSchema(className, current, input, { userId: userIdPattern(config) })
  })
  return encodeSchema(changed ?? classes.get(className))
}
