import { expect, test } from 'vitest'
import { findLongFunctions, listLongFunctions, longestFunction, sourceFolders } from './longFunctions.mjs'

test(`functions have ${longestFunction} lines at most`, () => {
  expect(listLongFunctions(sourceFolders)).toEqual([])
})

test('the check finds a long function, one inside a call, and none that is at the limit', () => {
  const lines = (/** @type {number} */ count) => '  work()\n'.repeat(count - 2)
  expect(findLongFunctions(`function a() {\n${lines(121)}}`, 'a.ts')).toEqual([{ name: 'a', line: 1, lines: 121 }])
  expect(findLongFunctions(`function a() {\n${lines(120)}}`, 'a.ts')).toEqual([])
  expect(findLongFunctions(`run('x', () => {\n${lines(130)}})`, 'a.tsx')).toMatchObject([{ lines: 130 }])
  expect(findLongFunctions(`export const b = async () => {\n${lines(130)}}`, 'b.ts')).toMatchObject([{ name: 'b' }])
})
