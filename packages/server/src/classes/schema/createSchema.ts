import { CountersignError, type SchemaRecord } from '@countersign/protocol'
import { checkSchemaName } from './checkSchemaName.ts'
import { encodeSchema } from './encodeSchema.ts'
import { type Parts, userIdPattern } from './Parts.ts'
import { planSchema, type SchemaInput } from './planSchema.ts'

/** Makes a class. */
export async function createSchema(
  { classes, config }: Parts,
  className: string,
  input: SchemaInput,
): Promise<SchemaRecord> {
  checkSchemaName(className)
  const made = await classes.change(className, (current) => {
    if (current && !current.dropped) {
      throw new CountersignError('InvalidClassName', `Class ${className} already exists.`)
    }
    return planSchema(className, current, input, { userId: userIdPattern(config) })
  })
  return encodeSchema(made ?? classes.get(className))
}
