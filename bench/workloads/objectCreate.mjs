import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { newScore } from '../objects/newScore.mjs'
import { nextNumber } from '../objects/nextNumber.mjs'
import { parseHeaders } from '../objects/parseHeaders.mjs'
import { prepareCeilingObjects } from '../objects/prepareCeilingObjects.mjs'
import { prepareObjects } from '../objects/prepareObjects.mjs'

const next = nextNumber(1_000_003)

/** @type {import('../types.d.ts').Workload} */
export const workload = {
  name: 'objectCreate',
  order: 5,
  title: 'Object create',
  about: 'An object of seven fields and an access list, into a class of 100,000, as a signed-in user.',
  competitors: ['countersign', 'parse-server', 'ceiling'],
  wires: {
    parse: {
      prepare: prepareObjects,
      request: (target, given) => ({
        method: 'POST',
        path: `${target.mount}/classes/Score`,
        headers: parseHeaders(target, given),
        body: newScore(given.account, next()),
      }),
      check: ({ status, body }) => {
        assert.equal(status, 201, body)
        assert.match(JSON.parse(body).objectId, /^[A-Za-z0-9]{10}$/)
      },
    },
    ceiling: {
      prepare: prepareCeilingObjects,
      request: (_target, { account }) => ({
        method: 'POST',
        path: '/scores',
        headers: { Authorization: `Bearer ${account.token}` },
        body: newScore(account, next()),
      }),
      check: ({ status, body }) => {
        assert.equal(status, 201, body)
        assert.ok(JSON.parse(body).id)
      },
    },
  },
  ceiling: (app, { query }) => {
    app.post('/scores', async (request, reply) => {
      const { player, points, level, cheated, playedAt, tags, game } = /** @type {ReturnType<typeof newScore>} */ (
        request.body
      )
      const id = randomBytes(8).toString('base64url')
      const [made] = await query({
        name: 'objectCreate',
        text: `insert into scores (id, player, points, level, cheated, played_at, tags, game)
               values ($1, $2, $3, $4, $5, $6, $7, $8) returning id, created_at`,
        values: [id, player, points, level, cheated, playedAt.iso, JSON.stringify(tags), game.objectId],
      })
      return reply.code(201).send(made)
    })
  },
}
