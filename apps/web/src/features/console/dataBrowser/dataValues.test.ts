import { expect, test } from 'vitest'
import {
  findPart,
  fromLocalInput,
  mostDrawn,
  orderColumns,
  planPage,
  readValue,
  showCell,
  toCode,
  toCsv,
  toLocalInput,
} from './dataValues.ts'

test('converts a text to the value of its type, or to none', () => {
  expect(readValue('Number', ' 4.5 ')).toBe(4.5)
  expect(readValue('Number', 'many')).toBeUndefined()
  expect(readValue('Boolean', 'yes')).toBeUndefined()
  expect(readValue('Date', '2031-01-31')).toEqual({ __type: 'Date', iso: '2031-01-31T00:00:00.000Z' })
  expect(readValue('GeoPoint', '91, 0')).toBeUndefined()
  expect(readValue('GeoPoint', '48.2, 16.4, 1')).toBeUndefined()
  expect(readValue('Array', '{}')).toBeUndefined()
  expect(readValue('Object', '[]')).toBeUndefined()
  expect(readValue('String', '')).toBe('')
  expect(readValue('Number', '')).toEqual({ __op: 'Delete' })
})

test('a query is shown as code', () => {
  const where = { amount: { $gt: 3 } }
  expect(toCode('Thing', where, '-createdAt')).toContain(JSON.stringify(where))
})

test('a time is typed in the time of the place, and kept as an instant', () => {
  expect(fromLocalInput(toLocalInput('2031-01-31T12:00:00.000Z'))).toBe('2031-01-31T12:00:00.000Z')
  expect(toLocalInput('')).toBe('')
  expect(fromLocalInput('soon')).toBe('')
})

test('a spreadsheet takes no cell of an export for a formula', () => {
  const csv = toCsv(
    ['name', 'amount'],
    [
      { name: '=HYPERLINK("https://example.com")', amount: -1 },
      { name: 'a, "b"\nc', amount: 2 },
    ],
  )
  expect(csv).toBe('name,amount\r\n"\'=HYPERLINK(""https://example.com"")",-1\r\n"a, ""b""\nc",2')
})

test('a page beyond the middle is read from the end, and no row is missed between both ways', () => {
  expect(planPage('-createdAt', 100, 100, undefined)).toEqual({
    order: '-createdAt,objectId',
    skip: 100,
    limit: 100,
    isTurned: false,
  })
  expect(planPage('-createdAt', 999_900, 100, 1_000_000)).toEqual({
    order: 'createdAt,-objectId',
    skip: 0,
    limit: 100,
    isTurned: true,
  })
  const all = Array.from({ length: 1_030 }, (_, place) => place)
  for (let skip = 0; skip < all.length; skip += 100) {
    const page = planPage('objectId', skip, 100, all.length)
    const rows = page.isTurned ? all.toReversed() : all
    const read = rows.slice(page.skip, page.skip + page.limit)
    expect(page.isTurned ? read.reverse() : read).toEqual(all.slice(skip, skip + 100))
  }
})

test('columns begin with the id and the own fields; dates and access lists are put in words', () => {
  const type = { type: 'String' }
  const fields = { objectId: type, createdAt: type, ACL: type, title: type, players: type }
  expect(orderColumns(fields)).toEqual(['objectId', 'title', 'players', 'createdAt', 'ACL'])
  expect(showCell('Date', '2031-01-31T12:00:30.000Z')).not.toContain(':30')
  expect(showCell('Date', { __type: 'Date', iso: '2031-01-31T12:00:00.000Z' })).toContain('2031')
  const place = { __type: 'GeoPoint', latitude: 53.769999999999996, longitude: -9.98 }
  expect(showCell('GeoPoint', place)).toBe('53.77, -9.98')
  const list = { '*': { read: true }, 'role:staff': { read: true, write: true } }
  expect(showCell('ACL', list)).toBe('Everyone: Read · role:staff: Read, Write')
  expect(showCell('ACL', {})).toBe('Master key only')
})

test('every row of a list that is too long to be drawn is reached in a part of it', () => {
  const total = 2 * mostDrawn + 5
  expect(findPart(0, total)).toEqual({ start: 0, count: mostDrawn, index: 0 })
  expect(findPart(mostDrawn - 1, total)).toEqual({ start: 0, count: mostDrawn, index: mostDrawn - 1 })
  expect(findPart(mostDrawn, total)).toEqual({ start: mostDrawn, count: mostDrawn, index: 0 })
  expect(findPart(total - 1, total)).toEqual({ start: 2 * mostDrawn, count: 5, index: 4 })
  // Before the first and beyond the last there is none.
  expect(findPart(-mostDrawn, total)).toMatchObject({ start: 0, index: 0 })
  expect(findPart(Number.NaN, total)).toMatchObject({ start: 0, index: 0 })
  expect(findPart(total + mostDrawn, total)).toMatchObject({ start: 2 * mostDrawn, index: 4 })
  // Rows deleted in between leave no empty part behind.
  expect(findPart(2 * mostDrawn, mostDrawn)).toEqual({ start: 0, count: mostDrawn, index: mostDrawn - 1 })
  expect(findPart(3, 0)).toEqual({ start: 0, count: 0, index: 0 })
  // Parts follow each other without a gap, and begin where a page of rows does.
  for (let start = 0; start < total; start += mostDrawn) expect(findPart(start, total).start).toBe(start)
  expect(mostDrawn % 100).toBe(0)
})
