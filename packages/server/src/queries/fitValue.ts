import { CountersignError, type WireDate, type WireValue } from '@countersign/protocol'
import { inferFieldType } from '../classes/columns.ts'
import { isJson, type Place } from './Place.ts'

type Typed = { [key: string]: WireValue }

const deepestValue = 100

/**
 * Value as stored at the place, for equality; `undefined` if nothing there can equal it. Throws 111 if it is not a
 * value.
 */
export function fitValue(place: Place, value: WireValue): WireValue | undefined {
  const type = inferFieldType(value)
  // JSON has numbers that are larger than any that is kept.
  if (!type || (typeof value === 'number' && !Number.isFinite(value))) return undefined
  if (isJson(place)) {
    // A whole Object field holds no other types; a place inside it may.
    if (place.path.length === 0 && place.type === 'Object' && type.type !== 'Object') return undefined
    return storedForm(value, 0)
  }
  if (place.type === 'Date') return fitDate(value)
  // The id alone, which some clients write in place of the pointer.
  if (place.type === 'Pointer' && typeof value === 'string')
    return { __type: 'Pointer', className: String(place.targetClass), objectId: value }
  if (type.type !== place.type) return undefined
  const typed = value as Typed
  switch (place.type) {
    case 'Pointer':
      return typed.className === place.targetClass ? pointerOf(typed) : undefined
    case 'File':
      return { __type: 'File', name: typed.name as string }
    case 'Bytes':
      return { __type: 'Bytes', base64: Buffer.from(typed.base64 as string, 'base64').toString('base64') }
    case 'Polygon':
      return { __type: 'Polygon', coordinates: closed(typed.coordinates as [number, number][]) }
    case 'GeoPoint':
      return { __type: 'GeoPoint', latitude: typed.latitude as number, longitude: typed.longitude as number }
    default:
      return value
  }
}

/** A date by its type, or as the bare text that `createdAt` is on the wire. */
export function fitDate(value: WireValue): WireDate | undefined {
  const iso =
    typeof value === 'string' ? value : (value as Typed | null)?.__type === 'Date' ? (value as Typed).iso : undefined
  if (typeof iso !== 'string' || !/^[+-]?\d{4,6}-\d\d/.test(iso)) return undefined
  const time = Date.parse(iso)
  return Number.isNaN(time) ? undefined : { __type: 'Date', iso: new Date(time).toISOString() }
}

/** As JSON holds it: whole objects are kept as pointers. */
export function storedForm(value: WireValue, depth: number): WireValue {
  if (value === null || typeof value !== 'object') return value
  if (depth > deepestValue)
    throw new CountersignError('InvalidJson', `Values can be nested at most ${deepestValue} levels deep.`)
  if (Array.isArray(value)) return value.map((item) => storedForm(item, depth + 1))
  const typed = value as Typed
  if (typed.__type === 'Object') return pointerOf(typed)
  return Object.fromEntries(Object.entries(typed).map(([key, inner]) => [key, storedForm(inner, depth + 1)]))
}

function pointerOf(typed: Typed): WireValue {
  return { __type: 'Pointer', className: typed.className as string, objectId: typed.objectId as string }
}

function closed(points: [number, number][]): [number, number][] {
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last || (first[0] === last[0] && first[1] === last[1])) return points
  return [...points, first]
}
