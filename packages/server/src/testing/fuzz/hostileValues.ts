import fc from 'fast-check'

/** Marks text that is written into JSON as it is: numbers and structures that no JavaScript value stands for. */
const rawMark = '\u0001raw:'

/** JSON of a value, with raw parts written out. */
export function writeJson(value: unknown): string {
  const text = JSON.stringify(value) ?? ''
  if (!text.includes('\\u0001raw:')) return text
  return text.replaceAll(/"\\u0001raw:((?:[^"\\]|\\.)*)"/g, (_, raw: string) => JSON.parse(`"${raw}"`) as string)
}

const raw = (text: string) => `${rawMark}${text}`

const rawTexts = [
  '1e400',
  '-1e400',
  '-0',
  '0.1e-400',
  '9007199254740993',
  '123456789012345678901234567890',
  '{"__proto__":{"polluted":"polluted-by-attack"}}',
  '{"constructor":{"prototype":{"polluted":"polluted-by-attack"}}}',
  '{"a":1,"a":2}',
  '"\\ud800"',
  '"\\u0000"',
  `${'['.repeat(60)}${']'.repeat(60)}`,
  `${'{"a":'.repeat(60)}1${'}'.repeat(60)}`,
  `${'['.repeat(3_000)}${']'.repeat(3_000)}`,
  'NaN',
  "'",
]

/** Texts that databases, parsers, paths or terminals treat specially. */
const oddTexts = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  'a\udc00',
  '\u202eabc',
  '\ufeff',
  '\u200d',
  'İ',
  'ﬀ',
  'e\u0301',
  '😀'.repeat(40),
  "'; select pg_sleep(9) --",
  '"; drop table "_User"; --',
  "' or '1'='1",
  '$1',
  '%s%n',
  '#{7*7}',
  '{{7*7}}',
  '<script>alert(1)</script>',
  '../../../../etc/passwd',
  '..\\..\\',
  'file:///etc/passwd',
  'http://127.0.0.1:1/',
  'http://169.254.169.254/latest/meta-data/',
  'javascript:alert(1)',
  '%00%ff',
  'a\r\nSet-Cookie: x=1',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'valueOf',
  'then',
  '_rperm',
  '_wperm',
  '_hashed_password',
  '_nulls',
  'ctid',
  'tableoid',
  '$where',
  '$ne',
  'null',
  'undefined',
  'NaN',
  'Infinity',
  'true',
  '0',
  '-1',
  '1e309',
  '0x',
  '(a+)+$',
  '^(([a-z])+.)+[A-Z]([a-z])+$',
  'role:Staff',
  '*',
]

/** Texts of dates, most of them not valid or outside of what PostgreSQL holds. */
const dateTexts = [
  '2030-01-31T12:00:00.000Z',
  '0000-00-00T00:00:00.000Z',
  '-271821-04-20T00:00:00.000Z',
  '+275760-09-13T00:00:00.000Z',
  '+999999-01-01T00:00:00.000Z',
  '2023-02-30T00:00:00.000Z',
  '2016-12-31T23:59:60.000Z',
  '9999-12-31T23:59:59.999Z',
  '0001-01-01T00:00:00.000Z',
  '2024-01-01',
  'now',
  'infinity',
  'epoch',
]

const numbers = [
  0,
  -0,
  1,
  -1,
  0.5,
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 32,
  2 ** 53,
  2 ** 63,
  1e21,
  1e308,
  -1e308,
  5e-324,
  Number.MAX_SAFE_INTEGER,
]

/** Objects with a meaning: operators and types in places of values. */
const structures: unknown[] = [
  { $ne: null },
  { $gt: '' },
  { $regex: '^(a+)+$' },
  { $regex: '.', $options: 'i' },
  { $where: 'sleep(1000)' },
  { $in: [] },
  { $exists: true },
  { $inQuery: { className: '_User', where: {} } },
  { $select: { query: { className: '_User', where: {} }, key: 'username' } },
  { $relatedTo: { object: { __type: 'Pointer', className: '_Role', objectId: 'x' }, key: 'users' } },
  { __op: 'Delete' },
  { __op: 'Increment', amount: 1e308 },
  { __op: 'Increment', amount: "1'" },
  { __op: 'AddRelation', objects: [{ __type: 'Pointer', className: '_User', objectId: 'x' }] },
  { __op: 'Batch', ops: [{ __op: 'Add', objects: [1] }] },
  { __op: '__proto__' },
  { __type: 'Pointer', className: '_User', objectId: 'x' },
  { __type: 'Pointer', className: '__proto__', objectId: 'constructor' },
  { __type: 'Date', iso: '+275760-09-13T00:00:00.000Z' },
  { __type: 'Date', iso: 'x' },
  { __type: 'Date' },
  { __type: 'GeoPoint', latitude: 91, longitude: 0 },
  { __type: 'GeoPoint', latitude: 'NaN', longitude: null },
  { __type: 'Polygon', coordinates: [[0, 0]] },
  { __type: 'File', name: '../x', url: 'http://127.0.0.1/x' },
  { __type: 'Bytes', base64: '***' },
  { __type: 'Relation', className: '_User' },
  { __type: 'Object', className: '_User', objectId: 'x', password: 'x' },
  { __type: 'constructor' },
  { '*': { read: true, write: true } },
  { toString: 1, valueOf: 1, toJSON: 'x' },
  { length: 1e9 },
  { length: { toString: 1, valueOf: 1 }, size: { toString: 1, valueOf: 1 } },
  Object.fromEntries([['then', 'x']]),
  [],
  {},
  [[[[[[[[[[]]]]]]]]]],
  [null],
]

const long = fc
  .tuple(
    fc.constantFrom('x', 'é', '(', '{"a":', '[', '%', '\u0000', ' '),
    fc.constantFrom(200, 300, 1_001, 5_000, 20_001),
  )
  .map(([part, times]) => part.repeat(times))

const unicode = fc.string({ unit: 'binary', maxLength: 12 })

export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...oddTexts) },
  { weight: 2, arbitrary: fc.constantFrom(...dateTexts) },
  { weight: 3, arbitrary: unicode },
  { weight: 1, arbitrary: long },
)

/** Values of any type where another is expected. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: hostileText },
  { weight: 4, arbitrary: fc.constantFrom(...numbers) },
  { weight: 6, arbitrary: fc.constantFrom(...structures) },
  { weight: 2, arbitrary: fc.constantFrom(null, true, false) },
  { weight: 2, arbitrary: fc.constantFrom(...rawTexts).map(raw) },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 1, arbitrary: fc.nat({ max: 1_200 }).map((length) => Array.from({ length }, () => 0)) },
)

const hostileKey = fc.oneof(
  fc.constantFrom(...oddTexts),
  fc.constantFrom(
    'objectId',
    'ACL',
    'className',
    'sessionToken',
    'createdAt',
    '_method',
    '_SessionToken',
    '_MasterKey',
  ),
)

/** One change of a value: where, and what. */
type Mutation = { at: number; kind: 'replace' | 'remove' | 'wrap' | 'key' | 'repeat'; value: unknown; key: string }

const mutation: fc.Arbitrary<Mutation> = fc.record({
  at: fc.nat({ max: 1_000 }),
  kind: fc.constantFrom<Mutation['kind'][]>('replace', 'replace', 'replace', 'remove', 'wrap', 'key', 'repeat'),
  value: hostileValue,
  key: hostileKey,
})

/** The value as it is in most cases, or with a few parts replaced, removed or added. */
export function mutated<T>(valid: fc.Arbitrary<T>): fc.Arbitrary<unknown> {
  const changes = fc.oneof(
    { weight: 5, arbitrary: fc.constant<Mutation[]>([]) },
    { weight: 4, arbitrary: mutation.map((one) => [one]) },
    { weight: 2, arbitrary: fc.array(mutation, { minLength: 2, maxLength: 4 }) },
  )
  return fc.tuple(valid, changes).map(([value, list]) => list.reduce(mutate, value as unknown))
}

type Place = { holder: Record<string, unknown>; key: string }

function mutate(value: unknown, { at, kind, value: hostile, key }: Mutation): unknown {
  const root: Record<string, unknown> = { value: structuredClone(value) }
  const places: Place[] = []
  collect(root, places)
  const inner = places.length > 1 ? places.slice(1) : places
  const place = inner[at % inner.length] as Place
  const old = place.holder[place.key]
  if (kind === 'remove') delete place.holder[place.key]
  else if (kind === 'wrap') setOwn(place.holder, place.key, [old])
  else if (kind === 'repeat') setOwn(place.holder, place.key, [old, old, old])
  else if (kind === 'key' && typeof old === 'object' && old !== null && !Array.isArray(old))
    setOwn(old as Record<string, unknown>, key, hostile)
  else if (kind === 'key' && typeof root.value === 'object' && root.value !== null && !Array.isArray(root.value))
    setOwn(root.value as Record<string, unknown>, key, hostile)
  else setOwn(place.holder, place.key, hostile)
  return root.value === undefined ? {} : root.value
}

/** Sets a member of any name: assigning `__proto__` would set the prototype. */
function setOwn(holder: object, key: string, value: unknown): void {
  Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true })
}

function collect(holder: Record<string, unknown>, places: Place[]): void {
  for (const key of Object.keys(holder)) {
    if (places.length > 300) return
    places.push({ holder, key })
    const value = holder[key]
    if (typeof value === 'object' && value !== null) collect(value as Record<string, unknown>, places)
  }
}
