import type { WireValue, WireWhere } from '@countersign/protocol'
import fc from 'fast-check'
import { anyValue, fieldValues, keys, point } from './fuzzValues.ts'

const names = Object.keys(fieldValues)
const inner = fc.constantFrom(...keys, 'l', 'iso', '__type')
const dotted = fc
  .tuple(fc.constantFrom('o', 'l', 'o', 's', 'f'), fc.array(inner, { minLength: 1, maxLength: 3 }))
  .map(([head, path]) => [head, ...path].join('.'))
const odd = fc.constantFrom(
  'unknown',
  'x"',
  "a'b",
  '',
  '.',
  'o.',
  '.o',
  '_rperm',
  '_nulls',
  'ACL',
  'a b',
  '__proto__',
  'constructor',
  'o.__proto__',
  'toString',
  '$where',
  '$or',
  'objectid',
  'o.a"b',
  "o.'; drop table x; --",
)
const name = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(...names, 'objectId', 'createdAt', 'updatedAt') },
  { weight: 5, arbitrary: dotted },
  { weight: 1, arbitrary: odd },
)

const patterns = [
  'a',
  '^a',
  'b$',
  '^ab$',
  '\\Qa\\E',
  '[a-z]+',
  '.',
  'a.b',
  '(a|b)+',
  '^$',
  'A',
  '\\w+',
  '[^a]',
  'a{1,2}',
  '(?=a)',
  '(?!a)b',
  '(?<=a)b',
  '\\bx',
  '(',
  '[',
  'a**',
  '\\1',
  'é',
  '😀',
  '(?i)AB',
  '%',
  '\\',
  'ß',
]
const regex = fc.record(
  { $regex: fc.constantFrom(...patterns), $options: fc.constantFrom('', 'i', 'm', 's', 'x', 'im', 'g') },
  { requiredKeys: ['$regex'] },
)

const values = fc.array(anyValue, { maxLength: 4 })
const compare = fc.constantFrom('$lt', '$lte', '$gt', '$gte')
const geo = fc.oneof(
  fc.tuple(point, fc.constantFrom(undefined, 0, 0.1, 0.5, 1, 3.2)).map(([near, distance]) => ({
    $nearSphere: near,
    ...(distance !== undefined && { $maxDistance: distance }),
  })),
  fc.tuple(point, point).map((box) => ({ $within: { $box: box } })),
  fc.array(point, { minLength: 3, maxLength: 5 }).map((corners) => ({ $geoWithin: { $polygon: corners } })),
  fc.tuple(point, fc.constantFrom(0, 0.2, 1)).map((circle) => ({ $geoWithin: { $centerSphere: circle } })),
  point.map((place) => ({ $geoIntersects: { $point: place } })),
)
const broken = fc
  .tuple(
    fc.constantFrom(
      '$in',
      '$exists',
      '$all',
      '$regex',
      '$text',
      '$select',
      '$inQuery',
      '$nearSphere',
      '$foo',
      '$',
      '$geoWithin',
      '$relativeTime',
      '$options',
    ),
    anyValue,
  )
  .map(([operator, value]) => ({ [operator]: value }))

/** Most of the time a value that the field could hold: otherwise hardly anything would ever be found. */
const constraintOf = (field: string): fc.Arbitrary<unknown> => {
  const own = (Object.hasOwn(fieldValues, field) && fieldValues[field]) || anyValue
  const value = fc.oneof({ weight: 4, arbitrary: own }, { weight: 1, arbitrary: anyValue })
  const some = fc.array(value, { maxLength: 4 })
  return fc.oneof(
    { weight: 4, arbitrary: value },
    { weight: 2, arbitrary: value.map(($eq) => ({ $eq })) },
    { weight: 2, arbitrary: value.map(($ne) => ({ $ne })) },
    { weight: 4, arbitrary: fc.tuple(compare, value).map(([operator, bound]) => ({ [operator]: bound })) },
    { weight: 1, arbitrary: fc.tuple(value, value).map(([$gte, $lt]) => ({ $gte, $lt })) },
    { weight: 2, arbitrary: some.map(($in) => ({ $in })) },
    { weight: 2, arbitrary: some.map(($nin) => ({ $nin })) },
    { weight: 2, arbitrary: fc.boolean().map(($exists) => ({ $exists })) },
    { weight: 1, arbitrary: values.map(($all) => ({ $all })) },
    { weight: 1, arbitrary: fc.array(regex, { minLength: 1, maxLength: 2 }).map(($all) => ({ $all })) },
    { weight: 1, arbitrary: values.map(($containedBy) => ({ $containedBy })) },
    { weight: 3, arbitrary: regex },
    { weight: field === 'g' || field === 'q' ? 8 : 1, arbitrary: geo },
    { weight: 1, arbitrary: broken },
  )
}

const entry = name.chain((field) => constraintOf(field).map((constraint): [string, unknown] => [field, constraint]))

/** A `where` of any shape, with conditions inside each other. */
export const anyWhere: fc.Arbitrary<WireWhere> = fc.letrec<{ where: WireWhere }>((tie) => ({
  where: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.array(entry, { minLength: 1, maxLength: 3 }).map((entries) => Object.fromEntries(entries) as WireWhere),
    fc
      .tuple(fc.constantFrom('$or', '$and', '$nor'), fc.array(tie('where'), { minLength: 1, maxLength: 3 }))
      .map(([operator, parts]): WireWhere => ({ [operator]: parts as WireValue })),
  ),
})).where
