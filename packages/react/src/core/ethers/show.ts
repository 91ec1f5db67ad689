/** A value that was given, short enough for an error. */
export function show(value: unknown): string {
  const text = typeof value === 'string' ? `"${value}"` : String(value)
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}
