/** Beginnings of a cell that a spreadsheet runs as a formula, also in full width. */
const formula = /^'*[=+\-@\t\r\n＝＋－＠]/
const number = /^-?\d+(\.\d+)?$/

/** A cell of a CSV file. One that a spreadsheet would run begins with an apostrophe: strangers write names and agents. */
export function writeCsvCell(text: string): string {
  const harmless = formula.test(text) && !number.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/** The text of a cell that `writeCsvCell` wrote, without its quotes. */
export const readCsvCell = (cell: string): string => (formula.test(cell) && cell.startsWith("'") ? cell.slice(1) : cell)
