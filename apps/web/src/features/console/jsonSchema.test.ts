import { expect, test } from 'vitest'
import { type JsonSchema, listFields, readField, readObject, writeField, writeType } from './jsonSchema.ts'

test('types are written in one line, with their limits', () => {
  const cases: [JsonSchema, string][] = [
    [{ type: 'string', minLength: 1, maxLength: 200 }, 'string (≥ 1, ≤ 200)'],
    [{ type: 'integer', minimum: -9007199254740991, maximum: 9007199254740991 }, 'integer'],
    [{ enum: ['a', 'b'] }, '"a" | "b"'],
    [{ const: 'Date' }, '"Date"'],
    [
      { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'number' }] }, maxItems: 7 },
      '(string | number)[] (≤ 7)',
    ],
    [{}, 'any'],
  ]
  for (const [schema, text] of cases) expect(writeType(schema)).toBe(text)
})

test('converts typed text to a field’s value and back', () => {
  const cases: [JsonSchema, string, unknown][] = [
    [{ type: 'string' }, '12', '12'],
    [{ type: 'number' }, '12.5', 12.5],
    [{ type: 'boolean' }, 'false', false],
    [{ enum: [1, 'two'] }, '"two"', 'two'],
    [{ type: 'object' }, '{"a":[1]}', { a: [1] }],
    [{ anyOf: [{ type: 'string' }, { type: 'number' }] }, 'ada', 'ada'],
    [{ anyOf: [{ type: 'string' }, { type: 'number' }] }, '5', 5],
    [{ type: ['string', 'null'] }, '"5"', '5'],
  ]
  for (const [schema, text, value] of cases) {
    expect(readField(schema, text)).toEqual(value)
    expect(writeField(schema, value as never)).toBe(text)
  }
  for (const [schema, text] of [
    [{ type: 'number' }, 'many'],
    [{ type: 'number' }, ' '],
    [{ type: 'object' }, '{'],
  ] as const)
    expect(() => readField(schema, text)).toThrow()
  expect(readObject(' ')).toEqual({})
  for (const text of ['[]', 'null', '1']) expect(() => readObject(text)).toThrow()
})

test('fields know whether they are required', () => {
  expect(
    listFields({ properties: { a: {}, b: {} }, required: ['b'] }).map(({ name, isRequired }) => [name, isRequired]),
  ).toEqual([
    ['a', false],
    ['b', true],
  ])
})
