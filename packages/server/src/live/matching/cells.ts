import type { WireGeoPoint, WireValue } from '@countersign/protocol'
import type { Box } from '../../queries/geo.ts'

/** A cell has this many halves of each side of the map at most: about 150 meters at the equator. */
const deepest = 18

/** Cells of one query. */
const mostCells = 16

/** Name of the smallest cell around a point. The names of the cells around that one are its beginnings. */
export function nameCell(value: WireValue): string | undefined {
  const { latitude, longitude } = value as WireGeoPoint
  if (typeof latitude !== 'number' || typeof longitude !== 'number') return undefined
  return nameOf(columnOf(longitude), rowOf(latitude), deepest)
}

/** Names of cells that cover the boxes, as small as few of them can be. */
export function coverBoxes(boxes: readonly Box[]): string[] {
  for (let depth = deepest; depth > 0; depth--) {
    const scale = 2 ** (deepest - depth)
    const spans = boxes.map(({ west, east, south, north }) => ({
      columns: listBetween(columnOf(west), columnOf(east), scale),
      rows: listBetween(rowOf(south), rowOf(north), scale),
    }))
    if (spans.reduce((sum, { columns, rows }) => sum + columns.length * rows.length, 0) > mostCells) continue
    const names = spans.flatMap(({ columns, rows }) =>
      columns.flatMap((column) => rows.map((row) => nameOf(column, row, depth))),
    )
    return [...new Set(names)]
  }
  return ['']
}

const columnOf = (longitude: number) => partOf((longitude + 180) / 360)

const rowOf = (latitude: number) => partOf((latitude + 90) / 180)

const partOf = (share: number) => Math.min(2 ** deepest - 1, Math.max(0, Math.floor(share * 2 ** deepest)))

/** Cells between two of the smallest, at most one more than a query may have. */
function listBetween(from: number, to: number, scale: number): number[] {
  const [first, last] = [Math.floor(from / scale), Math.floor(to / scale)]
  return Array.from({ length: Math.min(last - first, mostCells) + 1 }, (_, place) => first + place)
}

/** A digit for each halving, the widest first. */
function nameOf(column: number, row: number, depth: number): string {
  let name = ''
  for (let bit = depth - 1; bit >= 0; bit--) name += ((column >> bit) & 1) + 2 * ((row >> bit) & 1)
  return name
}
