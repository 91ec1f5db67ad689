import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ValidationError } from '../errors/errors.ts'
import { decode, readRecord, toSnapshot } from './decode.ts'
import { encode } from './encode.ts'
import type { FieldValue } from './FieldValue.ts'
import { isEqual } from './isEqual.ts'
import type { User } from './User.ts'

const born = new Date('1815-12-10T00:00:00.000Z')

test('dates cross the wire at every depth', () => {
  const value = { born, list: [born, { deep: born }] }
  const wire = { __type: 'Date', iso: '1815-12-10T00:00:00.000Z' }
  expect(encode(value, 'field')).toEqual({ born: wire, list: [wire, { deep: wire }] })
  expect(decode(encode(value, 'field'))).toEqual(value)
})

test('encode leaves undefined out of objects and keeps null', () => {
  expect(encode({ a: undefined, b: null }, 'field')).toEqual({ b: null })
})

const cycle: Record<string, unknown> = {}
cycle.self = cycle
const refused: [string, unknown, string][] = [
  ['NaN', Number.NaN, 'NaN'],
  ['infinity', { deep: [Number.POSITIVE_INFINITY] }, 'field.deep[0]'],
  ['a bigint', 1n, 'bigint'],
  ['a function', () => 1, 'function'],
  ['a symbol', Symbol('s'), 'symbol'],
  ['a map', new Map(), 'Map'],
  ['an invalid date', new Date('never'), 'invalid date'],
  ['a cycle', cycle, 'contains itself'],
]
test.each(refused)('encode refuses %s with the name of the field', (_, value, text) => {
  const act = () => encode(value as FieldValue, 'field')
  expect(act).toThrow(ValidationError)
  expect(act).toThrow('field')
  expect(act).toThrow(text)
})

test('one object in two places is not taken for a cycle', () => {
  const shared = { x: 1 }
  expect(encode({ a: shared, b: shared }, 'field')).toEqual({ a: { x: 1 }, b: { x: 1 } })
})

describe('names of the object prototype are names like any other', () => {
  const text = '{"__proto__":{"polluted":true},"constructor":1,"toString":"x","hasOwnProperty":null}'
  test('encode and decode keep them as own properties', () => {
    for (const turn of [encode(JSON.parse(text), 'field'), decode(JSON.parse(text))]) {
      expect(JSON.stringify(turn)).toBe(text)
      expect(Object.getPrototypeOf(turn)).toBe(Object.prototype)
    }
    expect('polluted' in {}).toBe(false)
  })

  test('isEqual compares own properties alone', () => {
    expect(isEqual(JSON.parse(text), JSON.parse(text))).toBe(true)
    expect(isEqual(JSON.parse('{"__proto__":1}'), {})).toBe(false)
    expect(isEqual({ a: 1 }, JSON.parse('{"constructor":1}'))).toBe(false)
  })

  test('a record and its snapshot', () => {
    const record = readRecord(JSON.parse(`{"objectId":"a",${text.slice(1)}`))
    expect(record).toBeDefined()
    if (!record) return
    const user = toSnapshot<User>(record)
    expect(Object.keys(user)).toEqual(['objectId', '__proto__', 'constructor', 'toString', 'hasOwnProperty'])
    expect(user.constructor).toBe(1)
    expect(Object.getPrototypeOf(user)).toBe(Object.prototype)
  })
})

test('readRecord removes token and password, and returns no user if there is none', () => {
  expect(readRecord({ objectId: 'a', sessionToken: 'r:1', password: 'p', username: 'ada' })).toEqual({
    objectId: 'a',
    username: 'ada',
  })
  for (const nothing of [undefined, null, 'a', [], {}, { objectId: 1 }]) expect(readRecord(nothing)).toBeUndefined()
})

test('a snapshot is frozen at every depth and its times are dates', () => {
  const user = toSnapshot<User>({
    objectId: 'a',
    username: 'ada',
    createdAt: '2026-01-02T03:04:05.006Z',
    list: [{ x: 1 }],
  })
  expect(user.createdAt).toEqual(new Date('2026-01-02T03:04:05.006Z'))
  expect(Object.isFrozen(user)).toBe(true)
  expect(Object.isFrozen(user.list)).toBe(true)
  expect(() => Object.assign((user.list as object[])[0] ?? {}, { x: 2 })).toThrow(TypeError)
})

const json = fc.jsonValue({ noUnicodeString: false } as object)

test('decode after encode gives back any JSON value, and both agree with isEqual', () => {
  fc.assert(
    fc.property(json, (value) => {
      // JSON cannot carry a negative zero.
      const plain = JSON.parse(JSON.stringify(value))
      const wire = encode(plain, 'field')
      expect(isEqual(wire, plain)).toBe(true)
      expect(isEqual(encode(decode(wire), 'field'), wire)).toBe(true)
    }),
  )
})

test('isEqual distinguishes different JSON values', () => {
  fc.assert(
    fc.property(json, json, (a, b) => {
      const [left, right] = [sortKeys(a), sortKeys(b)]
      expect(isEqual(a as never, b as never)).toBe(JSON.stringify(left) === JSON.stringify(right))
    }),
  )
})

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, sortKeys(item)]),
  )
}
