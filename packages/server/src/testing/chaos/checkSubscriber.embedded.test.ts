import { expect, test } from 'vitest'
import type { Cell, Change, Who } from './Chaos.ts'
import { checkSubscriber } from './checkSubscriber.ts'
import { expectEvents } from './expectEvents.ts'
import type { Heard, Subscriber } from './openSubscriber.ts'

const ann: Who = { name: 'ann', token: undefined, names: ['*', 'ann'] }
const asked = { where: {}, fits: ({ room }: Cell) => room === 1 }
const cell = (n: number, room = 1, _rperm: string[] | null = ['*']): Cell => ({
  objectId: 'a',
  n,
  room,
  score: 0,
  _rperm,
})
const steps: [Cell | null, Cell | null][] = [
  [null, cell(0)],
  [cell(0), cell(1)],
  [cell(1), cell(2, 2)],
  [cell(2, 2), cell(3)],
  [cell(3), cell(4, 1, ['bob'])],
  [cell(4, 1, ['bob']), cell(5, 1, ['ann'])],
  [cell(5, 1, ['ann']), null],
]
const changes: Change[] = steps.map(([before, after], id) => ({ id, before, after }))
const expected = expectEvents(changes, asked, ann).get('a') ?? []
const heard = expected.map((key, step): Heard => ({ key, objectId: 'a', writer: 1, step: step + 1 }))

function check(runs: Heard[][], positions: boolean): number {
  const question = { asked, position: undefined, runs, isOpen: true }
  const subscriber = { who: ann, positions, questions: [question], faults: [], resumed: 0 }
  return checkSubscriber(changes, subscriber as unknown as Subscriber).length
}

test('expected events follow conditions and rights, before and after', () => {
  expect(expected).toEqual([
    'create 0 -',
    'update 1 0',
    'leave 2 1',
    'enter 3 2',
    'leave 3 3',
    'enter 5 -',
    'delete 5 -',
  ])
})

test('the checker finds what is lost, doubled, out of order or foreign', () => {
  const foreign: Heard = { key: 'update 9 8', objectId: 'b', writer: 1, step: 99 }
  const swapped = [heard[1], heard[0], ...heard.slice(2)] as Heard[]
  expect(check([heard], true)).toBe(0)
  expect(check([heard.slice(0, 3), heard.slice(4)], false)).toBe(0)
  for (const positions of [true, false]) {
    for (let at = 1; at < heard.length - 1; at++) expect(check([heard.toSpliced(at, 1)], positions)).toBeGreaterThan(0)
    expect(check([heard.toSpliced(2, 0, heard[1] as Heard)], positions)).toBeGreaterThan(0)
    expect(check([swapped], positions)).toBeGreaterThan(0)
    expect(check([[...heard, foreign]], positions)).toBeGreaterThan(0)
  }
  expect(check([heard.slice(1)], true)).toBeGreaterThan(0)
  expect(check([heard.slice(0, -1)], true)).toBeGreaterThan(0)
  expect(check([heard, heard.slice(-1)], false)).toBeGreaterThan(0)
})
