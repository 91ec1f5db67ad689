import fc from 'fast-check'
import { anyObject, anyValue, fieldValues } from '../objects/fuzzValues.ts'
import { anyWhere } from '../objects/fuzzWheres.ts'
import type { Pool } from './createPool.ts'
import { mutated } from './hostileValues.ts'

const fieldNames = [...Object.keys(fieldValues), 'objectId', 'createdAt', 'updatedAt', 'secret', 'owner', 'r', 'ACL']
const name = fc.constantFrom(...fieldNames, 'o.a', 'o.a.b', 'l.0', '_rperm', 'username', 'email', 'unknown')

/** Conditions that lead to other rows: subqueries, pointers, relations, and the field with the secrets. */
function crossing(pool: Pool): fc.Arbitrary<unknown> {
  const className = pool.one('className')
  const pointer = fc.record({ __type: fc.constant('Pointer'), className, objectId: pool.one('objectId') })
  const query = fc.record({ className, where: anyWhere })
  return fc.oneof(
    fc.tuple(fc.constantFrom('$inQuery', '$notInQuery'), name, query).map(([operator, field, inner]) => ({
      [field]: { [operator]: inner },
    })),
    fc.tuple(fc.constantFrom('$select', '$dontSelect'), name, query, name).map(([operator, field, inner, key]) => ({
      [field]: { [operator]: { query: inner, key } },
    })),
    fc.tuple(pointer, fc.constantFrom('r', 'users', 'roles', 'p', 'x')).map(([object, key]) => ({
      $relatedTo: { object, key },
    })),
    fc.tuple(name, pointer).map(([field, value]) => ({ [field]: value })),
    fc
      .tuple(fc.constantFrom('secret', 's', 'email'), fc.constantFrom('^c', 'q7', '.', '[0-9a-f]{8}'))
      .map(([field, $regex]) => ({
        [field]: { $regex },
      })),
    fc.constantFrom<unknown>(
      { secret: { $exists: true } },
      { secret: { $text: { $search: { $term: 'csq7' } } } },
      { _rperm: { $exists: false } },
      { $or: [{ ACL: { $ne: null } }] },
      { o: { $elemMatch: { a: 1 } } },
      { l: { $size: 1 } },
      { d: { $gt: { $relativeTime: '1 day ago' } } },
      { n: { $mod: [2, 0] } },
      { n: { $not: { $gt: 1 } } },
    ),
  )
}

export type QueryTrees = {
  where: fc.Arbitrary<unknown>
  pipeline: fc.Arbitrary<unknown>
  changes: fc.Arbitrary<unknown>
}

/** Queries, pipelines and writes, valid and nearly valid. */
export function createQueryTrees(pool: Pool): QueryTrees {
  const plain = fc.oneof(
    { weight: 3, arbitrary: anyWhere as fc.Arbitrary<unknown> },
    { weight: 2, arbitrary: crossing(pool) },
  )
  const where = fc.oneof(
    { weight: 6, arbitrary: mutated(plain) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.constantFrom('$or', '$and', '$nor'), fc.array(plain, { minLength: 1, maxLength: 3 }))
        .map(([operator, parts]) => ({ [operator]: parts })),
    },
    { weight: 1, arbitrary: fc.constant({}) },
  )
  return { where, pipeline: mutated(createPipeline(pool, plain)), changes: mutated(createChanges(pool)) }
}

const operators = [
  ...['$add', '$subtract', '$multiply', '$divide', '$mod', '$pow', '$sqrt', '$abs', '$round', '$trunc', '$ceil'],
  ...['$concat', '$substr', '$substrCP', '$toUpper', '$strLenCP', '$split', '$trim', '$toString', '$toInt', '$toLong'],
  ...['$toDouble', '$toDecimal', '$toBool', '$toDate', '$toObjectId', '$dateToString', '$dateTrunc', '$year', '$month'],
  ...['$cond', '$switch', '$ifNull', '$eq', '$cmp', '$in', '$and', '$not', '$size', '$arrayElemAt', '$isArray'],
  ...['$concatArrays', '$mergeObjects', '$map', '$filter', '$sum', '$avg', '$min', '$literal', '$first', '$nope'],
]

function createPipeline(pool: Pool, match: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const path = fc.oneof(name, fc.constantFrom('_id', '_p_p', '$ROOT', 'x')).map((field) => `$${field}`)
  const { expression } = fc.letrec<{ expression: unknown }>((tie) => ({
    expression: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      path,
      anyValue,
      fc
        .tuple(
          fc.constantFrom(...operators),
          fc.oneof(
            path,
            fc.array(tie('expression'), { maxLength: 3 }),
            // As entries: the linter takes an object with `then` for a promise.
            fc.record(
              Object.fromEntries([
                ['if', tie('expression')],
                ['then', path],
                ['else', path],
              ]),
            ),
            fc.record({ date: path, format: fc.constantFrom('%Y', '%', '%Q'), unit: fc.constantFrom('day', 'x') }),
            fc.record({ input: path, as: name, in: tie('expression'), cond: tie('expression') }),
          ),
        )
        .map(([operator, given]) => ({ [operator]: given })),
    ),
  }))
  const accumulator = fc.constantFrom(
    '$sum',
    '$avg',
    '$min',
    '$max',
    '$push',
    '$first',
    '$last',
    '$addToSet',
    '$stdDevPop',
    '$count',
  )
  const direction = fc.constantFrom<unknown>(1, -1, 0, 'x')
  const stage = fc.oneof(
    match.map(($match) => ({ $match })),
    fc
      .tuple(expression, name, accumulator, expression)
      .map(([_id, as, by, value]) => ({ $group: { _id, [as]: { [by]: value } } })),
    fc
      .tuple(fc.constantFrom('$project', '$addFields', '$set'), name, fc.oneof(expression, fc.constantFrom(0, 1)))
      .map(([at, as, value]) => ({ [at]: { [as]: value } })),
    fc.tuple(name, direction).map(([field, by]) => ({ $sort: { [field]: by } })),
    fc
      .tuple(fc.constantFrom('$unwind', '$sortByCount', '$replaceRoot', '$unset', '$count'), path)
      .map(([at, given]) => ({ [at]: given })),
    fc
      .tuple(pool.one('className'), name, name, name)
      .map(([from, localField, foreignField, as]) => ({ $lookup: { from, localField, foreignField, as } })),
    fc.constantFrom<unknown>(
      { $limit: 5 },
      { $skip: 1 },
      { $count: 'n' },
      { $sample: { size: 2 } },
      { $out: 'x' },
      { $merge: 'x' },
      { $facet: { a: [{ $limit: 1 }] } },
      { $nope: 1 },
    ),
  )
  return fc.array(stage, { maxLength: 4 })
}

function createChanges(pool: Pool): fc.Arbitrary<unknown> {
  const pointer = fc.record({
    __type: fc.constant('Pointer'),
    className: pool.one('className'),
    objectId: pool.one('objectId'),
  })
  const operation = fc.oneof(
    anyValue,
    fc.record({ __op: fc.constantFrom('Increment', 'SetOnInsert'), amount: anyValue }),
    fc.record({ __op: fc.constantFrom('Add', 'AddUnique', 'Remove'), objects: fc.array(anyValue, { maxLength: 3 }) }),
    fc.record({ __op: fc.constantFrom('AddRelation', 'RemoveRelation'), objects: fc.array(pointer, { maxLength: 2 }) }),
    fc.constantFrom<unknown>({ __op: 'Delete' }, { __op: 'Batch', ops: [{ __op: 'Increment', amount: 1 }] }),
    pointer,
  )
  const entity = fc.oneof(fc.constantFrom('*', 'role:Staff', 'role:x', 'nobody'), pool.one('userId').map(String))
  const acl = fc.dictionary(entity, fc.record({ read: fc.boolean(), write: fc.boolean() }), {
    maxKeys: 3,
    noNullPrototype: true,
  })
  const entries = fc.array(fc.tuple(name, operation), { maxLength: 4 }).map((list) => Object.fromEntries(list))
  return fc.oneof(
    { weight: 4, arbitrary: entries },
    { weight: 4, arbitrary: anyObject as fc.Arbitrary<object> },
    { weight: 2, arbitrary: fc.tuple(anyObject, acl).map(([fields, ACL]) => ({ ...fields, ACL })) },
    { weight: 1, arbitrary: fc.tuple(entries, acl).map(([fields, ACL]) => ({ ...fields, ACL })) },
  )
}
