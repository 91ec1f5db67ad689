import type { Loose } from '../Loose.ts'
import type { ParseKit } from './ParseKit.ts'

/** Converts values of the core to those of the older SDK: documents, files and places with methods, nothing frozen. */
export function wrapValue(kit: ParseKit, value: unknown): Loose {
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  if (Array.isArray(value)) return value.map((item) => wrapValue(kit, item))
  const { __type, className }: { __type?: unknown; className?: unknown } = value
  if ((__type === 'Object' || __type === 'Pointer') && typeof className === 'string') {
    return kit.create(className)._read(value)
  }
  if (__type === 'File') return kit.readFile(value)
  if (__type === 'GeoPoint') return kit.readPoint(value)
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, wrapValue(kit, item)]))
}

/**
 * Converts values of the older SDK for the core: documents become pointers; files, places and access lists plain
 * values.
 */
export function unwrapValue(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  if (Array.isArray(value)) return value.map(unwrapValue)
  const { toPointer, toJSON }: { toPointer?: unknown; toJSON?: unknown } = value
  if (typeof toPointer === 'function') return toPointer.call(value)
  if (typeof toJSON === 'function') return toJSON.call(value)
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, unwrapValue(item)]))
}
