import type { WireFields, WireValue } from '@countersign/protocol'
import fc from 'fast-check'

/** Few enough that random conditions meet random objects, odd enough to break what can be broken. */
const texts = [
  '',
  'a',
  'ab',
  'Ab',
  'b',
  'zz',
  'é',
  'ß',
  '😀',
  '\uffee',
  'x y',
  "it's",
  '"',
  '\\',
  '%_',
  'a\nb',
  '1',
  'true',
  '$1',
  '--',
]
const numbers = [0, 1, -1, 2, 2.5, -0.1, 1e21, 1e-7, 9007199254740991, 1.7976931348623157e308]
const days = [
  '1969-07-20T20:17:40.000Z',
  '2020-02-29T12:00:00.000Z',
  '2020-02-29T12:00:00.001Z',
  '2038-01-19T03:14:08.123Z',
]
export const keys = ['a', 'b', '0', '1', 'A', 'long_key']

const text = fc.constantFrom(...texts)
const number = fc.constantFrom(...numbers)
const boolean = fc.boolean()
const date = fc.constantFrom(...days).map((iso): WireValue => ({ __type: 'Date', iso }))
const pointer = fc
  .tuple(fc.constantFrom('Other', '_User'), fc.constantFrom('id1', 'id2', 'id3'))
  .map(([className, objectId]): WireValue => ({ __type: 'Pointer', className, objectId }))
const ownPointer = fc
  .constantFrom('id1', 'id2', 'id3')
  .map((objectId): WireValue => ({ __type: 'Pointer', className: 'Other', objectId }))
const degrees = fc.tuple(fc.integer({ min: -9, max: 9 }), fc.integer({ min: -18, max: 18 }))
export const point = degrees.map(
  ([latitude, longitude]): WireValue => ({
    __type: 'GeoPoint',
    latitude: latitude * 10,
    longitude: longitude * 10,
  }),
)
const polygon = fc.uniqueArray(degrees, { minLength: 3, maxLength: 5, selector: String }).map(
  (corners): WireValue => ({
    __type: 'Polygon',
    coordinates: corners.map(([x, y]): [number, number] => [x * 10, y * 10]),
  }),
)
const file = fc.constantFrom('one.txt', 'two.txt').map((name): WireValue => ({ __type: 'File', name }))
const bytes = fc.constantFrom('', 'AQI=', 'AQID').map((base64): WireValue => ({ __type: 'Bytes', base64 }))

const { json } = fc.letrec<{ json: WireValue; list: WireValue; object: WireValue }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    text,
    number,
    boolean,
    fc.constant(null),
    date,
    pointer,
    tie('list'),
    tie('object'),
  ),
  list: fc.array(tie('json'), { maxLength: 3 }),
  object: fc.dictionary(fc.constantFrom(...keys), tie('json'), { maxKeys: 3 }),
}))
const list = fc.array(json, { maxLength: 4 })
const object = fc.dictionary(fc.constantFrom(...keys), json, { maxKeys: 4 })

/** A field of each type, with the values that it can hold. */
export const fieldValues: { [field: string]: fc.Arbitrary<WireValue> } = {
  s: text,
  n: number,
  b: boolean,
  d: date,
  p: ownPointer,
  g: point,
  q: polygon,
  f: file,
  y: bytes,
  o: object,
  l: list,
}

/** Any value at all, of the right type or not. */
export const anyValue: fc.Arbitrary<WireValue> = fc.oneof(
  text,
  number,
  boolean,
  fc.constant(null),
  date,
  pointer,
  point,
  polygon,
  file,
  bytes,
  list,
  object,
)

/** An object of the class: each field set, null or missing. */
export const anyObject: fc.Arbitrary<WireFields> = fc
  .record(
    Object.fromEntries(
      Object.entries(fieldValues).map(([field, value]) => [
        field,
        fc.oneof({ weight: 4, arbitrary: value }, { weight: 1, arbitrary: fc.constant(null) }),
      ]),
    ),
    { requiredKeys: [] },
  )
  .map((fields) => fields as WireFields)
