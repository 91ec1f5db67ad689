/** Text of a value of a request, for an error. `String` throws for an object with a `toString` that is not a function. */
export function showText(value: unknown, length: number): string {
  return (typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value))).slice(0, length)
}
