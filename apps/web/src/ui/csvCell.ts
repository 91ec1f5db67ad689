/** Beginnings of a cell that a spreadsheet runs as a formula, also in full width. */
const formula = /^'*[=+\-@\t\r\n＝＋－＠]/
const number = /^-?\d+(\.\d+)?$/

/** The same after a semicolon, where spreadsheets in many languages begin a new cell, quotes or not. */
const afterSemicolon = /;(?='*[=+\-@＝＋－＠])/g
const written = /;'(?='*[=+\-@＝＋－＠])/g

/** Puts an apostrophe before what a spreadsheet would run: strangers write names and agents. */
export const disarm = (text: string) =>
  (formula.test(text) && !number.test(text) ? `'${text}` : text).replace(afterSemicolon, ";'")

/** A cell of a CSV file. */
export function writeCsvCell(text: string): string {
  const harmless = disarm(text)
  return /[",;\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/** The text that `disarm` was given. */
export function readCsvCell(cell: string): string {
  const text = cell.replace(written, ';')
  return formula.test(text) && text.startsWith("'") ? text.slice(1) : text
}
