import { expect, test } from 'vitest'
import { readCsvCell, writeCsvCell } from './csvCell.ts'

test.each(['=1+1', '+1', '-x', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '＝1+1', '＋1', '－1', '＠x', "'=1", "''@x"])(
  'a spreadsheet runs no formula in %j, and an import reads the text again',
  (text) => {
    const cell = writeCsvCell(text).replace(/^"(.*)"$/s, '$1')
    expect(cell).toBe(`'${text}`)
    expect(readCsvCell(cell)).toBe(text)
  },
)

test.each([
  ['x;=1+1', "x;'=1+1"],
  ["x;'=1;@a", "x;''=1;'@a"],
  ['=1;=2', "'=1;'=2"],
])(
  'a spreadsheet that splits at semicolons runs no formula in %j, and an import reads the text again',
  (text, cell) => {
    expect(writeCsvCell(text)).toBe(`"${cell}"`)
    expect(readCsvCell(cell)).toBe(text)
  },
)

test.each(['-5', '-4.25', '12', 'a=b', "it's", "'quoted'", ''])('%j stays as it is', (text) => {
  expect(writeCsvCell(text)).toBe(text)
  expect(readCsvCell(text)).toBe(text)
})

test('quotes, commas and lines stay within their cell', () => {
  expect(['b,c', 'say "hi"', 'two\nlines'].map(writeCsvCell)).toEqual(['"b,c"', '"say ""hi"""', '"two\nlines"'])
})
