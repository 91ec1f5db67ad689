import { expect, test } from 'vitest'
import {
  type Condition,
  type Filter,
  isValid,
  isValidFilter,
  operatorsOf,
  readFilter,
  toWhere,
  writeFilter,
} from './filter.ts'

const number = { type: 'Number' }
const fields = {
  ...{ name: { type: 'String' }, amount: number, size: number, place: number, day: { type: 'Date' } },
  ...{ spot: { type: 'GeoPoint' }, tags: { type: 'Array' }, fans: { type: 'Relation', targetClass: '_User' } },
}
const all = (...parts: Filter['parts']): Filter => ({ isAny: false, parts })
const is = (field: string, value: string): Condition => ({ field, operator: 'equals', value })

test('converts conditions to a query; typed text is never a pattern', () => {
  expect(
    toWhere(
      fields,
      all(
        { field: 'amount', operator: 'above', value: '3' },
        { field: 'amount', operator: 'below', value: '9' },
        { field: 'size', operator: 'atLeast', value: '3' },
        { field: 'size', operator: 'atMost', value: '9' },
        { field: 'place', operator: 'noneOf', value: '1, 2,x' },
        { field: 'name', operator: 'contains', value: 'a.b(' },
      ),
    ),
  ).toEqual({
    amount: { $gt: 3, $lt: 9 },
    size: { $gte: 3, $lte: 9 },
    place: { $nin: [1, 2, 'x'] },
    name: { $regex: 'a\\.b\\(', $options: 'i' },
  })
  expect(toWhere(fields, all())).toEqual({})
})

test('two conditions with one operator on one field both count', () => {
  const parts = ['a', 'b'].map((value): Condition => ({ field: 'name', operator: 'contains', value }))
  expect(toWhere(fields, all(...parts))).toEqual({
    $and: [{ name: { $regex: 'a', $options: 'i' } }, { name: { $regex: 'b', $options: 'i' } }],
  })
})

test('groups are joined by and, or', () => {
  const group = { isAny: true, conditions: [is('amount', '1'), is('amount', '2')] }
  expect(toWhere(fields, all(is('name', 'x'), group))).toEqual({
    $and: [{ name: { $eq: 'x' } }, { $or: [{ amount: { $eq: 1 } }, { amount: { $eq: 2 } }] }],
  })
  expect(
    toWhere(fields, {
      isAny: true,
      parts: [is('name', 'x'), { isAny: false, conditions: [is('amount', '1'), is('size', '2')] }],
    }),
  ).toEqual({ $or: [{ name: { $eq: 'x' } }, { amount: { $eq: 1 }, size: { $eq: 2 } }] })
  expect(toWhere(fields, all({ isAny: true, conditions: [] }))).toEqual({})
})

test('places, lists and relations have operators of their own', () => {
  expect(toWhere(fields, all({ field: 'spot', operator: 'within', value: '48.2, 16.4, 6371' }))).toEqual({
    spot: { $geoWithin: { $centerSphere: [[16.4, 48.2], 1] } },
  })
  expect(toWhere(fields, all({ field: 'tags', operator: 'has', value: '4' }))).toEqual({ tags: { $in: [4] } })
  expect(toWhere(fields, all({ field: 'tags', operator: 'has', value: 'red' }))).toEqual({ tags: { $in: ['red'] } })
  expect(toWhere(fields, all({ field: 'fans', operator: 'has', value: 'u1' }))).toEqual({
    fans: { __type: 'Pointer', className: '_User', objectId: 'u1' },
  })
  expect(operatorsOf('GeoPoint')).toEqual(['within', 'exists', 'missing'])
  expect(operatorsOf('File')).toEqual(['exists', 'missing'])
})

test('a condition on a field that is gone finds nothing, not everything', () => {
  expect(toWhere(fields, all(is('nosuch', 'x')))).toEqual({ objectId: { $in: [] } })
  expect(isValid(fields, is('nosuch', 'x'))).toBe(false)
})

test('a condition needs a value of its type', () => {
  const check = (field: string, operator: Condition['operator'], value: string) =>
    isValid(fields, { field, operator, value })
  for (const [field, operator, value] of [
    ['amount', 'above', ''],
    ['amount', 'above', 'many'],
    ['amount', 'oneOf', '1, '],
    ['day', 'equals', ' '],
    ['name', 'contains', ''],
    ['spot', 'within', '48.2, 16.4'],
    ['spot', 'within', '91, 16.4, 5'],
    ['spot', 'within', '48.2, 16.4, 0'],
    ['spot', 'within', '48.2, , 3'],
    ['tags', 'has', ' '],
  ] as const)
    expect(check(field, operator, value), `${field} ${operator} ${value}`).toBe(false)
  expect(check('amount', 'above', '2.5')).toBe(true)
  expect(check('amount', 'exists', '')).toBe(true)
  expect(check('name', 'equals', '')).toBe(true)
  expect(check('spot', 'within', '48.2, 16.4, 5')).toBe(true)
})

test.each(['__proto__', 'constructor', 'toString'])(
  'a condition on %s is met by nothing, so that no row is changed unseen',
  (field) => {
    const filter: Filter = { isAny: false, parts: [is(field, 'x'), is('name', 'x')] }
    expect(isValidFilter(fields, filter)).toBe(false)
    expect(JSON.stringify(toWhere(fields, filter))).toContain('"objectId":{"$in":[]}')
  },
)

test('a filter is read from its address again, also an earlier one and one that anyone wrote', () => {
  const filters: Filter[] = [
    all(is('name', 'x')),
    { isAny: true, parts: [is('name', 'x'), { isAny: false, conditions: [is('size', '2')] }] },
  ]
  for (const filter of filters) expect(readFilter(writeFilter(filter))).toEqual(filter)
  expect(writeFilter(all(is('name', 'x')))).toBe('[{"field":"name","operator":"equals","value":"x"}]')
  for (const text of [null, '', 'x', '3', 'null', '{}', '{"any":3}', '[{"any":[[]]}]', '[null,{"field":1}]'])
    expect(readFilter(text).parts).toEqual([])
  const many = Array.from({ length: 30 }, () => ({ any: Array.from({ length: 30 }, () => is('name', 'x')) }))
  expect(readFilter(JSON.stringify(many)).parts).toHaveLength(1)
})
