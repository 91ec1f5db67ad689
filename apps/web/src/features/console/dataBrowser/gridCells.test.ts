import type { WireFields } from '@countersign/protocol'
import { expect, test } from 'vitest'
import { moveBy, parseTabbed, planPaste, rangeOf, toTabbed } from './gridCells.ts'

const size = { rows: 10, columns: 4, page: 5, isEdge: false, isRtl: false }

test('keys move within the grid; the head is one above the first row', () => {
  expect(moveBy('ArrowDown', { row: 9, column: 1 }, size)).toEqual({ row: 9, column: 1 })
  expect(moveBy('ArrowUp', { row: 0, column: 1 }, size)).toEqual({ row: -1, column: 1 })
  expect(moveBy('ArrowRight', { row: 0, column: 3 }, size)).toEqual({ row: 0, column: 3 })
  expect(moveBy('ArrowRight', { row: 0, column: 1 }, { ...size, isRtl: true })).toEqual({ row: 0, column: 0 })
  expect(moveBy('End', { row: 2, column: 1 }, { ...size, isEdge: true })).toEqual({ row: 9, column: 3 })
  expect(moveBy('PageDown', { row: 7, column: 1 }, size)).toEqual({ row: 9, column: 1 })
  expect(moveBy('a', { row: 7, column: 1 }, size)).toBeUndefined()
  expect(rangeOf({ at: { row: 1, column: 3 }, from: { row: 4, column: 2 } })).toEqual({
    ...{ top: 1, bottom: 4, left: 2, right: 3 },
  })
})

test('copied cells are read again, with tabs, line ends and quotes in them', () => {
  const rows: WireFields[] = [{ a: 'one\ttwo', b: 1 }, { a: 'say "hi"\nthere' }, { a: { x: [1] }, b: 3 }]
  const text = toTabbed(rows, ['a', 'b'])
  expect(parseTabbed(text)).toEqual([
    ['one\ttwo', '1'],
    ['say "hi"\nthere', ''],
    ['{"x":[1]}', '3'],
  ])
  expect(parseTabbed('plain\r\n')).toEqual([['plain']])
})

test('a paste changes all cells or none, and knows the way back', () => {
  const fields = { objectId: { type: 'String' }, name: { type: 'String' }, amount: { type: 'Number' } }
  const rows: WireFields[] = [{ objectId: 'a', name: 'x', amount: 1 }, { objectId: 'b' }]
  const mayEdit = (name: string) => name !== 'objectId'
  const paste = (text: string, names: string[]) => planPaste(parseTabbed(text), rows, names, fields, mayEdit)
  expect(paste('p\t5\nq\t6', ['name', 'amount'])).toEqual({
    requests: [
      { method: 'PUT', objectId: 'a', body: { name: 'p', amount: 5 } },
      { method: 'PUT', objectId: 'b', body: { name: 'q', amount: 6 } },
    ],
    back: [
      { method: 'PUT', objectId: 'a', body: { name: 'x', amount: 1 } },
      { method: 'PUT', objectId: 'b', body: { name: { __op: 'Delete' }, amount: { __op: 'Delete' } } },
    ],
  })
  expect(paste('p\t5\nq\tmany', ['name', 'amount'])).toEqual({ problem: 'amount: many' })
  expect(paste('id', ['objectId'])).toEqual({ problem: 'objectId' })
  expect(paste('7', ['amount'])).toMatchObject({ requests: [{ body: { amount: 7 } }, { body: { amount: 7 } }] })
})

test('copied cells run nothing in a spreadsheet, and are pasted here as they were', () => {
  const rows = [{ name: '=HYPERLINK("https://x.example")', score: -5 }]
  const copied = toTabbed(rows, ['name', 'score'])
  expect(copied).toBe(`"'=HYPERLINK(""https://x.example"")"\t-5`)
  expect(parseTabbed(copied)).toEqual([['=HYPERLINK("https://x.example")', '-5']])
})
