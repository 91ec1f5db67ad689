import { CountersignError } from '@countersign/protocol'
import type { Change } from './Change.ts'

/** The relations that the changes need, by field, with the class that they lead to. */
export function relationsOf(changes: Change[]): Map<string, string> {
  const relations = new Map<string, string>()
  for (const change of changes) {
    if ((change.kind !== 'relate' && change.kind !== 'unrelate') || change.targetClass === undefined) continue
    const other = relations.get(change.field) ?? change.targetClass
    if (other !== change.targetClass) {
      throw new CountersignError(
        'IncorrectType',
        `${change.field} is changed as Relation<${other}> and as Relation<${change.targetClass}> at once.`,
      )
    }
    relations.set(change.field, change.targetClass)
  }
  return relations
}
