import { expect, test } from 'vitest'
import { initialValues, relationsOf, typesOf } from './Change.ts'
import { readChanges } from './readChanges.ts'

const pointer = (className: string, objectId: string) => ({ __type: 'Pointer' as const, className, objectId })

test('relation operations become changes of pointers of one class', () => {
  const changes = readChanges({
    likes: { __op: 'AddRelation', objects: [pointer('Post', 'a'), pointer('Post', 'b')] },
    friends: {
      __op: 'Batch',
      ops: [
        { __op: 'AddRelation', objects: [pointer('_User', 'c')] },
        { __op: 'RemoveRelation', objects: [pointer('_User', 'd')] },
      ],
    },
    kept: { __type: 'Relation', className: 'Post' },
  })
  expect(changes.map(({ kind, field }) => [field, kind])).toEqual([
    ['likes', 'relate'],
    ['friends', 'relate'],
    ['friends', 'unrelate'],
    ['kept', 'relate'],
  ])
  expect(Object.fromEntries(relationsOf(changes))).toEqual({ likes: 'Post', friends: '_User', kept: 'Post' })
  expect(typesOf(changes).size).toBe(0)
})

test.each([
  [{ r: { __op: 'AddRelation', objects: [pointer('A', '1'), pointer('B', '1')] } }, 111, /one class/],
  [{ r: { __op: 'AddRelation', objects: ['text'] } }, 111, /pointers only/],
  [{ r: { __op: 'AddRelation', objects: 5 } }, 107, /must be an array/],
  [{ r: { __op: 'Batch', ops: [{ __op: 'Increment', amount: 1 }] } }, 107, /only AddRelation/],
  [{ r: { __op: 'Batch', ops: [null] } }, 107, /only AddRelation/],
  [{ r: { __op: 'Batch' } }, 107, /must be an array/],
  [{ 'r.x': { __op: 'AddRelation', objects: [] } }, 105, /no parts/],
  [{ r: { __type: 'Relation', className: 'a"b' } }, 111, /not a valid Relation/],
  [{ p: pointer('a"; drop table x', 'i') }, 111, /not a valid Pointer/],
  [{ n: { __op: 'Increment', amount: '1); drop table x' } }, 107, /must provide a number/],
  [{ 'o.constructor.x': 1 }, 105, /Prohibited keyword/],
  [{ 'o.__proto__': 1 }, 105, /Prohibited keyword/],
  [{ 'o..x': 1 }, 105, /Invalid field name/],
  [{ 'o.$x': 1 }, 121, /Nested keys/],
  [{ [`o${'.a'.repeat(101)}`]: 1 }, 105, /100 parts/],
  [{ objectId: 'x' }, 105, /^objectId is an invalid field name.$/],
  [{ 'ACL.x': 1 }, 105, /^ACL is an invalid field name.$/],
  [{ id: 'x' }, 105, /^id is an invalid field name.$/],
  [{ ctid: 'x' }, 105, /Invalid field name: ctid/],
  [{ constructor: 'x' }, 105, /Invalid field name: constructor/],
  [{ x: { __op: 'Rename' } }, 108, /not supported/],
])('P1, P3: %j is refused with %i', (input, code, message) => {
  const reading = () => typesOf(readChanges(input as never))
  expect(reading).toThrow(message)
  expect(reading).toThrow(expect.objectContaining({ code }))
})

test('a new object has the results of its operations, with dotted names merged', () => {
  const changes = readChanges({
    a: { __op: 'Increment', amount: 3 },
    b: { __op: 'Remove', objects: [1] },
    c: { __op: 'AddUnique', objects: [1, { x: 1, y: 2 }, { y: 2, x: 1 }, 1] },
    d: { __op: 'Delete' },
    e: { __op: 'SetOnInsert', amount: 'once' },
    'o.x.y': 1,
    'o.x.z': { __op: 'Increment', amount: 2 },
    'l.0': 'first',
    'l.9': 'next',
    n: null,
    r: { __op: 'AddRelation', objects: [pointer('Post', 'a')] },
  })
  expect(Object.fromEntries(initialValues(changes))).toEqual({
    a: 3,
    b: [],
    c: [1, { x: 1, y: 2 }],
    e: 'once',
    o: { x: { y: 1, z: 2 } },
    l: ['first', 'next'],
    n: null,
  })
})
