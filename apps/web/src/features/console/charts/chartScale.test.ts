import { expect, test } from 'vitest'
import { findTicks, spread, writeLine } from './chartScale.ts'

test('ticks are round and reach above the largest value', () => {
  expect(findTicks([0, 3, 57])).toEqual([0, 20, 40, 60])
  expect(findTicks([1])).toEqual([0, 1])
  expect(findTicks([])).toEqual([0, 1])
  expect(findTicks([3])).toEqual([0, 1, 2, 3])
  expect(findTicks([0.25, 0.1], 0)).toEqual([0, 0.1, 0.2, 0.3])
  expect(findTicks([1_200_000]).at(-1)).toBe(1_500_000)
  expect(findTicks([Number.NaN, 5]).at(-1)).toBeGreaterThanOrEqual(5)
})

test('labels are spread with the first and the last', () => {
  expect(spread(3, 5)).toEqual([0, 1, 2])
  expect(spread(48, 5)).toEqual([0, 12, 24, 35, 47])
  expect(spread(0, 5)).toEqual([])
})

test('a line has gaps where values are absent; a value alone is as wide as its step', () => {
  expect(writeLine([1, 2, undefined, 0], 2, 100, 10)).toBe('M12.5 5.0L37.5 0.0M75.0 10.0h25.0')
})
