import type { Condition } from './Condition.ts'
import type { Place } from './Place.ts'

const mostParts = 20

/** Describes the fields and operators of a condition, without values: for the log and for operators. */
export function describeCondition(condition: Condition, nameOf = nameWithPath): string {
  switch (condition.kind) {
    case 'constant':
      return String(condition.holds)
    case 'all':
      return describeParts(condition.of, ' and ', nameOf)
    case 'any':
      return `(${describeParts(condition.of, ' or ', nameOf)})`
    case 'not':
      return `not ${describeCondition(condition.of, nameOf)}`
    case 'compares':
      return `${nameOf(condition.place)} ${condition.operator} ?`
    case 'equals':
      return `${nameOf(condition.place)} ${condition.values.length === 1 ? '= ?' : 'in (?)'}`
    case 'relation':
      return `${condition.field} holds`
    case 'relatedTo':
      return `related by ${condition.field}`
    case 'inQuery':
    case 'select':
      return `${nameOf(condition.place)} ${condition.kind} ${condition.query.schema.className}(${describeCondition(condition.query.condition, nameOf)})`
    default:
      return `${nameOf(condition.place)} ${condition.kind}`
  }
}

function describeParts(parts: readonly Condition[], word: string, nameOf: (place: Place) => string): string {
  const shown = parts.slice(0, mostParts).map((part) => describeCondition(part, nameOf))
  return (parts.length > mostParts ? [...shown, '…'] : shown).join(word)
}

function nameWithPath({ field, path }: Place): string {
  return [field, ...path].join('.')
}
