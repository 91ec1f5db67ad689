import assert from 'node:assert/strict'
import { newScore } from '../objects/newScore.mjs'
import { nextNumber } from '../objects/nextNumber.mjs'
import { parseHeaders } from '../objects/parseHeaders.mjs'
import { prepareCeilingObjects } from '../objects/prepareCeilingObjects.mjs'
import { prepareObjects } from '../objects/prepareObjects.mjs'

const next = nextNumber(1_000_003)

/** @type {import('../types.d.ts').Workload} */
export const workload = {
  name: 'objectDelete',
  order: 5.2,
  title: 'Object create and delete',
  about: 'An object is made and deleted again by its owner: two requests.',
  unit: 'pair',
  competitors: ['countersign', 'parse-server', 'ceiling'],
  wires: {
    parse: {
      prepare: prepareObjects,
      run: async (target, given, send) => {
        const headers = parseHeaders(target, given)
        const path = `${target.mount}/classes/Score`
        const made = await send({ method: 'POST', path, headers, body: newScore(given.account, next()) })
        assert.equal(made.status, 201, made.body)
        const gone = await send({ method: 'DELETE', path: `${path}/${JSON.parse(made.body).objectId}`, headers })
        assert.equal(gone.status, 200, gone.body)
      },
    },
    ceiling: {
      prepare: prepareCeilingObjects,
      run: async (_target, { account }, send) => {
        const headers = { Authorization: `Bearer ${account.token}` }
        const made = await send({ method: 'POST', path: '/scores', headers, body: newScore(account, next()) })
        assert.equal(made.status, 201, made.body)
        const gone = await send({ method: 'DELETE', path: `/scores/${JSON.parse(made.body).id}`, headers })
        assert.equal(gone.status, 200, gone.body)
      },
    },
  },
  ceiling: (app, { query }) => {
    app.delete('/scores/:id', async (request, reply) => {
      const { id } = /** @type {{ id: string }} */ (request.params)
      const rows = await query({
        name: 'objectDelete',
        text: 'delete from scores where id = $1 returning id',
        values: [id],
      })
      return rows.length > 0 ? {} : reply.code(404).send({ error: 'not found' })
    })
  },
}
