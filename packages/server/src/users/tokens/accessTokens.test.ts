import { beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../db/sql.ts'
import { openLiveSocket } from '../../testing/openLiveSocket.ts'
import { serveTests } from '../../testing/serveTests.ts'

const server = serveTests()

type User = { objectId: string; token: string }
let ann: User
let bob: User

const master = { master: true }
const bearer = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } })
const own = (user: User) => ({ [user.objectId]: { read: true, write: true } })

/** A personal token of the user, with its record. */
async function makeToken(user: User, scopes: string[], more: object = {}) {
  const answer = await server.call('POST', '/auth/tokens', { name: 'script', scopes, ...more }, { token: user.token })
  expect(answer.status, answer.text).toBe(201)
  return answer.body as { token: string; objectId: string }
}

async function makeKey(scopes: string[], more: object = {}) {
  const answer = await server.call('POST', '/console/accessKeys', { name: 'key', scopes, ...more }, master)
  expect(answer.status, answer.text).toBe(201)
  return answer.body as { token: string; objectId: string }
}

beforeAll(async () => {
  ann = await server.signUp('ann')
  bob = await server.signUp('bob')
  const pet = await server.call('POST', '/classes/Pet', { name: 'Rex' }, { token: ann.token })
  const pointer = { __type: 'Pointer', className: 'Pet', objectId: pet.body.objectId }
  await server.call('POST', '/classes/Score', { points: 1, pet: pointer, ACL: own(ann) }, { token: ann.token })
  await server.call('POST', '/classes/Score', { points: 2, ACL: own(bob) }, { token: bob.token })
})

describe('personal access tokens', () => {
  test('read what the owner may read, in both headers, and nothing else', async () => {
    const { token } = await makeToken(ann, ['Score:read'])
    expect(token).toMatch(/^cs_pat_[0-9A-Za-z]{36}$/)
    for (const options of [{ token }, bearer(token)]) {
      const found = await server.call('GET', '/classes/Score', undefined, options)
      expect((found.body.results as object[]).map((each) => (each as { points: number }).points)).toEqual([1])
    }
    const refused = [
      ['POST', '/classes/Score', {}],
      ['GET', '/classes/Pet'],
      ['GET', '/classes/Unknown'],
      ['GET', '/users/me'],
      ['GET', `/users/${ann.objectId}`],
      ['GET', '/sessions'],
      ['POST', '/sessions', {}],
      ['POST', '/logout', {}],
      ['GET', '/auth/tokens'],
      ['POST', '/auth/tokens', { name: 'x', scopes: ['*:read'] }],
      ['POST', '/changePassword', { newPassword: 'x' }],
      ['PUT', `/users/${ann.objectId}`, { nick: 'x' }],
      ['POST', '/functions/anything', {}],
      ['GET', '/schemas'],
      ['GET', '/console'],
    ] as const
    for (const [method, path, body] of refused) {
      const answer = await server.call(method, path, body, bearer(token))
      expect([method, path, answer.status, answer.body.reason]).toEqual([
        method,
        path,
        403,
        expect.stringMatching(/insufficientScope|tokenNotAllowed/),
      ])
    }
  })

  test('pointers beyond the scope stay pointers, and no query asks about them', async () => {
    const { token } = await makeToken(ann, ['Score:read'])
    const found = await server.call('GET', '/classes/Score?include=pet', undefined, { token })
    expect(JSON.stringify(found.body)).not.toContain('Rex')
    const inQuery = { pet: { $inQuery: { className: 'Pet', where: { name: 'Rex' } } } }
    const select = { points: { $select: { query: { className: 'Pet', where: {} }, key: 'age' } } }
    const related = {
      $relatedTo: { object: { __type: 'Pointer', className: 'Pet', objectId: 'x' }, key: 'scores' },
    }
    for (const where of [inQuery, select, related]) {
      const query = `/classes/Score?where=${encodeURIComponent(JSON.stringify(where))}`
      expect((await server.call('GET', query, undefined, { token })).body.reason).toBe('insufficientScope')
    }
    const batch = {
      requests: [
        { method: 'GET', path: '/server/classes/Score' },
        { method: 'GET', path: '/server/classes/Pet' },
      ],
    }
    const answers = (await server.call('POST', '/batch', batch, { token })).body as unknown as object[]
    expect(answers).toMatchObject([{ success: {} }, { error: { reason: 'insufficientScope' } }])
  })

  test('unknown, expired, revoked and guessed tokens are refused', async () => {
    const made = await makeToken(ann, ['Score:read'], { expiresIn: 60 })
    const read = (token: string) => server.call('GET', '/classes/Score', undefined, bearer(token))
    expect((await read(made.token)).status).toBe(200)
    expect((await read(`${made.token.slice(0, -1)}x`)).body.code).toBe(209)
    expect((await read('cs_pat_')).body.code).toBe(209)
    server.clock.forward(61_000)
    expect((await read(made.token)).body.code).toBe(209)
    const revoked = await makeToken(ann, ['Score:read'])
    expect((await read(revoked.token)).status).toBe(200)
    // Another user cannot revoke it.
    const path = `/auth/tokens/${revoked.objectId}`
    expect((await server.call('DELETE', path, undefined, { token: bob.token })).body.code).toBe(101)
    expect((await server.call('DELETE', path, undefined, { token: ann.token })).status).toBe(200)
    expect((await read(revoked.token)).body.code).toBe(209)
  })

  test.each([
    [[]],
    [['score:read']],
    [['Score']],
    [['Score:read:x']],
    [['Score:admin']],
    [['_Session:read']],
    [['_User:write']],
    [['_Role:update']],
    [['users:read']],
    [['backup']],
    [['Ｓcore:read']],
    [['Score:read ']],
    [['constructor:read']],
    [['function:']],
    [['class:_Join:users:_Role:read']],
    [['Score:read', 'nonsense']],
  ])('the scope %j is refused', async (scopes) => {
    const answer = await server.call('POST', '/auth/tokens', { name: 'x', scopes }, { token: ann.token })
    expect([answer.status, answer.body.reason]).toEqual([400, 'invalidScope'])
  })

  test('a class with a small letter is marked, and case counts', async () => {
    await server.call('POST', '/classes/score', { n: 1 }, { token: ann.token })
    const { token } = await makeToken(ann, ['class:score:read'])
    expect((await server.call('GET', '/classes/score', undefined, { token })).status).toBe(200)
    expect((await server.call('GET', '/classes/Score', undefined, { token })).status).toBe(403)
  })

  test('`*` has the classes of the application alone, also those made later', async () => {
    const { token } = await makeToken(ann, ['*:read', '*:write'])
    const made = await server.call('POST', '/classes/Later', { n: 1 }, { token })
    expect(made.status).toBe(201)
    expect((await server.call('GET', '/classes/Later', undefined, { token })).status).toBe(200)
    for (const className of ['_User', '_Role', '_Session', '_Installation', '_JobStatus']) {
      expect((await server.call('GET', `/classes/${className}`, undefined, { token })).status).toBe(403)
    }
  })

  test('creating one needs a recent proof; a stale session lists and revokes', async () => {
    const carol = await server.signUp('carol')
    const { objectId } = await makeToken(carol, ['Score:read'])
    server.clock.forward(3_600_000)
    const input = { name: 'x', scopes: ['Score:read'] }
    const refused = await server.call('POST', '/auth/tokens', input, { token: carol.token })
    expect(refused.body.reason).toBe('reauthenticationRequired')
    const listed = await server.call('GET', '/auth/tokens', undefined, { token: carol.token })
    expect(listed.text).not.toMatch(/cs_pat_/)
    expect(listed.body.results).toMatchObject([{ objectId, name: 'script', scopes: ['Score:read'] }])
    expect((await server.call('DELETE', `/auth/tokens/${objectId}`, undefined, { token: carol.token })).status).toBe(
      200,
    )
  })

  test('the database has the hash alone, and the activity has the name', async () => {
    const dan = await server.signUp('dan')
    const { token } = await makeToken(dan, ['Score:read'])
    await server.call('GET', '/classes/Score', undefined, bearer(token))
    await server.context.background.settle()
    const rows = await server.context.db.query(sql`select row_to_json(t)::text as row from countersign.access_tokens t`)
    expect(JSON.stringify(rows)).not.toContain(token)
    const { body } = await server.call('GET', '/auth/activity', undefined, { token: dan.token })
    const actions = (body.results as { action: string; details: { name?: string } }[]).slice(0, 2)
    expect(actions.map(({ action, details }) => [action, details.name])).toEqual([
      ['useAccessToken', 'script'],
      ['createAccessToken', 'script'],
    ])
  })

  test('live queries: only classes of the scope, and revocation ends them', async () => {
    const eve = await server.signUp('eve')
    const { token, objectId } = await makeToken(eve, ['Score:read'])
    const socket = await openLiveSocket(server, { connect: { sessionToken: token } })
    try {
      expect((await socket.subscribe(1, { className: 'Score' })).op).toBe('subscribed')
      expect((await socket.subscribe(2, { className: 'Pet' })).op).toBe('error')
      await server.call('POST', '/classes/Score', { points: 5, ACL: own(eve) }, { token: eve.token })
      expect((await socket.next('create')).object).toMatchObject({ points: 5 })
      await server.call('DELETE', `/auth/tokens/${objectId}`, undefined, { token: eve.token })
      expect(await socket.next('error')).toMatchObject({ code: 209 })
    } finally {
      socket.close()
    }
  })
})

test('a token in an address opens nothing: addresses are logged', async () => {
  const { token } = await makeToken(await server.signUp('addressed'), ['Score:read', 'account:read'])
  const names = ['access_token', '_SessionToken', 'sessionToken', 'token', 'Authorization', 'X-Parse-Session-Token']
  for (const name of names) {
    const query = `?${name}=${encodeURIComponent(token)}`
    const me = await server.call('GET', `/users/me${query}`)
    expect([name, me.status >= 400]).toEqual([name, true])
    const found = await server.call('GET', `/classes/Score${query}`)
    expect([name, (found.body.results as unknown[] | undefined) ?? []]).toEqual([name, []])
    expect([name, (await fetch(`${server.url}/mcp${query}`)).status]).toEqual([name, 401])
    const info = await fetch(`${server.url}/oidc/userinfo${query}`)
    expect([name, info.status >= 400]).toEqual([name, true])
  }
})

describe('service accounts', () => {
  test('act by their own name and roles, within the scopes of the key', async () => {
    await server.call('POST', '/roles', { name: 'importers', ACL: {} }, master)
    const made = await server.call('POST', '/console/services', { name: 'importer', roles: ['importers'] }, master)
    expect(made.body).toMatchObject({ name: 'importer', roles: ['importers'], keys: 0 })
    const { token } = await makeKey(['Stock:read', 'Stock:write'], { service: made.body.objectId })
    expect(token).toMatch(/^cs_svc_/)
    const acls = [
      { n: 1, ACL: { 'service:importer': { read: true, write: true } } },
      { n: 2, ACL: { 'role:importers': { read: true } } },
      { n: 3, ACL: own(ann) },
    ]
    for (const each of acls) await server.call('POST', '/classes/Stock', each, master)
    const found = async () =>
      (
        (await server.call('GET', '/classes/Stock?order=n', undefined, bearer(token))).body.results as { n: number }[]
      ).map(({ n }) => n)
    expect(await found()).toEqual([1, 2])
    await server.call('PUT', `/console/services/${made.body.objectId}`, { roles: [] }, master)
    await expect.poll(found).toEqual([1])
    expect((await server.call('GET', '/users/me', undefined, bearer(token))).status).toBe(403)
    expect((await server.call('DELETE', `/console/services/${made.body.objectId}`, undefined, master)).status).toBe(200)
    expect((await server.call('GET', '/classes/Stock', undefined, bearer(token))).body.code).toBe(209)
  })

  test('class permissions name a service account, and the scope of the key narrows them', async () => {
    const made = await server.call('POST', '/console/services', { name: 'stocker', roles: [] }, master)
    const { token } = await makeKey(['*:read', '*:write'], { service: made.body.objectId })
    const reader = await makeKey(['Shelf:read'], { service: made.body.objectId })
    const only = { 'service:stocker': true }
    const fields = {
      n: { type: 'Number' },
      hidden: { type: 'String' },
      keeper: { type: 'Pointer', targetClass: '_User' },
    }
    const classLevelPermissions = {
      ...{ find: only, get: only, count: only, create: only, update: only, addField: {} },
      delete: { 'role:stockers': true },
      protectedFields: { '*': ['hidden'], 'service:stocker': [] },
    }
    const defined = await server.call('POST', '/schemas/Shelf', { fields, classLevelPermissions }, master)
    expect(defined.status, defined.text).toBe(200)
    const ask = (method: string, path: string, body?: object, as = token) => server.call(method, path, body, bearer(as))

    const shelf = await ask('POST', '/classes/Shelf', { n: 1, hidden: 'for services' })
    expect(shelf.status, shelf.text).toBe(201)
    const path = `/classes/Shelf/${shelf.body.objectId}`
    expect((await ask('GET', path)).body).toMatchObject({ n: 1, hidden: 'for services' })
    expect((await ask('PUT', path, { n: 2 })).status).toBe(200)
    expect((await ask('GET', '/classes/Shelf?count=1')).body).toMatchObject({ count: 1, results: [{ n: 2 }] })
    expect((await ask('GET', '/classes/Shelf?count=1', undefined, reader.token)).body).toMatchObject({ count: 1 })
    // Neither users nor a key with less: the rest of the rights is not for them.
    for (const each of [ann.token, undefined]) {
      const asUser = each === undefined ? {} : { token: each }
      expect((await server.call('GET', '/classes/Shelf', undefined, asUser)).body.code).toBe(119)
      expect((await server.call('POST', '/classes/Shelf', { n: 3 }, asUser)).body.code).toBe(119)
    }
    expect((await ask('PUT', path, { n: 3 }, reader.token)).body.reason).toBe('insufficientScope')
    expect((await ask('PUT', path, { other: 3 })).body.code).toBe(119)
    expect((await ask('DELETE', path)).body.code).toBe(119)

    // A role gives what its class permission names, at once and only while it is held.
    await server.call('POST', '/roles', { name: 'stockers', ACL: {} }, master)
    await server.call('PUT', `/console/services/${made.body.objectId}`, { roles: ['stockers'] }, master)
    expect((await ask('DELETE', path)).status).toBe(200)
  })

  test('access lists of documents judge each read and write of a service account', async () => {
    const made = await server.call('POST', '/console/services', { name: 'clerk' }, master)
    const { token } = await makeKey(['Letter:read', 'Letter:write'], { service: made.body.objectId })
    const asClerk = bearer(token)
    const entry = (read: boolean, write: boolean) => ({ 'service:clerk': { read, write } })
    const lists = {
      open: entry(true, true),
      seen: entry(true, false),
      foreign: own(ann),
      others: { 'service:x': { read: true } },
    }
    const ids = new Map<string, string>()
    for (const [text, ACL] of Object.entries(lists)) {
      const { body } = await server.call('POST', '/classes/Letter', { text, ACL }, master)
      ids.set(text, String(body.objectId))
    }
    const found = await server.call('GET', '/classes/Letter?order=text', undefined, asClerk)
    expect((found.body.results as { text: string }[]).map(({ text }) => text)).toEqual(['open', 'seen'])
    const outcome = async (method: string, text: string, body?: object) =>
      (await server.call(method, `/classes/Letter/${ids.get(text)}`, body, asClerk)).status
    expect(await Promise.all(Object.keys(lists).map((text) => outcome('GET', text)))).toEqual([200, 200, 404, 404])
    const writes = []
    for (const text of Object.keys(lists)) writes.push(await outcome('PUT', text, { n: 1 }))
    expect(writes).toEqual([200, 404, 404, 404])
    expect(await outcome('DELETE', 'seen')).toBe(404)
    expect(await outcome('DELETE', 'open')).toBe(200)
    // A document for the service account alone: a username does not give access to it.
    const own2 = await server.call('POST', '/classes/Letter', { text: 'mine', ACL: entry(true, true) }, asClerk)
    expect(own2.status, own2.text).toBe(201)
    expect(
      (await server.call('GET', `/classes/Letter/${own2.body.objectId}`, undefined, { token: ann.token })).status,
    ).toBe(404)
    const taken = await server.call('POST', '/users', { username: 'service:clerk', password: 'a long password' })
    if (taken.status === 201) {
      const session = { token: String(taken.body.sessionToken) }
      expect((await server.call('GET', `/classes/Letter/${own2.body.objectId}`, undefined, session)).status).toBe(404)
    }
  })

  test('live queries of a service account follow its access lists, roles and keys', async () => {
    const role = await server.call('POST', '/roles', { name: 'listeners', ACL: {} }, master)
    expect(role.status).toBe(201)
    const made = await server.call('POST', '/console/services', { name: 'watcher', roles: ['listeners'] }, master)
    const key = await makeKey(['Signal:read'], { service: made.body.objectId })
    await server.call('POST', '/classes/Signal', { n: 0 }, master)
    const socket = await openLiveSocket(server, {
      connect: { sessionToken: key.token },
      patience: Number.POSITIVE_INFINITY,
    })
    try {
      expect((await socket.subscribe(1, { className: 'Signal' })).op).toBe('subscribed')
      expect((await socket.subscribe(2, { className: 'Score' })).op).toBe('error')
      const create = (n: number, ACL: object) => server.call('POST', '/classes/Signal', { n, ACL }, master)
      // Each public event comes after all before it: what was not shown by then never is.
      const shown = async (last: number) => {
        await create(last, { '*': { read: true } })
        await socket.next(({ object }) => object?.n === last)
        return socket.frames.flatMap(({ object }) => (object ? [object.n] : []))
      }
      await create(1, { 'service:watcher': { read: true } })
      await create(2, { 'role:listeners': { read: true } })
      await create(3, own(ann))
      expect(await shown(4)).toEqual([1, 2, 4])
      await server.call('PUT', `/console/services/${made.body.objectId}`, { roles: [] }, master)
      await create(5, { 'role:listeners': { read: true } })
      expect(await shown(6)).toEqual([1, 2, 4, 6])
      await server.call('DELETE', `/console/accessKeys/${key.objectId}`, undefined, master)
      expect(await socket.next('error')).toMatchObject({ code: 209 })
    } finally {
      socket.close()
    }
  })

  test('rotation: two keys are valid, then one', async () => {
    const service = await server.call('POST', '/console/services', { name: 'rotated' }, master)
    const first = await makeKey(['Stock:read'], { service: service.body.objectId })
    const read = async ({ token }: { token: string }) =>
      (await server.call('GET', '/classes/Stock', undefined, bearer(token))).status
    const rotate = async ({ objectId }: { objectId: string }) =>
      (await server.call('POST', `/console/accessKeys/${objectId}/rotate`, { overlap: 600 }, master)).body as {
        token: string
        objectId: string
      }
    const second = await rotate(first)
    expect([await read(first), await read(second)]).toEqual([200, 200])
    const third = await rotate(second)
    expect([await read(first), await read(second), await read(third)]).toEqual([400, 200, 200])
    server.clock.forward(601_000)
    expect([await read(second), await read(third)]).toEqual([400, 200])
  })
})

describe('scoped operator keys', () => {
  test('replace the master key for the named parts alone', async () => {
    const { token } = await makeKey(['schema:read', 'users:read'])
    const asMasterKey = { headers: { 'X-Parse-Master-Key': token } }
    for (const options of [bearer(token), asMasterKey]) {
      const status = async (method: string, path: string, body?: object) =>
        (await server.call(method, path, body, options)).status
      expect(await status('GET', '/schemas')).toBe(200)
      expect(await status('GET', '/users')).toBe(200)
      expect(await status('GET', '/console/users')).toBe(200)
      expect(await status('POST', '/schemas/New', {})).toBe(403)
      expect(await status('GET', '/classes/Score')).toBe(403)
      expect(await status('GET', '/aggregate/Score?pipeline=[]')).toBe(403)
      expect(await status('PUT', `/users/${ann.objectId}`, { password: 'stolen' })).toBe(403)
      expect(await status('POST', '/loginAs', { userId: ann.objectId })).toBe(403)
      expect(await status('POST', '/console/accessKeys', { name: 'x', scopes: ['backup'] })).toBe(403)
      expect(await status('PUT', `/console/operators/${ann.objectId}`, { role: 'admin' })).toBe(403)
    }
  })

  test('aggregates reach the classes of the scope alone', async () => {
    const { token } = await makeKey(['Score:read'])
    const lookup = [{ $lookup: { from: 'Pet', localField: 'pet', foreignField: 'objectId', as: 'pets' } }]
    const ask = (pipeline: object[]) =>
      server.call(
        'GET',
        `/aggregate/Score?pipeline=${encodeURIComponent(JSON.stringify(pipeline))}`,
        undefined,
        bearer(token),
      )
    expect((await ask([{ $group: { _id: null, all: { $sum: '$points' } } }])).status).toBe(200)
    expect((await ask(lookup)).body.reason).toBe('insufficientScope')
  })

  test('allowed addresses hold, and the audit log has the name', async () => {
    const away = await makeKey(['schema:read'], { addresses: ['10.1.0.0/16'] })
    const answer = await server.call('GET', '/schemas', undefined, bearer(away.token))
    expect([answer.status, answer.body.reason]).toEqual([403, 'addressNotAllowed'])
    const bad = await server.call(
      'POST',
      '/console/accessKeys',
      { name: 'x', scopes: ['backup'], addresses: ['x'] },
      master,
    )
    expect(bad.status).toBe(400)
    const { token } = await makeKey(['config:write'], { name: 'deploy' })
    await server.call('PUT', '/config', { params: { banner: 'hi' } }, bearer(token))
    const { body } = await server.call('GET', '/audit?limit=1', undefined, master)
    expect(body.results).toMatchObject([{ actor: 'key:deploy', action: 'updateConfig' }])
  })
})
