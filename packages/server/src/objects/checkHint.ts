import { CountersignError, type WireValue } from '@countersign/protocol'
import type { ClassSchema } from '../classes/ClassSchema.ts'

/**
 * A hint names an index, or the fields of one. PostgreSQL chooses its indexes itself, so there is nothing to pass on;
 * a hint for an index that is not there is a mistake that the caller wants to hear of.
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
    `hint: class ${schema.className} has no such index. Make it through the schema API, or leave the hint out.`,
  )
}
