import type { WireFields } from '@countersign/protocol'
import { toCreate } from './dataRows.ts'
import { type Fields, readValue } from './dataValues.ts'

export type ReadRow = { row: WireFields } | { problem: string }

export const mostImported = 100_000

/** Set by the server alone. */
const skipped = new Set(['createdAt', 'updatedAt', 'sessionToken', '__type', 'className'])

/** The rows of a file: JSON (a list, or `results`) or CSV whose first line names the fields. */
export function readFile(name: string, text: string, fields: Fields): ReadRow[] {
  return /\.json$/i.test(name) || /^\s*[[{]/.test(text) ? readJsonRows(text) : readCsvRows(text, fields)
}

function readJsonRows(text: string): ReadRow[] {
  const given = JSON.parse(text) as unknown
  const list = Array.isArray(given) ? given : Reflect.get(Object(given), 'results')
  if (!Array.isArray(list)) throw new SyntaxError('no list')
  return list.map((row: unknown) =>
    typeof row === 'object' && row !== null && !Array.isArray(row)
      ? { row: toCreate(row as WireFields) }
      : { problem: JSON.stringify(row).slice(0, 100) },
  )
}

function readCsvRows(text: string, fields: Fields): ReadRow[] {
  const [names = [], ...lines] = parseCsv(text)
  return lines.map((cells) => {
    const row: WireFields = {}
    for (const [place, name] of names.entries()) {
      const cell = unprotect(cells[place] ?? '')
      const field = fields[name]
      if (cell === '' || skipped.has(name) || field?.type === 'Relation') continue
      const pointer = field?.type === 'Pointer' ? cell.slice(cell.indexOf(':') + 1) : cell
      const value = field ? readValue(field.type, pointer, field.targetClass) : cell
      if (value === undefined) return { problem: `${name}: ${cell.slice(0, 100)}` }
      row[name] = value
    }
    return { row }
  })
}

/** An export puts an apostrophe before what a spreadsheet would take for a formula. */
const unprotect = (cell: string) => (/^'[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell)

/** Lines of cells. Cells in quotes may hold commas, line ends and doubled quotes. */
export function parseCsv(text: string): string[][] {
  const lines: string[][] = []
  let line: string[] = []
  const cells = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|\n|\r|$)/y
  const source = text.replace(/^\uFEFF/, '')
  while (cells.lastIndex < source.length) {
    const match = cells.exec(source)
    if (!match) throw new SyntaxError('not CSV')
    const [, quoted, plain = '', end] = match
    line.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
    if (end === ',' && cells.lastIndex < source.length) continue
    if (end === ',') line.push('')
    if (line.length > 1 || line[0] !== '') lines.push(line)
    line = []
  }
  return lines
}
