import { CountersignError, type WireValue } from '@countersign/protocol'
import type { ClassSchema } from '../../classes/ClassSchema.ts'

/**
 * Checks a hint, which names an index or its fields. PostgreSQL chooses its indexes itself, so nothing is passed on; a
 * missing index is an error of the caller.
 */
export function checkHint(schema: ClassSchema, hint: WireValue | undefined): void {
  if (hint === undefined || hint === null) return
  if (typeof hint === 'string') {
    if (hint === '_id_' || schema.indexes.has(hint)) return
  } else if (typeof hint === 'object' && !Array.isArray(hint)) {
    const wanted = JSON.stringify(Object.entries(hint).map(([name, way]) => [name === '_id' ? 'objectId' : name, way]))
    if (wanted === '[["objectId",1]]') return
    for (const { fields } of schema.indexes.values()) if (JSON.stringify([...fields]) === wanted) return
  }
  throw new CountersignError(
    'InvalidQuery',
    `hint: class ${schema.className} has no such index. Create it with the schema API, or remove the hint.`,
  )
}
