import { expect, test } from 'vitest'
import { findJsonFault } from './findJsonFault.ts'

test('names the place where a text stops being JSON', () => {
  const places: [text: string, line: number, column: number][] = [
    ['', 1, 1],
    ['{', 1, 2],
    ['{"a": 1,}', 1, 9],
    ['{"a" 1}', 1, 6],
    ['{a: 1}', 1, 2],
    ['[1, 2', 1, 6],
    ['[1 2]', 1, 4],
    ['[1, ]', 1, 5],
    ['{\n  "a": 1\n  "b": 2\n}', 3, 3],
    ['{\n  "a": tru\n}', 2, 8],
    ['"a\nb"', 1, 1],
    ['01', 1, 2],
    ['{} {}', 1, 4],
    ["{'a': 1}", 1, 2],
    ['['.repeat(200_000), 1, 200_001],
  ]
  for (const [text, line, column] of places) expect(findJsonFault(text), text.slice(0, 40)).toEqual({ line, column })
})

test('accepts JSON', () => {
  for (const text of ['{}', '[]', ' [ ] ', '{"a": [1, -2.5e3, null, true, "\\u0041\\n"]}', '"text"', '0'])
    expect(findJsonFault(text), text).toBeUndefined()
})
