import type { WireFields, WireValue } from '@countersign/protocol'
import type { Condition } from '../../queries/Condition.ts'

type Equals = Extract<Condition, { kind: 'equals' }>

/** The most telling first: of few objects one has this id, of very many one is `true`. */
const order = ['Pointer', 'String', 'Number', 'Array', 'Boolean']
const mostValues = 100

/** The one equality that must hold for the condition to hold, by which it is found; `undefined` where there is none. */
export function chooseIndex(condition: Condition): { field: string; values: readonly string[] } | undefined {
  const parts = condition.kind === 'all' ? condition.of : [condition]
  const usable = parts.filter((part): part is Equals => part.kind === 'equals' && isUsable(part))
  const [best] = usable.sort((one, other) => rank(one) - rank(other))
  return best && { field: best.place.field, values: [...new Set(best.values.map(keyOf))] as string[] }
}

function isUsable({ place, values }: Equals): boolean {
  if (place.path.length > 0 || !order.includes(place.type) || values.length > mostValues) return false
  return values.every((value) => keyOf(value) !== undefined && (place.type !== 'Array' || !Array.isArray(value)))
}

function rank({ place, values }: Equals): number {
  return place.field === 'objectId' ? 0 : order.indexOf(place.type) + 1 + values.length / (mostValues + 1)
}

/** The places in the index that the field of an object leads to: its own, and those of its elements. */
export function keysAt(object: WireFields, field: string): string[] {
  const value = Object.hasOwn(object, field) ? object[field] : undefined
  const key = value === undefined ? undefined : keyOf(value)
  if (key !== undefined) return [key]
  if (!Array.isArray(value)) return []
  return [...new Set(value.map(keyOf))].filter((item) => item !== undefined)
}

/** The same for equal values. Pointers of a field lead to one class, so their id says all. */
function keyOf(value: WireValue): string | undefined {
  switch (typeof value) {
    case 'string':
      return `s${value}`
    case 'number':
      // Zero has a sign here, and none in the database.
      return `n${value === 0 ? 0 : value}`
    case 'boolean':
      return `b${value}`
    default:
      if (value === null || Array.isArray(value)) return undefined
      return value.__type === 'Pointer' && typeof value.objectId === 'string' ? `p${value.objectId}` : undefined
  }
}
