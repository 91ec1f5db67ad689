import { CountersignError, type WireDate, type WireValue } from '@countersign/protocol'
import type { Condition, Place } from './Condition.ts'
import { never } from './conditions.ts'
import { fitDate } from './fitValue.ts'
import type { Reading } from './Reading.ts'
import { readRelativeTime } from './readRelativeTime.ts'
import { isJson } from './resolvePlace.ts'

/** `$lt` and its like. Only values of one type have an order. */
export function readComparison(
  reading: Reading,
  place: Place | undefined,
  name: string,
  operator: '<' | '<=' | '>' | '>=',
  given: WireValue,
): Condition {
  const value = readComparable(reading, place, name, given)
  if (!place || value === undefined) return never
  if (isJson(place)) {
    if (place.type === 'Object' && place.path.length === 0) return never
    return { kind: 'compares', place, operator, value }
  }
  if (place.type === 'Date') {
    const date = fitDate(value as WireValue)
    return date ? { kind: 'compares', place, operator, value: date } : never
  }
  const isFitting =
    (place.type === 'String' && typeof value === 'string') ||
    (place.type === 'Number' && typeof value === 'number') ||
    (place.type === 'Boolean' && typeof value === 'boolean')
  return isFitting ? { kind: 'compares', place, operator, value } : never
}

function readComparable(
  reading: Reading,
  place: Place | undefined,
  name: string,
  value: WireValue,
): string | number | boolean | WireDate | undefined {
  if (value === null) return undefined
  if (typeof value === 'number') return Math.max(-Number.MAX_VALUE, Math.min(value, Number.MAX_VALUE))
  if (typeof value !== 'object') return value
  const parts = value as { [key: string]: WireValue }
  if (Object.hasOwn(parts, '$relativeTime')) {
    if (place && place.type !== 'Date') {
      throw new CountersignError('InvalidJson', '$relativeTime can only be used with Date field')
    }
    return readRelativeTime(parts.$relativeTime, reading.now)
  }
  const date = fitDate(value)
  if (date) return date
  throw new CountersignError('InvalidJson', `bad ${name} value: only numbers, texts and dates can be compared`)
}
