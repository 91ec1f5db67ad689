import { expect, test } from 'vitest'
import { createRandom, type Random } from '../testing/createRandom.ts'
import { createPlans } from './createPlans.ts'
import { compile, type Fragment, type Param, sql } from './sql.ts'

/** Values that must not pass for a piece, and texts that equal pieces. */
const values = [
  1,
  'a',
  '"id"',
  'and',
  null,
  undefined,
  true,
  ['x', null],
  { texts: ['drop'], between: [] },
  new Date(0),
]

function compose(random: Random, params: Param[], depth = 0): Fragment {
  const inner = () => compose(random, params, depth + 1)
  const value = () => (random.happens(0.3) ? random.pick(params) : values[random.below(values.length)])
  switch (random.below(depth > 3 ? 5 : 9)) {
    case 0:
      return sql.id(random.pick(['id', 'a', 'and']))
    case 1:
      return sql`a = ${value()}`
    case 2:
      return sql`b between ${value()} and ${value()}`
    case 3:
      return sql.raw(random.below(4))
    case 4:
      return sql.column('t', random.pick(['id', 'b']))
    case 5:
      return sql`(${inner()} or ${value()})`
    case 6:
      return sql`(${value()} or ${inner()})`
    case 7:
      return sql.join([inner(), value(), inner()].slice(random.below(3)), random.pick([', ', ' and ']))
    default:
      return sql`not ${inner()}`
  }
}

test('a statement by its plan is the statement that its pieces compose, whatever others came before', () => {
  const random = createRandom(7)
  const known = new Map<string, string>()
  for (let round = 0; round < 3_000; round++) {
    const params = [sql.param(`param ${round}`), sql.param(round)]
    const piece = compose(random, params)
    const { text, values: expected } = compile(sql`select ${piece}`)
    for (let times = 0; times < 3; times++) {
      const compiled = compile(sql.prepared`select ${piece}`)
      expect(compiled.text).toBe(text)
      expect(compiled.values).toEqual(expected)
      if (times > 0) expect(compiled.name).toBeDefined()
      // A name stands for one text, on every connection.
      if (compiled.name !== undefined) {
        expect(known.get(compiled.name) ?? text).toBe(text)
        known.set(compiled.name, text)
      }
    }
  }
  expect(known.size).toBeGreaterThan(300)
})

test('a statement that the code names keeps the name it has now, and long lists are composed each time', () => {
  const read = (version: number, list: unknown[]) => compile(sql.named(`read-${version}`)`select ${sql.join(list)}`)
  for (const version of [1, 2, 1]) {
    for (const length of [1, 3, 100, 101, 500]) {
      const list = Array.from({ length }, (_, index) => index)
      const { name, text, values: given } = read(version, list)
      expect(name).toBe(`read-${version}`)
      expect(text).toBe(`select ${list.map((index) => `$${index + 1}`).join(', ')}`)
      expect(given).toEqual(list)
    }
  }
})

test('a timeout and the like belong to the one execution', () => {
  const piece = () => sql.prepared`select ${1} as limited`
  compile(piece())
  compile(piece())
  expect(compile(sql.limited(piece(), 300)).timeout).toBe(300)
  expect(compile(piece()).timeout).toBeUndefined()
})

test('beyond their limits all plans are dropped', () => {
  const plans = createPlans({ plans: 10, letters: 1_000 })
  const keep = (key: string, text: string) => {
    const plan = plans.step(plans.first, key, true)
    if (plan) plans.keep(plan, text, 'name')
    return plans.step(plans.first, key, false)?.text
  }
  for (let count = 0; count < 10; count++) expect(keep(`key ${count}`, 'text')).toBe('text')
  expect(keep('one more', 'text')).toBeUndefined()
  expect(plans.step(plans.first, 'key 1', false)).toBeUndefined()
  expect(keep('key 1', 'text')).toBe('text')
  expect(keep('key 2', 'x'.repeat(2_000))).toBeUndefined()
})
