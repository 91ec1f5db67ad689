import { expect, test } from 'vitest'
import { readAmount, writeAmount } from './readAmount.ts'

test.each([
  ['1', 18, '.', 10n ** 18n],
  [' 0.5 ', 18, '.', 5n * 10n ** 17n],
  ['.5', 1, '.', 5n],
  ['5.', 0, '.', 5n],
  ['1.000000', 0, '.', 1n],
  ['1,5', 1, ',', 15n],
  ['1.5', 1, ',', 15n],
  ['0.500', 3, ',', 500n],
  ['0.000000000000000001', 18, '.', 1n],
  ['١٫٥', 1, '.', 15n],
  ['１．５', 1, '.', 15n],
  [(2n ** 190n).toString(), 0, '.', 2n ** 190n],
])('%j with %i decimals, “%s” before fractions', (text, decimals, sign, amount) => {
  expect(readAmount(text, decimals, sign)).toBe(amount)
})

test.each([
  ['', 18, '.', 'missing'],
  ['  ', 18, '.', 'missing'],
  ['0', 18, '.', 'zero'],
  ['0.00', 18, '.', 'zero'],
  ['1,5', 18, '.', 'unreadable'],
  ['1,500', 18, '.', 'unreadable'],
  // A thousand and a half, or one and a half: which of them is not for us to say.
  ['1.500', 18, ',', 'unreadable'],
  ['1.234.567', 18, ',', 'unreadable'],
  ['1,234,567', 18, ',', 'unreadable'],
  ['1e18', 18, '.', 'unreadable'],
  ['0x10', 18, '.', 'unreadable'],
  ['-1', 18, '.', 'unreadable'],
  ['.', 18, '.', 'unreadable'],
  ['one', 18, '.', 'unreadable'],
  ['1.23', 1, '.', 'decimals'],
  ['9'.repeat(61), 0, '.', 'unreadable'],
])('%j with %i decimals, “%s” before fractions: %s', (text, decimals, sign, problem) => {
  expect(readAmount(text, decimals, sign)).toBe(problem)
})

test.each([
  [0n, 0, '0'],
  [100n, 0, '100'],
  [1n, 18, '0.000000000000000001'],
  [15n * 10n ** 17n, 18, '1.5'],
  [100n * 10n ** 18n, 18, '100'],
])('%s with %i decimals is written as %s', (amount, decimals, text) => {
  expect(writeAmount(amount, decimals)).toBe(text)
})
