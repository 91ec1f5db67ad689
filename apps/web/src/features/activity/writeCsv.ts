import { writeCsvCell } from '../../ui/csvCell.ts'

/** Rows as a file that spreadsheets read. */
export function writeCsv(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map(writeCsvCell).join(',')}\r\n`).join('')
}
