import type { ClassSchema } from '../classes/ClassSchema.ts'
import type { Bindings } from '../db/createBindings.ts'
import type { Decision } from '../permissions/Decision.ts'
import { writeRowFilter } from '../permissions/writeRowFilter.ts'
import type { Access } from '../roles/Access.ts'

/** The condition for the one object, if the caller may write it. */
export function writeReach(
  bindings: Bindings,
  schema: ClassSchema,
  access: Access,
  objectId: string,
  decisions: Decision[],
): string {
  const conditions = [`o."objectId" = ${bindings.bind(objectId)}`]
  for (const decision of decisions) {
    const filter = writeRowFilter(bindings, schema, access, decision, 'write', 'o')
    if (filter !== undefined) conditions.push(`(${filter})`)
  }
  return conditions.join(' and ')
}
