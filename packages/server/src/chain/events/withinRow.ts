import type { WireValue } from '@countersign/protocol'

/**
 * Maximum letters of JSON for the parameters of one event: a list of 100 rows stays far below the limit of a response.
 */
const largestRow = 32 * 1024

/**
 * Values of an event, cut if they are too large for a row. A stranger chooses the content: a few events of some
 * megabytes among the newest rows would make every list of the class too large for a response.
 */
export function withinRow(values: WireValue[], data: string): WireValue[] {
  // Values hardly take more letters than the bytes that they are read from.
  if (data.length < largestRow / 2 || lettersOf(values) <= largestRow) return values
  const share = Math.floor(largestRow / values.length)
  return values.map((value) => (lettersOf(value) > share ? cut(value, share) : value))
}

const lettersOf = (value: WireValue | WireValue[]): number =>
  typeof value === 'string' ? value.length + 2 : JSON.stringify(value).length

function cut(value: WireValue, most: number): WireValue {
  if (typeof value === 'string') return cutText(value, most)
  if (Array.isArray(value)) {
    const kept: WireValue[] = []
    let left = most
    for (const item of value) {
      left -= lettersOf(item) + 1
      if (left < 0) break
      kept.push(item)
    }
    return kept
  }
  if (value === null || typeof value !== 'object') return value
  const parts = Object.entries(value as { [name: string]: WireValue })
  const share = Math.floor(most / Math.max(1, parts.length))
  return Object.fromEntries(parts.map(([name, part]) => [name, lettersOf(part) > share ? cut(part, share) : part]))
}

/** Whole bytes of hex, whole characters of a text. */
function cutText(text: string, most: number): string {
  const end = /^0x[0-9a-f]*$/.test(text) ? most - (most % 2) : most
  const isSplit = /[\ud800-\udbff]/.test(text[end - 1] ?? '')
  return text.slice(0, isSplit ? end - 1 : end)
}
