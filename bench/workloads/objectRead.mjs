import assert from 'node:assert/strict'
import { nextNumber } from '../objects/nextNumber.mjs'
import { parseHeaders } from '../objects/parseHeaders.mjs'
import { prepareCeilingObjects } from '../objects/prepareCeilingObjects.mjs'
import { objectCount, objectIdOf, playerOf, prepareObjects } from '../objects/prepareObjects.mjs'

const next = nextNumber(objectCount)

/** @type {import('../types.d.ts').Workload} */
export const workload = {
  name: 'objectRead',
  order: 6,
  title: 'Object read',
  about: 'One object by its id, of 100,000, as a signed-in user.',
  competitors: ['countersign', 'parse-server', 'ceiling'],
  wires: {
    parse: {
      prepare: prepareObjects,
      request: (target, given) => ({
        method: 'GET',
        path: `${target.mount}/classes/Score/${objectIdOf(next())}`,
        headers: parseHeaders(target, given),
      }),
      check: ({ status, body }) => {
        assert.equal(status, 200, body)
        const { objectId, player, playedAt } = JSON.parse(body)
        assert.equal(player, playerOf(Number(objectId.slice(1))))
        assert.equal(playedAt.__type, 'Date')
      },
    },
    ceiling: {
      prepare: prepareCeilingObjects,
      request: (_target, { account }) => ({
        method: 'GET',
        path: `/scores/${objectIdOf(next())}`,
        headers: { Authorization: `Bearer ${account.token}` },
      }),
      check: ({ status, body }) => {
        assert.equal(status, 200, body)
        const { id, player } = JSON.parse(body)
        assert.equal(player, playerOf(Number(id.slice(1))))
      },
    },
  },
  ceiling: async (app, { query }) => {
    await query({
      name: 'games',
      text: 'create table if not exists games (id text primary key, title text, released timestamptz)',
      values: [],
    })
    await query({
      name: 'scores',
      text: `create table if not exists scores (
               id text primary key, created_at timestamptz not null default now(), player text, points double precision,
               level double precision, cheated boolean, played_at timestamptz, tags jsonb, game text, owner text
             )`,
      values: [],
    })
    app.get('/scores/:id', async (request, reply) => {
      const { id } = /** @type {{ id: string }} */ (request.params)
      const [score] = await query({ name: 'objectRead', text: 'select * from scores where id = $1', values: [id] })
      return score ?? reply.code(404).send({ error: 'not found' })
    })
  },
}
