import { openListener } from '../live/openListener.mjs'

/**
 * @typedef {object} Given
 * @property {ReturnType<typeof import('./createSend.mjs').createSend>} send as the user of the token; without one, with the master key
 * @property {import('pg').Client} client
 * @property {number} size
 * @property {import('../types.d.ts').Target} target
 * @property {(end: () => Promise<void>) => void} onEnd
 */
/**
 * @typedef {object} Dimension
 * @property {string} about
 * @property {number[]} sizes
 * @property {number[]} quick
 * @property {Record<string, import('./markGrowth.mjs').Expected>} costs allowed growth; default logarithmic
 * @property {(given: Given) => Promise<Record<string, () => Promise<unknown>>>} prepare the requests, by name
 * @property {boolean} [showsMemory] also print the memory of the largest database connection
 */

const find = (/** @type {object} */ input) => {
  const texts = Object.entries(input).map(([name, value]) => [
    name,
    typeof value === 'object' ? JSON.stringify(value) : String(value),
  ])
  return `?${new URLSearchParams(texts)}`
}

/** @param {Given['send']} send @param {string} [username] */
async function signUp(send, username = 'reader') {
  const body = { username, password: 'a long enough password' }
  const { objectId, sessionToken } = await send({ method: 'POST', path: '/users', body })
  return { userId: String(objectId), token: String(sessionToken) }
}

/**
 * @param {Given['send']} send
 * @param {string} className
 * @param {Record<string, object>} fields
 * @param {Record<string, object>} [indexes]
 */
const createClass = (send, className, fields, indexes) =>
  send({ method: 'POST', path: `/schemas/${className}`, body: { className, fields, ...(indexes && { indexes }) } })

const score = { level: { type: 'Number' }, points: { type: 'Number' }, player: { type: 'String' } }
const scoreIndexes = { points: { points: 1 }, level: { level: 1 }, created: { createdAt: -1 } }

/** Rows of which the reader sees every one. @param {Given} given @param {string} userId @param {number} count */
const fill = ({ client }, userId, count) =>
  client.query(
    `insert into public."Score" ("objectId", "createdAt", "updatedAt", "_rperm", "_wperm", level, points, player)
     select 's' || n, now() - n * interval '1 second', now(), array[$1, 'user' || n % 5000], '{}', n / 20,
       (n * 7919::bigint) % 1000003, 'player ' || n % 977
     from generate_series(1, $2::int) n`,
    [userId, count],
  )

const page = find({ order: '-createdAt', limit: 20 })
const byNumber = find({ order: '-points', limit: 20 })

/** @type {Record<string, Dimension>} */
export const dimensions = {
  rows: {
    about: 'objects of a class, all readable by the caller through their access lists',
    sizes: [1_000, 100_000, 5_000_000],
    quick: [1_000, 30_000],
    costs: { count: 'all', 'count, estimated': 'cheap', 'skip 10,000': 'skipped' },
    async prepare(given) {
      const { send, size } = given
      const { userId, token } = await signUp(send)
      await createClass(send, 'Score', score, scoreIndexes)
      await fill(given, userId, size)
      let turn = 0
      const next = () => (++turn * 7919) % size
      return {
        get: () => send({ path: `/classes/Score/s${1 + next()}`, token }),
        'page of 20, newest': () => send({ path: `/classes/Score${page}`, token }),
        'page of 20, by number': () => send({ path: `/classes/Score${byNumber}`, token }),
        'query of 20': () =>
          send({ path: `/classes/Score${find({ where: { level: Math.floor(next() / 20) } })}`, token }),
        create: () => send({ method: 'POST', path: '/classes/Score', body: { level: -1, points: 5 }, token }),
        'skip 900': () => send({ path: `/classes/Score${find({ order: '-points', skip: 900, limit: 20 })}`, token }),
        'skip 10,000': () =>
          send({ path: `/classes/Score${find({ order: '-points', skip: 10_000, limit: 20 })}`, token }),
        'count, estimated': () => send({ path: `/classes/Score${find({ count: 'estimate', limit: 0 })}` }),
        count: () => send({ path: `/classes/Score${find({ count: 1, limit: 0 })}`, token }),
      }
    },
  },
  readers: {
    about: 'objects of a class, of which one caller may read ten and another one in a hundred',
    sizes: [10_000, 100_000, 1_000_000],
    quick: [10_000, 50_000],
    costs: { 'page of 20, one in a hundred': 'response', 'count, one in a hundred': 'all' },
    async prepare({ send, client, size }) {
      const some = await signUp(send, 'some')
      const few = await signUp(send, 'few')
      await createClass(send, 'Score', score, scoreIndexes)
      await client.query(
        `insert into public."Score" ("objectId", "createdAt", "updatedAt", "_rperm", "_wperm", level, points, player)
         select 's' || n, now() - n * interval '1 second', now(),
           array['user' || n % 5000] || case when n % 100 = 1 then array[$1] else '{}' end
             || case when n % ($3::int / 10) = 77 then array[$2] else '{}' end,
           '{}', n / 20, (n * 7919::bigint) % 1000003, 'player ' || n % 977
         from generate_series(1, $3::int) n`,
        [some.userId, few.userId, size],
      )
      const count = find({ count: 1, limit: 0 })
      return {
        'page of 20, ten objects': () => send({ path: `/classes/Score${byNumber}`, token: few.token }),
        'count, ten objects': () => send({ path: `/classes/Score${count}`, token: few.token }),
        'page of 20, one in a hundred': () => send({ path: `/classes/Score${byNumber}`, token: some.token }),
        'count, one in a hundred': () => send({ path: `/classes/Score${count}`, token: some.token }),
      }
    },
  },
  shapes: {
    about: 'different queries that a connection has carried out',
    sizes: [1_000, 20_000, 80_000],
    quick: [100, 2_000],
    costs: {},
    showsMemory: true,
    async prepare({ send, client, size }) {
      const { token } = await signUp(send)
      const names = Array.from({ length: 17 }, (_, number) => `field${number}`)
      await createClass(send, 'Wide', Object.fromEntries(names.map((name) => [name, { type: 'Number' }])))
      await client.query(
        `insert into public."Wide" ("objectId", "createdAt", "updatedAt", field0)
         select 's' || n, now(), now(), n from generate_series(1, 1000) n`,
      )
      // The bits of the number select the fields that a query compares.
      const queryOf = (/** @type {number} */ number) => {
        const compared = names.filter((_, bit) => number & (1 << bit))
        return find({ where: Object.fromEntries(compared.map((name) => [name, { $gt: 5 }])), limit: 20 })
      }
      for (let number = 1; number <= size; number++) await send({ path: `/classes/Wide${queryOf(number)}`, token })
      let turn = 0
      return { 'query of 20': () => send({ path: `/classes/Wide${queryOf(1 + (++turn % 10))}`, token }) }
    },
  },
  roles: {
    about: 'roles of the caller',
    sizes: [1, 100, 2_000],
    quick: [1, 50],
    costs: {},
    async prepare(given) {
      const { send, size } = given
      const { userId, token } = await signUp(send)
      const objects = [{ __type: 'Pointer', className: '_User', objectId: userId }]
      for (let number = 0; number < size; number++) {
        const body = { name: `role${number}`, ACL: {}, users: { __op: 'AddRelation', objects } }
        await send({ method: 'POST', path: '/roles', body })
      }
      await createClass(send, 'Score', score, scoreIndexes)
      await fill(given, 'role:role0', 10_000)
      return {
        get: () => send({ path: '/classes/Score/s77', token }),
        'page of 20': () => send({ path: `/classes/Score${page}`, token }),
      }
    },
  },
  classes: {
    about: 'classes of the application',
    sizes: [10, 200, 2_000],
    quick: [5, 40],
    costs: {},
    async prepare(given) {
      const { send, size } = given
      const { userId, token } = await signUp(send)
      await createClass(send, 'Score', score, scoreIndexes)
      for (let number = 1; number < size; number++) await createClass(send, `Other${number}`, score)
      await fill(given, userId, 1_000)
      return {
        get: () => send({ path: '/classes/Score/s77', token }),
        'page of 20': () => send({ path: `/classes/Score${page}`, token }),
        create: () => send({ method: 'POST', path: '/classes/Score', body: { points: 5 }, token }),
      }
    },
  },
  subscriptions: {
    about: 'live queries with a range, a pattern or alternatives; a write concerns one of each at most',
    sizes: [100, 10_000],
    quick: [99, 900],
    costs: { create: 'flat' },
    async prepare({ send, size, target, onEnd }) {
      const { token } = await signUp(send)
      await createClass(send, 'Score', score)
      let subscribed = 0
      /** @type {Awaited<ReturnType<typeof openListener>>[]} */
      const listeners = []
      onEnd(async () => {
        for (const listener of listeners) listener.close()
      })
      for (let from = 0; from < size; from += 300) {
        const { port, mount, applicationId } = target
        const onText = (/** @type {Buffer} */ text) => {
          if (text.includes('"subscribed"')) subscribed++
        }
        const listener = await openListener({ port, path: mount, onText })
        listeners.push(listener)
        listener.send({ op: 'connect', applicationId, sessionToken: token })
        const count = Math.min(300, size - from)
        for (let number = from; number < from + count; number++) {
          const range = { points: { $gte: number * 10, $lt: number * 10 + 10 } }
          const pattern = { player: { $regex: `^player${number}x` } }
          const where = [range, pattern, { $or: [range, pattern] }][number % 3]
          listener.send({ op: 'subscribe', requestId: number, query: { className: 'Score', where } })
        }
        while (subscribed < from + count) await new Promise((resolve) => setTimeout(resolve, 10))
      }
      let turn = 0
      return {
        create: () =>
          send({
            method: 'POST',
            path: '/classes/Score',
            body: { points: (++turn * 7919) % (size * 10), player: `player${turn % size}x` },
            token,
          }),
      }
    },
  },
  fields: {
    about: 'fields of a class, of which seven are set',
    sizes: [7, 100, 500],
    quick: [7, 500],
    costs: {},
    async prepare({ send, client, size }) {
      const { token } = await signUp(send)
      const names = Array.from({ length: size }, (_, number) => `field${number}`)
      await createClass(send, 'Wide', Object.fromEntries(names.map((name) => [name, { type: 'String' }])))
      await client.query(
        `insert into public."Wide" ("objectId", "createdAt", "updatedAt", ${names.slice(0, 7).join(', ')})
         select 's' || n, now(), now(), ${"'some text', ".repeat(6)}'some text' from generate_series(1, 1000) n`,
      )
      return {
        get: () => send({ path: '/classes/Wide/s77', token }),
        'query of 20': () => send({ path: `/classes/Wide${find({ limit: 20 })}`, token }),
      }
    },
  },
  size: {
    about: 'bytes of one document',
    sizes: [1_000, 10_000, 100_000],
    quick: [1_000, 100_000],
    costs: { get: 'response', 'get without it': 'flat', update: 'response' },
    async prepare({ send, size }) {
      const { token } = await signUp(send)
      await createClass(send, 'Text', { text: { type: 'String' }, other: { type: 'Number' } })
      const body = { text: 'x'.repeat(size), other: 1 }
      const { objectId } = await send({ method: 'POST', path: '/classes/Text', body, token })
      const path = `/classes/Text/${objectId}`
      let turn = 0
      return {
        get: () => send({ path, token }),
        'get without it': () => send({ path: `${path}?keys=other`, token }),
        update: () => send({ method: 'PUT', path, body: { other: ++turn }, token }),
      }
    },
  },
}
