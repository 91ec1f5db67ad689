import type { Condition, Place } from './Condition.ts'

const mostParts = 20

/** Which fields a condition asks about and how, without any value: for the log. */
export function describeCondition(condition: Condition): string {
  switch (condition.kind) {
    case 'constant':
      return String(condition.holds)
    case 'all':
      return describeParts(condition.of, ' and ')
    case 'any':
      return `(${describeParts(condition.of, ' or ')})`
    case 'not':
      return `not ${describeCondition(condition.of)}`
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
      return `${nameOf(condition.place)} ${condition.kind} ${condition.query.schema.className}(${describeCondition(condition.query.condition)})`
    default:
      return `${nameOf(condition.place)} ${condition.kind}`
  }
}

function describeParts(parts: readonly Condition[], word: string): string {
  const shown = parts.slice(0, mostParts).map(describeCondition)
  return (parts.length > mostParts ? [...shown, '…'] : shown).join(word)
}

function nameOf({ field, path }: Place): string {
  return [field, ...path].join('.')
}
