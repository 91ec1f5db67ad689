import type { WireFields, WireValue } from '@countersign/protocol'
import { disarm, readCsvCell } from '../../../ui/csvCell.ts'
import type { RowRequest } from './dataRows.ts'
import { type Fields, readValue, showValue } from './dataValues.ts'

/** A cell by row and column; both begin at 0. Row -1 is the head. */
export type Place = { row: number; column: number }

/** The cell that has the focus, and the other corner of the range. */
export type Cursor = { at: Place; from: Place }

export type Range = { top: number; bottom: number; left: number; right: number }

export function rangeOf({ at, from }: Cursor): Range {
  return {
    top: Math.min(at.row, from.row),
    bottom: Math.max(at.row, from.row),
    left: Math.min(at.column, from.column),
    right: Math.max(at.column, from.column),
  }
}

/** The place that a key leads to, `undefined` for other keys. `page` is the number of rows in sight. */
export function moveBy(
  key: string,
  { row, column }: Place,
  {
    rows,
    columns,
    page,
    isEdge,
    isRtl,
  }: { rows: number; columns: number; page: number; isEdge: boolean; isRtl: boolean },
): Place | undefined {
  const [lastRow, lastColumn] = [rows - 1, columns - 1]
  const keep = (place: Place) => ({
    row: Math.min(Math.max(place.row, -1), lastRow),
    column: Math.min(Math.max(place.column, 0), lastColumn),
  })
  const forward = isRtl ? 'ArrowLeft' : 'ArrowRight'
  switch (key) {
    case 'ArrowDown':
      return keep({ row: isEdge ? lastRow : row + 1, column })
    case 'ArrowUp':
      return keep({ row: isEdge ? 0 : row - 1, column })
    case 'ArrowLeft':
    case 'ArrowRight': {
      const isForward = key === forward
      if (isEdge) return keep({ row, column: isForward ? lastColumn : 0 })
      return keep({ row, column: column + (isForward ? 1 : -1) })
    }
    case 'Home':
      return keep({ row: isEdge ? 0 : row, column: 0 })
    case 'End':
      return keep({ row: isEdge ? lastRow : row, column: lastColumn })
    case 'PageDown':
      return keep({ row: row + page, column })
    case 'PageUp':
      return keep({ row: Math.max(row - page, 0), column })
    default:
      return undefined
  }
}

/** As many cells as one copy or paste may reach. */
export const mostCells = 5_000

const plain = (value: WireValue | undefined) =>
  typeof value === 'object' && value !== null && !Reflect.has(value, '__type')
    ? JSON.stringify(value)
    : showValue(value)

/** Cells as spreadsheets exchange them: tabs between columns, one line for each row. */
export function toTabbed(rows: readonly (WireFields | undefined)[], names: readonly string[]): string {
  const quote = (text: string) => (/[\t\n\r"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
  return rows.map((row) => names.map((name) => quote(disarm(plain(row?.[name])))).join('\t')).join('\n')
}

/** Reads what a spreadsheet has copied. */
export function parseTabbed(text: string): string[][] {
  const lines: string[][] = [[]]
  const cells = /(?:"((?:[^"]|"")*)"|([^\t\r\n]*))(\t|\r\n|\n|\r|$)/y
  while (cells.lastIndex < text.length) {
    const match = cells.exec(text)
    if (!match) return []
    const [, quoted, bare = '', end] = match
    lines.at(-1)?.push(readCsvCell(quoted === undefined ? bare : quoted.replaceAll('""', '"')))
    if (end !== '\t' && cells.lastIndex < text.length) lines.push([])
    if (end === '\t' && cells.lastIndex === text.length) lines.at(-1)?.push('')
  }
  return lines
}

export type Pasted = { requests: RowRequest[]; back: RowRequest[] } | { problem: string }

/**
 * Changes that a paste makes, and those that undo them: none at all if one cell cannot be read, so that nothing is half
 * pasted. One copied cell fills the whole range.
 */
export function planPaste(
  cells: readonly (readonly string[])[],
  target: readonly (WireFields | undefined)[],
  names: readonly string[],
  fields: Fields,
  mayEdit: (name: string) => boolean,
): Pasted {
  const isOne = cells.length === 1 && cells[0]?.length === 1
  const requests: RowRequest[] = []
  const back: RowRequest[] = []
  for (const [line, row] of target.entries()) {
    const given = isOne ? cells[0] : cells[line]
    if (!row || !given) continue
    const body: WireFields = {}
    const before: WireFields = {}
    for (const [place, name] of names.entries()) {
      const text = isOne ? given[0] : given[place]
      const field = fields[name]
      if (text === undefined || !field) continue
      if (!mayEdit(name) || field.type === 'Relation') return { problem: name }
      const pointer = field.type === 'Pointer' ? text.slice(text.indexOf(':') + 1) : text
      const value = readValue(field.type, pointer, field.targetClass)
      if (value === undefined) return { problem: `${name}: ${text.slice(0, 100)}` }
      body[name] = value
      before[name] = row[name] ?? { __op: 'Delete' }
    }
    const objectId = String(row.objectId)
    requests.push({ method: 'PUT', objectId, body })
    back.push({ method: 'PUT', objectId, body: before })
  }
  return { requests, back }
}
