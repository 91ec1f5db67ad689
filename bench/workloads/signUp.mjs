import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'

/** @type {import('../types.d.ts').Workload} */
export const workload = {
  name: 'signUp',
  order: 3,
  title: 'Sign-up',
  about: 'A new account with a password; the answer carries its first session.',
  password: 'hash',
  competitors: ['countersign', 'parse-server', 'better-auth', 'ceiling'],
  wires: {
    parse: {
      request: ({ mount, applicationId }, { person }) => ({
        method: 'POST',
        path: `${mount}/users`,
        headers: { 'X-Parse-Application-Id': applicationId, 'X-Parse-Revocable-Session': '1' },
        body: { username: person.username, password: person.password },
      }),
      check: ({ status, body }) => {
        assert.equal(status, 201, body)
        const user = JSON.parse(body)
        assert.ok(user.objectId, body)
        assert.match(user.sessionToken, /^r:/)
      },
      readAccount: ({ body }, person) => {
        const { objectId, sessionToken } = JSON.parse(body)
        return { ...person, id: objectId, token: sessionToken }
      },
    },
    'better-auth': {
      request: ({ mount }, { person }) => ({
        method: 'POST',
        path: `${mount}/sign-up/email`,
        body: { name: person.username, email: person.email, password: person.password },
      }),
      check: ({ status, headers, body }, { person }) => {
        assert.equal(status, 200, body)
        assert.equal(JSON.parse(body).user.email, person.email)
        assert.match(headers, /set-cookie: better-auth\.session_token=/i)
      },
      readAccount: ({ headers, body }, person) => {
        const cookie = /set-cookie: (better-auth\.session_token=[^;\r]+)/i.exec(headers)?.[1]
        return { ...person, id: JSON.parse(body).user.id, token: cookie ?? '' }
      },
    },
    ceiling: {
      request: (_target, { person }) => ({
        method: 'POST',
        path: '/users',
        body: { username: person.username, password: person.password },
      }),
      check: ({ status, body }) => {
        assert.equal(status, 201, body)
        assert.match(JSON.parse(body).token, /^r:/)
      },
      readAccount: ({ body }, person) => ({ ...person, ...JSON.parse(body) }),
    },
  },
  ceiling: (app, { query, hash }) => {
    app.post('/users', async (request, reply) => {
      const { username, password } = /** @type {import('../types.d.ts').Person} */ (request.body)
      const id = randomBytes(8).toString('base64url')
      const token = `r:${randomBytes(24).toString('base64url')}`
      await query({
        name: 'signUp',
        text: `with made as (insert into users (id, username, password_hash) values ($1, $2, $3) returning id)
               insert into sessions (token_hash, user_id, expires_at)
               select $4, id, now() + interval '1 year' from made`,
        values: [id, username, await hash(password), createHash('sha256').update(token).digest()],
      })
      return reply.code(201).send({ id, token })
    })
  },
}
