// @vitest-environment node
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type LiveWindow, lacksRows, moveRow, openWindow, removeRow } from './createLiveRows.ts'
import { type Order, type Row, readOrder } from './readOrder.ts'

type Value = string | number | null | undefined
type Step = { id: number; a: Value; b: Value; isFound: boolean }

const texts = fc.constantFrom('', 'a', 'B', 'ab', 'é', '\uffee', '\u{1f600}', 'z')
const values = fc.oneof(texts, fc.constant(null), fc.constant(undefined))
const numbers = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constant(undefined))
const steps = fc.array(fc.record<Step>({ id: fc.nat({ max: 15 }), a: values, b: numbers, isFound: fc.boolean() }), {
  maxLength: 60,
})
const orders = fc.constantFrom([], ['a'], ['-a'], ['a', '-b'], ['-b', 'a'], ['-objectId'], ['b', 'objectId'])

/** A total order written for itself: by arrays of code points, absent values first. */
function sortAfresh(rows: readonly Row[], order: readonly string[]): Row[] {
  const named = order.some((entry) => entry.endsWith('objectId'))
  const last = order.at(-1)?.startsWith('-') ? '-objectId' : 'objectId'
  const entries = named ? order : [...order, last]
  return [...rows].sort((one, other) => {
    for (const entry of entries) {
      const field = entry.replace('-', '')
      const outcome = compare(one[field] ?? undefined, other[field] ?? undefined)
      if (outcome !== 0) return entry.startsWith('-') ? -outcome : outcome
    }
    return 0
  })
}

function compare(one: unknown, other: unknown): number {
  if (one === undefined || other === undefined) return Number(one !== undefined) - Number(other !== undefined)
  if (typeof one === 'number' && typeof other === 'number') return one - other
  const [left, right] = [Array.from(String(one)), Array.from(String(other))].map((letters) =>
    letters.map((letter) => letter.codePointAt(0) ?? 0),
  ) as [number[], number[]]
  for (let index = 0; index < Math.min(left.length, right.length); index++) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0)
    if (difference !== 0) return difference
  }
  return left.length - right.length
}

function requireWindow(window: LiveWindow | undefined): LiveWindow {
  if (!window) throw new Error('no window')
  return window
}

function requireOrder(order: readonly string[]): Order {
  const read = readOrder(order)
  if (!read) throw new Error('no order')
  return read
}

test('any series of events leaves the window as a new find would have it', () => {
  const check = (before: Step[], after: Step[], order: readonly string[], wanted: number) => {
    const table = new Map<number, Row>()
    const write = ({ id, a, b, isFound }: Step) => {
      const row = { objectId: `id${id}`, ...(a === undefined ? {} : { a }), ...(b === undefined ? {} : { b }) } as Row
      if (isFound) table.set(id, row)
      else table.delete(id)
      return row
    }
    const find = () => sortAfresh([...table.values()], order).slice(0, wanted)
    const read = () => requireWindow(openWindow(requireOrder(order), wanted, find()))
    before.map(write)
    let window = read()
    let finds = 0
    for (const step of after) {
      const row = write(step)
      window = step.isFound ? requireWindow(moveRow(window, row)) : removeRow(window, row.objectId)
      if (lacksRows(window)) {
        finds++
        window = read()
      }
      expect(window.rows.slice(0, wanted)).toEqual(find())
    }
    expect(finds).toBeLessThanOrEqual(after.length)
  }
  fc.assert(fc.property(steps, steps, orders, fc.nat({ max: 8 }), check), { numRuns: 300 })
})

test('a window that is cut to a bearable size is right at its new edge, too', () => {
  const order = requireOrder(['-n'])
  const rows = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) => ({ objectId: `${from + index}`, n: from + index }))
  let window = requireWindow(openWindow(order, 2, []))
  for (const row of rows(0, 500)) window = requireWindow(moveRow(window, row))
  expect(window.rows.length).toBeLessThanOrEqual(102)
  expect(window.edge).toBeDefined()
  for (const { objectId } of rows(400, 500)) {
    window = removeRow(window, objectId)
    if (lacksRows(window)) break
    const [best] = window.rows
    expect(best?.n).toBe(Number(objectId) < 499 ? 499 : 498)
  }
  expect(lacksRows(requireWindow({ ...window, rows: window.rows.slice(0, 1) }))).toBe(true)
})

test('leaves an order that only the server knows to it', () => {
  expect(readOrder(['meta.size'])).toBeUndefined()
  expect(readOrder(['$score'])).toBeUndefined()
  const order = requireOrder(['list'])
  const window = requireWindow(openWindow(order, 5, [{ objectId: 'a', list: [1] }]))
  expect(moveRow(window, { objectId: 'b', list: [0] })).toBeUndefined()
  const foreign = [
    { objectId: 'a', list: 'x' },
    { objectId: 'B', list: 'x' },
  ]
  expect(openWindow(order, 5, foreign)).toBeUndefined()
})

test('dates and pointers are ordered by what they stand for', () => {
  const order = requireOrder(['at', 'owner'])
  const date = (iso: string) => ({ __type: 'Date', iso })
  const owner = (objectId: string) => ({ __type: 'Pointer', className: '_User', objectId })
  const early = { objectId: '2', at: date('2020-01-01T00:00:00.000Z'), owner: owner('b') }
  const late = { objectId: '1', at: date('2021-01-01T00:00:00.000Z'), owner: owner('a') }
  expect(order(early, late)).toBeLessThan(0)
  expect(order({ ...early, at: late.at }, late)).toBeGreaterThan(0)
  expect(order(early, early)).toBe(0)
})
