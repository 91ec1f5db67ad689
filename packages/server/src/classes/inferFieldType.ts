import { CountersignError, type WireValue } from '@countersign/protocol'
import type { FieldType } from './ClassSchema.ts'
import { isClassName } from './classNames.ts'

/** The type that a value on the wire has; `undefined` for null, which fits every field. */
export function inferFieldType(value: WireValue): FieldType | undefined {
  if (value === null) return undefined
  if (typeof value === 'string') return { type: 'String' }
  if (typeof value === 'boolean') return { type: 'Boolean' }
  if (typeof value === 'number') return { type: 'Number' }
  if (Array.isArray(value)) return { type: 'Array' }
  return Object.hasOwn(value, '__type') ? inferTyped(value as Record<string, WireValue>) : { type: 'Object' }
}

function inferTyped(value: Record<string, WireValue>): FieldType {
  switch (value.__type) {
    case 'Date':
      if (typeof value.iso === 'string' && !Number.isNaN(Date.parse(value.iso))) return { type: 'Date' }
      break
    case 'Pointer':
    case 'Object':
      if (isText(value.className) && isClassName(value.className) && isText(value.objectId))
        return { type: 'Pointer', targetClass: value.className }
      break
    case 'File':
      if (isText(value.name)) return { type: 'File' }
      break
    case 'GeoPoint':
      if (Number.isFinite(value.latitude) && Number.isFinite(value.longitude)) return { type: 'GeoPoint' }
      break
    case 'Bytes':
      if (typeof value.base64 === 'string') return { type: 'Bytes' }
      break
    case 'Polygon':
      if (isPolygon(value.coordinates)) return { type: 'Polygon' }
      break
  }
  throw new CountersignError('IncorrectType', `This is not a valid ${String(value.__type).slice(0, 50)}`)
}

function isText(value: WireValue | undefined): value is string {
  return typeof value === 'string' && value !== ''
}

function isPolygon(coordinates: WireValue | undefined): boolean {
  if (!Array.isArray(coordinates)) return false
  const points = coordinates.filter(
    (point) => Array.isArray(point) && point.length === 2 && point.every((part) => Number.isFinite(part)),
  )
  return points.length === coordinates.length && new Set(points.map((point) => String(point))).size >= 3
}
