/** A decoded value as JSON can carry it: whole numbers of any size as decimal text, bytes as they are. */
export function toPlain(value: unknown): unknown {
  if (typeof value === 'bigint' || typeof value === 'number') return value.toString()
  if (Array.isArray(value)) return value.map(toPlain)
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, toPlain(each)]))
  return value
}
