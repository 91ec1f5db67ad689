import assert from 'node:assert/strict'
import { newScore } from '../objects/newScore.mjs'
import { nextNumber } from '../objects/nextNumber.mjs'
import { parseHeaders } from '../objects/parseHeaders.mjs'
import { prepareCeilingObjects } from '../objects/prepareCeilingObjects.mjs'
import { objectCount, objectIdOf, prepareObjects } from '../objects/prepareObjects.mjs'

const next = nextNumber(objectCount)

/** @type {import('../types.d.ts').Workload} */
export const workload = {
  name: 'objectUpdate',
  order: 5.1,
  title: 'Object update',
  about: 'One field of an object of one’s own, in a class of 100,000, as a signed-in user.',
  competitors: ['countersign', 'parse-server', 'ceiling'],
  wires: {
    parse: {
      // One object for each account, which alone may write it.
      prepare: async (target, tools) => {
        await prepareObjects(target, tools)
        /** @type {Record<string, string>} */
        const ids = {}
        for (const account of tools.accounts) {
          const headers = { 'X-Parse-Application-Id': target.applicationId, 'X-Parse-Session-Token': account.token }
          const path = `${target.mount}/classes/Score`
          const { body } = await tools.send({ method: 'POST', path, headers, body: newScore(account, 1) })
          ids[account.id] = JSON.parse(body).objectId
        }
        return ids
      },
      request: (target, given) => ({
        method: 'PUT',
        path: `${target.mount}/classes/Score/${/** @type {Record<string, string>} */ (given.prepared)[given.account.id]}`,
        headers: parseHeaders(target, given),
        body: { points: next() },
      }),
      check: ({ status, body }) => {
        assert.equal(status, 200, body)
        assert.ok(JSON.parse(body).updatedAt)
      },
    },
    ceiling: {
      prepare: prepareCeilingObjects,
      request: (_target, { account, turn }) => ({
        method: 'PUT',
        path: `/scores/${objectIdOf(turn)}`,
        headers: { Authorization: `Bearer ${account.token}` },
        body: { points: next() },
      }),
      check: ({ status, body }) => {
        assert.equal(status, 200, body)
        assert.ok(JSON.parse(body).updated_at)
      },
    },
  },
  ceiling: (app, { query }) => {
    app.put('/scores/:id', async (request, reply) => {
      const { id } = /** @type {{ id: string }} */ (request.params)
      const { points } = /** @type {{ points: number }} */ (request.body)
      const [changed] = await query({
        name: 'objectUpdate',
        text: 'update scores set points = $2 where id = $1 returning now() as updated_at',
        values: [id, points],
      })
      return changed ?? reply.code(404).send({ error: 'not found' })
    })
  },
}
