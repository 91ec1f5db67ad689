/** The time of day with its milliseconds, as the clock on the wall shows it. */
export function formatTime(at: number): string {
  const date = new Date(at)
  return `${date.toTimeString().slice(0, 8)}.${String(date.getMilliseconds()).padStart(3, '0')}`
}
