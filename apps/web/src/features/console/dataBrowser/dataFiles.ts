import type { WireFields, WireValue } from '@countersign/protocol'
import { readCsvCell } from '../../../ui/csvCell.ts'
import { toCreate } from './dataRows.ts'
import { type Fields, fieldOf, readValue } from './dataValues.ts'

export type ReadRow = { row: WireFields } | { problem: string }

/** A column of a file: the field it becomes, or none if it is not imported. */
export type ReadColumn = { name: string; type?: string; isNew: boolean }

export const mostImported = 100_000

/** Set by the server alone. */
const skipped = new Set(['createdAt', 'updatedAt', 'sessionToken', '__type', 'className'])

/** The rows of a file: JSON (a list, or `results`) or CSV whose first line names the fields. */
export function readFile(name: string, text: string, fields: Fields): ReadRow[] {
  return isJsonFile(name, text) ? readJsonRows(text) : readCsvRows(text, fields)
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
      const cell = readCsvCell(cells[place] ?? '')
      const field = fieldOf(fields, name)
      if (cell === '' || skipped.has(name) || field?.type === 'Relation') continue
      const pointer = field?.type === 'Pointer' ? cell.slice(cell.indexOf(':') + 1) : cell
      const value = field ? readValue(field.type, pointer, field.targetClass) : cell
      if (value === undefined) return { problem: `${name}: ${cell.slice(0, 100)}` }
      row[name] = value
    }
    return { row }
  })
}

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

/** Columns of the rows with the type that each field has or gets. */
export function listColumns(name: string, text: string, rows: readonly ReadRow[], fields: Fields): ReadColumn[] {
  const good = rows.flatMap((row) => ('row' in row ? [row.row] : []))
  const names = isJsonFile(name, text) ? new Set(good.slice(0, 1_000).flatMap(Object.keys)) : parseCsv(text)[0]
  return [...(names ?? [])].map((column) => {
    const known = fieldOf(fields, column)
    if (skipped.has(column) || known?.type === 'Relation') return { name: column, isNew: false }
    const type = known?.type ?? typeOf(good.find((row) => row[column] !== undefined)?.[column])
    return { name: column, isNew: !known, ...(type && { type }) }
  })
}

const isJsonFile = (name: string, text: string) => /\.json$/i.test(name) || /^\s*[[{]/.test(text)

/** Type that the server gives a new field for its first value. */
function typeOf(value: WireValue | undefined): string | undefined {
  if (value === undefined || value === null) return undefined
  if (Array.isArray(value)) return 'Array'
  if (typeof value !== 'object')
    return { string: 'String', number: 'Number', boolean: 'Boolean' }[typeof value as string]
  const tag: unknown = Reflect.get(value, '__type')
  return typeof tag === 'string' ? tag : 'Object'
}
