import type { LiveWindow } from './LiveWindow.ts'
import type { Row } from './readOrder.ts'

/** Rows beyond the wanted ones are kept for the time when one is lost, but not without end. */
const spare = 100

/** Puts a row that the query finds in its place, wherever it was before; undefined where only the server knows it. */
export function moveRow(window: LiveWindow, row: Row): LiveWindow | undefined {
  const { order, wanted, edge } = window
  if (wanted === 0) return window
  const rest = window.rows.filter(({ objectId }) => objectId !== row.objectId)
  const toEdge = edge ? order(row, edge) : 0
  if (toEdge === undefined) return undefined
  if (toEdge > 0) return { ...window, rows: rest }
  const place = findPlace(window, rest, row)
  if (place === undefined) return undefined
  const rows = [...rest.slice(0, place), row, ...rest.slice(place)]
  if (rows.length <= wanted + spare) return { ...window, rows }
  const kept = rows.slice(0, wanted + spare / 2)
  return { ...window, rows: kept, edge: kept.at(-1) }
}

function findPlace({ order }: LiveWindow, rows: readonly Row[], row: Row): number | undefined {
  let [low, high] = [0, rows.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const other = rows[middle]
    const outcome = other && order(other, row)
    if (outcome === undefined) return undefined
    if (outcome < 0) low = middle + 1
    else high = middle
  }
  return low
}
