import type { LiveWindow } from './LiveWindow.ts'
import type { Order, Row } from './readOrder.ts'

/** Servers give no more than this in one answer, unless told otherwise. */
const usualMost = 1_000

/** The window over what the server found; none where its order is not ours, as in a database with rules of its own. */
export function openWindow(order: Order, wanted: number, found: readonly Row[]): LiveWindow | undefined {
  const isOrdered = found.every((row, index) => {
    const former = found[index - 1]
    return !former || (order(former, row) ?? 1) < 0
  })
  if (!isOrdered) return undefined
  const isWhole = found.length < Math.min(wanted, usualMost)
  return { order, wanted, rows: found, edge: isWhole ? undefined : found.at(-1) }
}
