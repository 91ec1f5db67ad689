import { expect, test } from 'vitest'
import { findLongFunctions, listLongFunctions, longestFunction, sourceFolders } from './longFunctions.mjs'

/** Functions that still have to be split. A name goes when its function is short enough; none is added. */
const toSplit = [
  'packages/react/src/core/live/createReconnectingSocket.ts createReconnectingSocket',
  'packages/react/src/core/live/followQuery.ts followQuery',
  'packages/react/src/core/readings/createReading.ts createReading',
  'packages/react/src/core/signInFlow/createSignInFlow.ts createSignInFlow',
]

test(`functions have ${longestFunction} lines at most`, () => {
  const found = listLongFunctions(sourceFolders).map((line) => line.replace(/:\d+ (\S+): .*/, ' $1'))
  expect(found.toSorted()).toEqual(toSplit.toSorted())
})

test('the check finds a long function, one inside a call, and none that is at the limit', () => {
  const lines = (/** @type {number} */ count) => '  work()\n'.repeat(count - 2)
  expect(findLongFunctions(`function a() {\n${lines(121)}}`, 'a.ts')).toEqual([{ name: 'a', line: 1, lines: 121 }])
  expect(findLongFunctions(`function a() {\n${lines(120)}}`, 'a.ts')).toEqual([])
  expect(findLongFunctions(`run('x', () => {\n${lines(130)}})`, 'a.tsx')).toMatchObject([{ lines: 130 }])
  expect(findLongFunctions(`export const b = async () => {\n${lines(130)}}`, 'b.ts')).toMatchObject([{ name: 'b' }])
})
