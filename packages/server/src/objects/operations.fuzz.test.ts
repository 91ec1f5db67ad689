import { CountersignError, sameValue, type WireChanges, type WireFields, type WireValue } from '@countersign/protocol'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { withFileUrls } from '../classes/fileUrls.ts'
import type { Caller } from '../context/Caller.ts'
import { anyValue } from '../testing/objects/fuzzValues.ts'
import { serveTests } from '../testing/serveTests.ts'
import { getObject } from './getObject.ts'
import { updateObject } from './updateObject.ts'

const seed = Number(process.env.FUZZ_SEED ?? 1)
const runs = Number(process.env.FUZZ_RUNS ?? 300)

const server = serveTests()

type Parts = { [key: string]: WireValue }

function asParts(value: WireValue | undefined): Parts | undefined {
  const isParts = value !== null && typeof value === 'object' && !Array.isArray(value)
  return isParts ? (value as Parts) : undefined
}

function look(value: WireValue | undefined, path: string[]): WireValue | undefined {
  return path.reduce<WireValue | undefined>((at, key) => {
    const parts = asParts(at)
    return parts && Object.hasOwn(parts, key) ? parts[key] : undefined
  }, value)
}

function put(base: WireValue | undefined, [key = '', ...rest]: string[], value: WireValue): Parts {
  const object = asParts(base) ?? {}
  return { ...object, [key]: rest.length === 0 ? value : put(object[key], rest, value) }
}

function drop(base: WireValue, [key = '', ...rest]: string[]): WireValue {
  const object = asParts(base)
  if (!object || !Object.hasOwn(object, key)) return base
  if (rest.length > 0) return { ...object, [key]: drop(object[key] as WireValue, rest) }
  const { [key]: _gone, ...kept } = object
  return kept
}

/** Expected result of an operation; `undefined` if it is impossible. */
function operate(before: WireValue | undefined, change: Parts): WireValue | undefined {
  const objects = change.objects as WireValue[]
  if (change.__op === 'Increment') {
    const sum =
      before === undefined || before === null
        ? change.amount
        : typeof before === 'number'
          ? before + (change.amount as number)
          : undefined
    return Number.isFinite(sum) ? sum : undefined
  }
  const list = before === undefined || before === null ? [] : before
  if (!Array.isArray(list)) return undefined
  if (change.__op === 'Add') return [...list, ...objects]
  if (change.__op === 'Remove') return list.filter((item) => !objects.some((other) => sameValue(item, other)))
  const fresh = objects.filter((item, index) => objects.findIndex((other) => sameValue(item, other)) === index)
  return [...list, ...fresh.filter((item) => !list.some((other) => sameValue(item, other)))]
}

function isSetLater(given: WireChanges, key: string, field: string): boolean {
  const keys = Object.keys(given)
  return keys.indexOf(field) > keys.indexOf(key)
}

/** The naive evaluation of an update; `undefined` where it must be refused. */
function apply(model: WireFields, given: WireChanges): WireFields | undefined {
  let next = { ...model }
  for (const [key, change] of Object.entries(given) as [string, WireValue][]) {
    const [field = '', ...path] = key.split('.')
    // Changes before a set of the whole field do not count.
    if (path.length > 0 && isSetLater(given, key, field)) continue
    const operation = asParts(change)?.__op === undefined ? undefined : (change as Parts)
    if (operation?.__op === 'Delete') {
      const { [field]: before, ...kept } = next
      next = path.length > 0 && asParts(before) ? { ...kept, [field]: drop(before as WireValue, path) } : kept
      continue
    }
    const value = operation ? operate(look(next, [field, ...path]), operation) : change
    if (value === undefined) return undefined
    next = { ...next, [field]: path.length > 0 ? put(next[field], path, value) : value }
  }
  return next
}

test(`${runs} random operations lead to what a naive evaluation says, and say so`, { timeout: 60_000 }, async () => {
  const master: Caller = { isMaster: true, isLocalApp: false, ipAddress: '127.0.0.1' }
  const { context } = server
  const { objectId } = (await server.call('POST', '/classes/Model', { n: 1, l: [], o: {}, s: '' }, { master: true }))
    .body as { objectId: string }
  const value = anyValue
  const objects = fc.array(
    fc.constantFrom<WireValue>(1, 2, 'a', { a: 1 }, [1], null, { __type: 'Date', iso: '2020-01-01T00:00:00.000Z' }),
    { maxLength: 3 },
  )
  const onList = fc.record({ __op: fc.constantFrom('Add', 'AddUnique', 'Remove'), objects })
  const onNumber = fc.record({ __op: fc.constant('Increment'), amount: fc.constantFrom(1, -2.5, 0.1, 1e300, 1.7e308) })
  const gone = fc.constant({ __op: 'Delete' })
  const inside = fc.constantFrom('o.a', 'o.b', 'o.a.a', 'o.a.b', 'o.b.a')
  const entry = fc.oneof(
    fc.tuple(fc.constant('n'), fc.oneof(onNumber, gone, fc.constantFrom(0, 5, null))),
    fc.tuple(fc.constant('l'), fc.oneof(onList, onList, gone, fc.constant(null))),
    fc.tuple(fc.constant('o'), fc.oneof(gone, fc.constantFrom({}, { a: { b: [1] } }, { a: 1, b: null }))),
    fc.tuple(inside, fc.oneof(onList, onNumber, gone, value)),
    fc.tuple(fc.constant('s'), fc.constantFrom('a', '😀', null)),
  )
  const change = fc
    .array(entry, { minLength: 1, maxLength: 3 })
    .map((entries) => Object.fromEntries(entries) as WireChanges)
  let model: WireFields = { n: 1, l: [], o: {}, s: '' }
  let refused = 0
  for (const given of fc.sample(change, { numRuns: runs, seed })) {
    const expected = apply(model, given)
    const answer = await updateObject(context, master, 'Model', objectId, given).catch((error) => {
      if (!(error instanceof CountersignError) && !/^(CS|22)/.test(String(error.code))) throw error
      return undefined
    })
    if (!answer) refused++
    if (expected === undefined || answer === undefined) {
      expect(answer, `${JSON.stringify(given)} on ${JSON.stringify(model)}`).toBe(expected)
      continue
    }
    const {
      objectId: _id,
      createdAt: _created,
      updatedAt: _updated,
      ...after
    } = await getObject(context, master, 'Model', objectId, {})
    expect(after, `${JSON.stringify(given)} on ${JSON.stringify(model)}`).toEqual(withFileUrls(context, expected))
    for (const [key, operationOrValue] of Object.entries(given) as [string, WireValue][]) {
      const { __op } = asParts(operationOrValue) ?? {}
      if (__op === undefined || __op === 'Delete') continue
      expect(look(answer as WireFields, key.split('.')), JSON.stringify(given)).toEqual(
        look(withFileUrls(context, expected), key.split('.')),
      )
    }
    model = expected
  }
  expect(refused).toBeLessThan(runs / 2)
})
