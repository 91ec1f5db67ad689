import { expect, test } from 'vitest'
import { writeCsv } from './writeCsv.ts'

test('quotes, commas and lines stay within their cell', () => {
  expect(
    writeCsv([
      ['a', 'b,c'],
      ['say "hi"', 'two\nlines'],
    ]),
  ).toBe('a,"b,c"\r\n"say ""hi""","two\nlines"\r\n')
})

test('no cell is run as a formula', () => {
  expect(writeCsv([['=1+1', '+2', '-x', '@x', 'a=b']])).toBe("'=1+1,'+2,'-x,'@x,a=b\r\n")
})
