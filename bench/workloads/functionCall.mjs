import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { parseHeaders } from '../objects/parseHeaders.mjs'

const body = { left: 40, right: 2 }

/** @type {import('../types.d.ts').Workload} */
export const workload = {
  name: 'functionCall',
  order: 10.5,
  title: 'Function call',
  about: 'A function of the application that adds two numbers, called as a signed-in user.',
  competitors: ['countersign', 'parse-server', 'ceiling'],
  wires: {
    parse: {
      request: (target, given) => ({
        method: 'POST',
        path: `${target.mount}/functions/addPoints`,
        headers: parseHeaders(target, given),
        body,
      }),
      check: ({ status, body }, { account }) => {
        assert.equal(status, 200, body)
        assert.deepEqual(JSON.parse(body).result, { sum: 42, user: account.id })
      },
    },
    ceiling: {
      request: (_target, { account }) => ({
        method: 'POST',
        path: '/functions/addPoints',
        headers: { Authorization: `Bearer ${account.token}` },
        body,
      }),
      check: ({ status, body }, { account }) => {
        assert.equal(status, 200, body)
        assert.deepEqual(JSON.parse(body).result, { sum: 42, user: account.id })
      },
    },
  },
  ceiling: (app, { query }) => {
    app.post('/functions/addPoints', async (request, reply) => {
      const token = request.headers.authorization?.slice('Bearer '.length) ?? ''
      const [session] = await query({
        name: 'functionCall',
        text: 'select user_id from sessions where token_hash = $1 and expires_at > now()',
        values: [createHash('sha256').update(token).digest()],
      })
      if (!session) return reply.code(401).send({ error: 'invalid session token' })
      const { left, right } = /** @type {{ left: number, right: number }} */ (request.body)
      return { result: { sum: left + right, user: session.user_id } }
    })
  },
}
