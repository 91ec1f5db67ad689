import { type AttackCase, casesOf } from '../AttackCase.ts'
import { guest } from '../createScene.ts'
import { where } from './accessCases.ts'

/** Texts that end a name or a value in SQL, and wait where they are executed. */
const sqlTexts = [
  "x'; select pg_sleep(3); --",
  'x"; select pg_sleep(3); --',
  "x' || pg_sleep(3) || '",
  'x")::text || pg_sleep(3)::text || ("',
  '$$; select pg_sleep(3); $$',
  "x\\'; select pg_sleep(3); --",
  '"secret" from "_User"--',
]

/** A query that waited this long (ms) has executed such a text. */
const waited = 2_900

const make = casesOf('queries')

export const queryCases: AttackCase[] = [
  make(
    'no part of a query reaches the database as SQL',
    'P3, GHSA-6927-3vr9-fxf2, GHSA-c2hr-cqg6-8j6r, GHSA-q3vj-96h2-gwvg, GHSA-qpr4-jrj4-6f27, CVE-2026-31840',
    async (scene, { stranger, className }) => {
      const path = `/classes/${className}`
      for (const text of sqlTexts) {
        const queries = [
          where({ [text]: 1 }),
          where({ secret: text }),
          where({ secret: { $regex: text } }),
          where({ [`secret.${text}`]: 1 }),
          where({ secret: { $text: { $search: { $term: text, $language: text } } } }),
          where({ secret: { [text]: 1 } }),
          `?order=${encodeURIComponent(text)}`,
          `?keys=${encodeURIComponent(text)}`,
          `?include=${encodeURIComponent(text)}`,
          `?distinct=${encodeURIComponent(text)}`,
          `?limit=${encodeURIComponent(text)}`,
          `?readPreference=${encodeURIComponent(text)}`,
          `?hint=${encodeURIComponent(text)}`,
        ]
        for (const query of queries) {
          const answer = await scene.call(stranger, 'GET', `${path}${query}`)
          scene.check(answer.ms < waited, answer, 'A text in a query is executed as SQL.')
        }
        const writes = [
          { [text]: 1 },
          { note: { __op: 'Increment', amount: text } },
          { [`note.${text}`]: { __op: 'Increment', amount: 1 } },
          { note: { __op: text } },
          { ACL: { [text]: { read: true } } },
          { note: { __op: 'SetOnInsert', amount: text } },
          { data: { [text]: { __op: 'Increment', amount: 1 } } },
        ]
        for (const body of writes) {
          const answer = await scene.call(stranger, 'POST', path, body)
          scene.check(answer.ms < waited, answer, 'A text in a write is executed as SQL.')
        }
        await scene.call(stranger, 'GET', `/classes/${encodeURIComponent(text)}`)
      }
    },
  ),
  make(
    'names in aggregates and schemas are no SQL, also with the master key',
    'P3, GHSA-p2w6-rmh7-w8q3, GHSA-c442-97qw-j6c6, GHSA-gqpp-xgvh-9h7h',
    async (scene) => {
      const master = scene.master ?? scene.skip('needs the master key')
      const className = await scene.addClass({ note: { type: 'String' }, n: { type: 'Number' } })
      await scene.need(master, 'POST', `/classes/${className}`, { note: 'x', n: 1 })
      for (const text of sqlTexts) {
        const pipelines: object[][] = [
          [{ $group: { _id: `$${text}`, n: { $sum: '$n' } } }],
          [{ $group: { _id: { [text]: '$note' } } }],
          [{ $group: { _id: null, [text]: { $sum: '$n' } } }],
          [{ $project: { [text]: 1 } }],
          [{ $project: { a: { $substr: ['$note', 0, text] } } }],
          [{ $sort: { [text]: 1 } }],
          [{ $match: { [text]: { $gt: 1 } } }],
          [{ $match: { note: { $regex: text } } }],
        ]
        for (const pipeline of pipelines) {
          const query = `?pipeline=${encodeURIComponent(JSON.stringify(pipeline))}`
          const answer = await scene.call(master, 'GET', `/aggregate/${className}${query}`)
          scene.check(answer.ms < waited, answer, 'A text in an aggregate is executed as SQL.')
        }
        const distinct = await scene.call(master, 'GET', `/aggregate/${className}?distinct=${encodeURIComponent(text)}`)
        scene.check(distinct.ms < waited, distinct, 'A text in distinct is executed as SQL.')
        for (const body of [
          { indexes: { [text]: { note: 1 } } },
          { indexes: { attack: { [text]: 1 } } },
          { indexes: { attack: { note: text } } },
          { fields: { [text]: { type: 'String' } } },
          { fields: { attack: { type: 'Pointer', targetClass: text } } },
          { classLevelPermissions: { find: { [text]: true }, protectedFields: { '*': [text] } } },
        ]) {
          const answer = await scene.call(master, 'PUT', `/schemas/${className}`, { className, ...body })
          scene.check(answer.ms < waited, answer, 'A text in a schema is executed as SQL.')
        }
      }
    },
  ),
  make('malformed operators are refused', 'P1, P2, P4', async (scene, { stranger, className }) => {
    const path = `/classes/${className}`
    const trees: unknown[] = [
      { $or: { length: 1, 0: {} } },
      { $or: 'x' },
      { $or: [] },
      { $and: [null] },
      { $nor: [1] },
      { secret: { $in: 'x' } },
      { secret: { $nin: {} } },
      { secret: { $regex: {} } },
      { secret: { $regex: '(' } },
      { secret: { $regex: 'a', $options: 'zz' } },
      { secret: { $options: 'i' } },
      { secret: { $all: [{}] } },
      { secret: { $exists: 'x' } },
      { secret: { $inQuery: {} } },
      { secret: { $select: { query: {}, key: {} } } },
      { $relatedTo: { object: 1, key: 2 } },
      { secret: { $near: { latitude: 1 } } },
      { secret: { $within: { $box: [1] } } },
      { secret: { $geoWithin: { $polygon: [] } } },
      { secret: { $where: 'while(true){}' } },
      { $where: 'while(true){}' },
      { secret: { $func: 1 } },
      { createdAt: { $gt: { __type: 'Date', iso: 'x' } } },
      { objectId: { __type: 'Bytes', base64: '*' } },
      { __proto__x: 1 },
      { 'constructor.prototype.polluted': 1 },
      [],
      'text',
      5,
      null,
    ]
    for (const tree of trees) {
      await scene.call(stranger, 'GET', `${path}${where(tree)}`)
      await scene.call(stranger, 'POST', path, { _method: 'GET', where: tree })
    }
    for (const query of [
      '?where={',
      '?where=',
      '?limit=-1',
      '?limit=1e9',
      '?limit=NaN',
      '?skip=-1',
      '?skip=99999999999999999999',
      '?order=,,,',
      '?order=-',
      '?keys=,',
      '?include=.',
      '?include=a.b.c.d.e.f.g.h.i.j.k.l',
      '?count=x',
      '?where[$ne]=1',
      '?where=%7B%7D&where=%7B%7D',
    ])
      await scene.call(stranger, 'GET', `${path}${query}`)
  }),
  make('a query is limited in depth and size', 'P13, CVE-2026-34573', async (scene, { stranger, className }) => {
    const path = `/classes/${className}`
    const nest = (depth: number): object => (depth === 0 ? { secret: 'x' } : { $or: [nest(depth - 1)] })
    const inner = (depth: number): object =>
      depth === 0
        ? { secret: 'x' }
        : { objectId: { $select: { query: { className, where: inner(depth - 1) }, key: 'objectId' } } }
    const large: [string, object][] = [
      ['200 levels', nest(200)],
      ['60 subqueries', inner(60)],
      ['5,000 conditions', { $or: Array.from({ length: 5_000 }, (_, index) => ({ secret: String(index) })) }],
      ['200 patterns', { $or: Array.from({ length: 200 }, () => ({ secret: { $regex: '(a+)+$' } })) }],
      ['a pattern of 5,000 characters', { secret: { $regex: 'a'.repeat(5_000) } }],
    ]
    for (const [what, tree] of large)
      scene.refused(
        await scene.call(stranger, 'POST', path, { _method: 'GET', where: tree }),
        `A query with ${what} is run.`,
        'limit',
      )
    const includes = Array.from({ length: 500 }, (_, index) => `a${index}`).join()
    scene.refused(
      await scene.call(stranger, 'POST', path, { _method: 'GET', include: includes }),
      'A query with 500 includes is run.',
      'limit',
    )
    const rows = await scene.call(stranger, 'GET', `/users?limit=1000000`)
    scene.check(
      (rows.body.results?.length ?? 0) <= 10_000,
      rows,
      'A client reads as many objects as it likes.',
      'limit',
    )
  }),
  make('plans and aggregates are not for clients', 'P13, P10', async (scene, { stranger, className, doc }) => {
    const path = `/classes/${className}`
    if (doc === undefined) scene.skip('needs a class')
    for (const as of [guest, stranger]) {
      scene.refused(await scene.call(as, 'GET', `${path}?explain=true`), 'A client reads the plan of a query.')
      scene.refused(
        await scene.call(as, 'GET', `/aggregate/${className}?pipeline=${encodeURIComponent('[{"$match":{}}]')}`),
        'A client runs an aggregate.',
      )
      scene.refused(await scene.call(as, 'GET', `/aggregate/_User?$match=%7B%7D`), 'A client runs an aggregate.')
    }
  }),
]
