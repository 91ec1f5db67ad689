import { fewValues, isJson, type WireFields } from '@countersign/protocol'
import type { Condition } from './Condition.ts'
import { sizeOf } from './patterns/Pattern.ts'

/** Cost of a condition for a document: per letter of a field, plus a fixed part. */
type Cost = { field: string; perLetter: number; flat: number }

/** A condition is never changed, so its costs are listed once. */
const costsByCondition = new WeakMap<Condition, readonly Cost[]>()

/** Less than this is no work. */
const leastWork = 500

/**
 * Cost of a condition for a document, in letters of a text times states of a pattern: a tenth of a microsecond each.
 * Patterns, long lists of values and long lists in the document dominate.
 */
export function workOf(condition: Condition, object: WireFields | undefined): number {
  const costs = costsByCondition.get(condition) ?? listCosts(condition)
  costsByCondition.set(condition, costs)
  if (!object || costs.length === 0) return 0
  const work = costs.reduce(
    (sum, { field, perLetter, flat }) => sum + flat + (perLetter > 0 ? perLetter * lettersOf(object, field) : 0),
    0,
  )
  return work < leastWork ? 0 : work
}

/** To look through JSON, by the letter. */
const look = 1 / 4

function listCosts(condition: Condition): readonly Cost[] {
  switch (condition.kind) {
    case 'pattern': {
      const { pattern, place } = condition
      if (!pattern.plain) return [{ field: place.field, perLetter: sizeOf(pattern.tree), flat: 0 }]
      return isJson(place) ? [{ field: place.field, perLetter: look, flat: 0 }] : []
    }
    case 'equals':
    case 'containedBy': {
      const { place, values } = condition
      const { field } = place
      if (isJson(place)) return [{ field, perLetter: look * Math.min(values.length, fewValues), flat: 0 }]
      // Dates are read each time.
      return values.length > fewValues ? [{ field, perLetter: 0, flat: values.length / 2 }] : []
    }
    case 'compares':
    case 'exists':
    case 'hasValue':
    case 'surrounds': {
      const { place, kind } = condition
      return isJson(place) || kind === 'surrounds' ? [{ field: place.field, perLetter: look, flat: 0 }] : []
    }
    case 'polygon':
      return [{ field: condition.place.field, perLetter: 0, flat: condition.points.length / 2 }]
    case 'all':
    case 'any':
      return condition.of.flatMap(listCosts)
    case 'not':
      return listCosts(condition.of)
    default:
      return []
  }
}

/** An object is decided for many who ask: its fields are measured once. */
const lettersByObject = new WeakMap<WireFields, Map<string, number>>()

function lettersOf(object: WireFields, field: string): number {
  const value = Object.hasOwn(object, field) ? object[field] : undefined
  if (value === undefined || value === null) return 0
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object') return 1
  const known = lettersByObject.get(object) ?? new Map<string, number>()
  lettersByObject.set(object, known)
  const letters = known.get(field) ?? JSON.stringify(value).length
  known.set(field, letters)
  return letters
}
