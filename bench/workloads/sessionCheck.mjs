import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'

/** @type {import('../types.d.ts').Workload} */
export const workload = {
  name: 'sessionCheck',
  order: 1,
  title: 'Session check',
  about: 'Who is it that holds this token? The request that every other request contains.',
  wires: {
    parse: {
      request: ({ mount, applicationId }, { account }) => ({
        method: 'GET',
        path: `${mount}/users/me`,
        headers: { 'X-Parse-Application-Id': applicationId, 'X-Parse-Session-Token': account.token },
      }),
      check: ({ status, body }, { account }) => {
        assert.equal(status, 200, body)
        const user = JSON.parse(body)
        assert.equal(user.objectId, account.id)
        assert.equal(user.username, account.username)
      },
    },
    'better-auth': {
      request: ({ mount }, { account }) => ({
        method: 'GET',
        path: `${mount}/get-session`,
        headers: { Cookie: account.token },
      }),
      check: ({ status, body }, { account }) => {
        assert.equal(status, 200, body)
        const session = JSON.parse(body)
        assert.equal(session?.user.id, account.id)
        assert.equal(session.user.email, account.email)
      },
    },
    ceiling: {
      request: (_target, { account }) => ({
        method: 'GET',
        path: '/me',
        headers: { Authorization: `Bearer ${account.token}` },
      }),
      check: ({ status, body }, { account }) => {
        assert.equal(status, 200, body)
        const user = JSON.parse(body)
        assert.equal(user.id, account.id)
        assert.equal(user.username, account.username)
      },
    },
  },
  ceiling: (app, { query }) => {
    app.get('/me', async (request, reply) => {
      const token = request.headers.authorization?.slice('Bearer '.length) ?? ''
      const [user] = await query({
        name: 'sessionCheck',
        text: `select users.id, users.username, users.created_at, sessions.expires_at
               from sessions join users on users.id = sessions.user_id
               where sessions.token_hash = $1 and sessions.expires_at > now()`,
        values: [createHash('sha256').update(token).digest()],
      })
      return user ?? reply.code(401).send({ error: 'invalid session token' })
    })
  },
}
