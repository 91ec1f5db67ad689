import { expect, test } from 'vitest'
import { shareStructure } from './shareStructure.ts'

const at = '2026-01-02T03:04:05.678Z'

const list = () => [
  { objectId: 'a', score: 1, at: new Date(at), tags: ['x'] },
  { objectId: 'b', score: 2, at: new Date(at), tags: ['y'] },
]

test('an equal reading is the earlier one', () => {
  const before = list()
  expect(shareStructure(before, list())).toBe(before)
})

test('unchanged parts keep their identity, also after a move', () => {
  const before = list()
  const [a, b] = list()
  const after = shareStructure(before, [{ objectId: 'c', score: 0 }, { ...b, score: 3 }, a])
  expect(after).toEqual([{ objectId: 'c', score: 0 }, { ...b, score: 3 }, a])
  expect(after[2]).toBe(before[0])
  expect(after[1]).not.toBe(before[1])
  expect(Object(after[1]).tags).toBe(before[1]?.tags)
  expect(Object.isFrozen(after)).toBe(true)
})

test.each([
  [{ a: 1 }, { a: 1, b: undefined }],
  [{ a: 1, b: 2 }, { a: 1 }],
  [[1], { 0: 1 }],
  [new Date(0), new Date(1)],
  [new Date(0), {}],
  [null, {}],
  [[1, 2], [1]],
])('%j does not stand for %j', (before, after) => {
  expect(shareStructure(before, after)).toEqual(after)
  expect(shareStructure(before, after)).not.toBe(before)
})
