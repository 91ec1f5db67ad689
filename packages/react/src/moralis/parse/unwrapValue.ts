/** What the core saves and asks for: objects become pointers; files, places and access lists plain values. */
export function unwrapValue(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  if (Array.isArray(value)) return value.map(unwrapValue)
  const { toPointer, toJSON }: { toPointer?: unknown; toJSON?: unknown } = value
  if (typeof toPointer === 'function') return toPointer.call(value)
  if (typeof toJSON === 'function') return toJSON.call(value)
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, unwrapValue(item)]))
}
