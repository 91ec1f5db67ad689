import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'

/** @type {import('../types.d.ts').Workload} */
export const workload = {
  name: 'passwordLogin',
  order: 2,
  title: 'Password login',
  about: 'A right password of an existing account; the answer carries a new session.',
  password: 'verify',
  competitors: ['countersign', 'parse-server', 'better-auth', 'ceiling'],
  wires: {
    parse: {
      request: ({ mount, applicationId }, { account }) => ({
        method: 'POST',
        path: `${mount}/login`,
        headers: { 'X-Parse-Application-Id': applicationId, 'X-Parse-Revocable-Session': '1' },
        body: { username: account.username, password: account.password },
      }),
      check: ({ status, body }, { account }) => {
        assert.equal(status, 200, body)
        const user = JSON.parse(body)
        assert.equal(user.objectId, account.id)
        assert.match(user.sessionToken, /^r:/)
      },
    },
    'better-auth': {
      request: ({ mount }, { account }) => ({
        method: 'POST',
        path: `${mount}/sign-in/email`,
        body: { email: account.email, password: account.password },
      }),
      check: ({ status, headers, body }, { account }) => {
        assert.equal(status, 200, body)
        assert.equal(JSON.parse(body).user.id, account.id)
        assert.match(headers, /set-cookie: better-auth\.session_token=/i)
      },
    },
    ceiling: {
      request: (_target, { account }) => ({
        method: 'POST',
        path: '/login',
        body: { username: account.username, password: account.password },
      }),
      check: ({ status, body }, { account }) => {
        assert.equal(status, 200, body)
        const session = JSON.parse(body)
        assert.equal(session.id, account.id)
        assert.match(session.token, /^r:/)
      },
    },
  },
  ceiling: (app, { query, verify }) => {
    app.post('/login', async (request, reply) => {
      const { username, password } = /** @type {import('../types.d.ts').Person} */ (request.body)
      const [user] = await query({
        name: 'findUser',
        text: 'select id, username, password_hash from users where username = $1',
        values: [username],
      })
      if (!user || !(await verify(user.password_hash, password)))
        return reply.code(401).send({ error: 'no such login' })
      const token = `r:${randomBytes(24).toString('base64url')}`
      await query({
        name: 'createSession',
        text: `insert into sessions (token_hash, user_id, expires_at) values ($1, $2, now() + interval '1 year')`,
        values: [createHash('sha256').update(token).digest(), user.id],
      })
      return { id: user.id, username: user.username, token }
    })
  },
}
