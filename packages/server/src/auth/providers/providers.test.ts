import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { sql } from '../../db/sql.ts'
import type { AdapterRequest, AuthAdapter } from '../../providers/authAdapters.ts'
import { type Answer, createTestServer } from '../../testing/createTestServer.ts'
import { serveTests } from '../../testing/serveTests.ts'

type Data = { [name: string]: unknown }

class AdapterError extends Error {
  readonly code: number
  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

/** As the provider's own server would: a token is good for the id that it was made for. */
const tokenOf = (id: unknown) => `token of ${id}`

const social: AuthAdapter = {
  async validateAuthData({ id, access_token }: Data) {
    if (access_token === 'slow') await new Promise((resolve) => setTimeout(resolve, 5_000))
    if (access_token === 'broken') throw new TypeError('cannot read properties of undefined')
    if (access_token === 'text') throw 'only a text'
    if (!String(access_token).startsWith(tokenOf(id)))
      throw new AdapterError(101, 'Social auth is invalid for this user.')
  },
  validateAppId(appIds: unknown, { app = 'app-1' }: Data) {
    if (!(appIds as unknown[]).includes(app)) throw new AdapterError(101, 'Social auth is invalid for this app.')
  },
}

const asked: { step: string; request: AdapterRequest; data: Data }[] = []
const lifeCycle: AuthAdapter = {
  async validateSetUp(data, _options, request) {
    asked.push({ step: 'setUp', request, data })
    return { response: { welcome: true }, save: { ...data, made: 1 } }
  },
  async validateLogin(data, _options, request) {
    asked.push({ step: 'login', request, data })
    return { doNotSave: true }
  },
  async validateUpdate(data, _options, request) {
    asked.push({ step: 'update', request, data })
    return { save: { ...data, updated: true } }
  },
  async challenge(challengeData, _authData, _options, request) {
    if (challengeData === 'refuse') throw new AdapterError(142, 'no challenge today')
    return { nonce: 'n', of: request.original?.id ?? null }
  },
  async afterFind(_request, authData) {
    return { id: authData.id, made: authData.made ?? null } as never
  },
}

/** Codes that work once, as a second factor has them. */
const codes: AuthAdapter = {
  policy: 'additional',
  async validateSetUp(data) {
    return { response: 'set up', save: { codes: data.codes } } as never
  },
  async validateLogin({ code }: Data, _options, request) {
    const authData = request.original?.get('authData') as { codes: { codes: string[] } } | undefined
    const kept = authData?.codes.codes ?? []
    if (!kept.includes(String(code))) throw new AdapterError(101, 'Invalid code')
    return { save: { codes: kept.filter((each) => each !== code) } } as never
  },
  async validateUpdate(data) {
    return { save: { codes: data.codes } } as never
  },
  async afterFind() {
    return { status: 'enabled' }
  },
}

class Solo {
  policy = 'solo' as const
  readonly options: { secret?: string }
  constructor(options: object) {
    this.options = options
  }
  async validateAuthData({ secret }: Data) {
    if (secret !== this.options.secret) throw new Error('wrong secret')
  }
}

const server = serveTests({
  functions: { timeoutMs: 300 },
  rateLimit: [],
  auth: {
    social: { module: social, appIds: ['app-1'] },
    other: { validateAuthData: async () => {} },
    cycle: { ...lifeCycle },
    codes: { ...codes },
    solo: { module: Solo, secret: 'sesame' },
    off: { validateAuthData: async () => {}, enabled: false },
  },
})

const newId = () => `id-${randomUUID()}`
const socialData = (id: string) => ({ id, access_token: tokenOf(id) })
const post = (authData: object, fields: object = {}, token?: string) =>
  server.call('POST', '/users', { authData, ...fields }, { ...(token && { token }) })
const put = (objectId: unknown, authData: object, token: unknown, fields: object = {}) =>
  server.call('PUT', `/users/${objectId}`, { authData, ...fields }, { token: String(token) })
const me = async (token: unknown) => (await server.call('GET', '/users/me', undefined, { token: String(token) })).body
const refusal = ({ status, body }: Answer) => [status, body.code, body.error]

describe('sign-up and sign-in', () => {
  test('one request makes the account, the same again signs in', async () => {
    const id = newId()
    const made = await post({ social: socialData(id) }, { nick: 'N' })
    expect([made.status, made.body.nick, made.body.authData]).toEqual([201, 'N', { social: socialData(id) }])
    const again = await post({ social: socialData(id) })
    expect([again.status, again.body.objectId]).toEqual([200, made.body.objectId])
    expect(again.body.sessionToken).not.toBe(made.body.sessionToken)
    const session = await server.call('GET', '/sessions/me', undefined, { token: String(again.body.sessionToken) })
    expect(session.body.createdWith).toEqual({ action: 'login', authProvider: 'social' })
  })

  test('a numeric id is the same identity as its text', async () => {
    const number = 7_000_000 + Math.floor(Math.random() * 1_000_000)
    const made = await post({ social: { ...socialData(String(number)), id: number } })
    expect([made.status, made.body.authData]).toEqual([201, { social: socialData(String(number)) }])
    const again = await post({ social: socialData(String(number)) })
    expect([again.status, again.body.objectId]).toEqual([200, made.body.objectId])
    for (const id of [1.5, -0.1, 2 ** 53, true, [1], { $ne: 1 }]) {
      expect((await post({ social: { ...socialData('x'), id } })).body.code, String(id)).toBe(162)
    }
  })

  test('a name and a password come along to a new account', async () => {
    const username = `named-${randomUUID()}`
    const made = await post({ social: socialData(newId()) }, { username, password: 'secret words' })
    expect(made.status).toBe(201)
    const login = await server.call('POST', '/login', { username, password: 'secret words' })
    expect(login.body.objectId).toBe(made.body.objectId)
    expect(Object.keys(login.body.authData as object)).toEqual(['social'])
  })

  test('an adapter’s refusal is returned with its text, with its code or 141, never 500', async () => {
    const id = newId()
    const attempt = async (data: object) => refusal(await post({ social: { id, ...data } }))
    expect(await attempt({ access_token: 'x' })).toEqual([404, 101, 'Social auth is invalid for this user.'])
    expect(await attempt({ access_token: tokenOf(id), app: 'app-2' })).toEqual([
      404,
      101,
      'Social auth is invalid for this app.',
    ])
    expect(await attempt({ access_token: 'broken' })).toEqual([400, 141, 'cannot read properties of undefined'])
    expect(await attempt({ access_token: 'text' })).toEqual([400, 141, 'only a text'])
    expect(await attempt({ access_token: 'slow' })).toEqual([400, 124, 'The provider social took longer than 300 ms.'])
    const rows = await server.context.db.query(sql`select from countersign.identities where id = ${id}`)
    expect(rows).toEqual([])
    expect(server.logs.join('')).not.toContain(tokenOf(id))
  })

  test.each([
    ['unknown', { nobody: { id: 'x' } }, 252],
    ['switched off', { off: { id: 'x' } }, 252],
    ['a name of objects', { constructor: { id: 'x' } }, 105],
    ['another one', { toString: { id: 'x' } }, 252],
    ['no id', { social: { access_token: 'x' } }, 250],
    ['an empty id', { social: { id: '', access_token: 'x' } }, 250],
    ['an id that is neither text nor a whole number', { social: { id: 5.5, access_token: 'x' } }, 162],
    ['an operator in place of the id', { social: { id: { $ne: '' } } }, 162],
    ['no object', { social: 'x' }, 162],
    ['a long id', { social: { id: 'x'.repeat(501) } }, 162],
    ['a control character', { social: { id: '\u0001x' } }, 162],
    ['too much', { social: { id: 'x', more: 'x'.repeat(20_000) } }, 162],
    ['additional alone', { codes: { code: 'x' } }, 200],
  ])('refused: %s', async (_, authData, code) => {
    const answer = await post(authData)
    expect(answer.status).toBeLessThan(500)
    expect(answer.body.code).toBe(code)
  })

  test('of two first sign-ins at once one account is made', async () => {
    const id = newId()
    const answers = await Promise.all(Array.from({ length: 5 }, () => post({ social: socialData(id) })))
    expect(new Set(answers.map(({ body }) => body.objectId)).size).toBe(1)
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 201])
  })

  test('several providers at once; identities of two people are refused', async () => {
    const [a, b, c] = [newId(), newId(), newId()]
    const made = await post({ social: socialData(a), other: { id: b } })
    expect(made.status).toBe(201)
    for (const authData of [{ social: socialData(a) }, { other: { id: b } }])
      expect((await post(authData)).body.objectId).toBe(made.body.objectId)
    const second = await post({ other: { id: c } })
    expect(refusal(await post({ social: socialData(a), other: { id: c } }))).toEqual([
      409,
      208,
      'this auth is already used',
    ])
    // Only a proven identity reveals its owner.
    const unproven = await post({ social: { id: a, access_token: 'x' }, other: { id: c } })
    expect(unproven.body.code).toBe(101)
    expect((await me(second.body.sessionToken)).objectId).toBe(second.body.objectId)
  })

  test('a session that comes along is left as it is', async () => {
    const alice = await server.signUp(`alice-${randomUUID()}`)
    const id = newId()
    const bob = await post({ social: socialData(id) })
    const again = await post({ social: socialData(id) }, {}, alice.token)
    expect([again.status, again.body.objectId]).toEqual([200, bob.body.objectId])
    expect(await me(alice.token)).toMatchObject({ objectId: alice.objectId })
    expect((await me(alice.token)).authData).toBeUndefined()
  })

  test('a locked account stays shut, and one that is to be deleted says so', async () => {
    const id = newId()
    const { body } = await post({ social: socialData(id) })
    await server.call('DELETE', `/users/${body.objectId}`, undefined, { token: String(body.sessionToken) })
    expect((await post({ social: socialData(id) })).body.reason).toBe('accountDeletionPending')
    const restored = await post({ social: socialData(id) }, { restoreAccount: true })
    expect([restored.status, restored.body.objectId]).toEqual([200, body.objectId])
    await server.call('PUT', `/users/${body.objectId}`, { ACL: {} }, { master: true })
    expect((await post({ social: socialData(id) })).status).toBe(401)
  })
})

describe('link and unlink', () => {
  test('PUT links, null unlinks, and the session stays', async () => {
    const { objectId, token } = await server.signUp(`linker-${randomUUID()}`)
    const id = newId()
    const linked = await put(objectId, { social: socialData(id) }, token)
    expect([linked.status, linked.body.authData]).toEqual([200, { social: socialData(id) }])
    expect((await post({ social: socialData(id) })).body.objectId).toBe(objectId)
    // A client may send back its data with other changes, without a proof.
    expect((await put(objectId, { social: { id } }, token, { nick: 'x' })).status).toBe(200)
    const unlinked = await put(objectId, { social: null }, token)
    expect([unlinked.status, unlinked.body.authData]).toEqual([200, {}])
    const other = await post({ social: socialData(id) })
    expect(other.status).toBe(201)
    expect((await me(token)).objectId).toBe(objectId)
  })

  test('an identity of somebody else is 208, and only with a proof', async () => {
    const id = newId()
    const owner = await post({ social: socialData(id) })
    const { objectId, token } = await server.signUp(`thief-${randomUUID()}`)
    expect(refusal(await put(objectId, { social: socialData(id) }, token))).toEqual([
      400,
      208,
      'this auth is already used',
    ])
    expect((await put(objectId, { social: { id, access_token: 'x' } }, token)).body.code).toBe(101)
    expect((await put(owner.body.objectId, { other: { id: newId() } }, token)).body.code).toBe(206)
    expect((await put(owner.body.objectId, { social: null }, token)).body.code).toBe(206)
    expect((await me(token)).objectId).toBe(objectId)
    expect((await post({ social: socialData(id) })).body.objectId).toBe(owner.body.objectId)
  })

  test('another id at the same provider takes the place of the former', async () => {
    const { objectId, token } = await server.signUp(`mover-${randomUUID()}`)
    const [first, second] = [newId(), newId()]
    await put(objectId, { social: socialData(first) }, token)
    await put(objectId, { social: socialData(second) }, token)
    expect((await post({ social: socialData(second) })).body.objectId).toBe(objectId)
    expect((await post({ social: socialData(first) })).status).toBe(201)
  })

  test('the last sign-in method stays', async () => {
    const made = await post({ social: socialData(newId()) })
    const { objectId, sessionToken } = made.body
    expect((await put(objectId, { social: null }, sessionToken)).body.reason).toBe('lastSignInMethod')
    // Unless another one comes with the same request.
    const swapped = await put(objectId, { social: null, other: { id: newId() } }, sessionToken)
    expect([swapped.status, Object.keys(swapped.body.authData as object)]).toEqual([200, ['other']])
    const withPassword = await put(objectId, { other: null }, sessionToken, { password: 'secret words' })
    expect(withPassword.status).toBe(200)
  })

  test('a session that was proven too long ago links and unlinks nothing', async () => {
    const id = newId()
    const { body } = await post({ social: socialData(id) })
    server.clock.forward(901_000)
    const link = await put(body.objectId, { other: { id: newId() } }, body.sessionToken)
    const unlink = await put(body.objectId, { social: null }, body.sessionToken, { password: 'of a thief' })
    const replace = await put(body.objectId, { social: socialData(newId()) }, body.sessionToken)
    expect([link, unlink, replace].map((answer) => answer.body.reason)).toEqual(
      Array(3).fill('reauthenticationRequired'),
    )
    // Data shown by the account must not be enough to confirm it.
    const shown = (await me(body.sessionToken)).authData as { social: Data }
    expect(shown.social).toEqual({ id })
    const user = await server.call('GET', `/users/${body.objectId}`, undefined, { token: String(body.sessionToken) })
    expect(user.text).not.toContain(tokenOf(id))
    // A fresh token of the own identity changes who gets in by nothing.
    const fresh = await put(body.objectId, { social: { id, access_token: `${tokenOf(id)} again` } }, body.sessionToken)
    expect(fresh.status).toBe(200)
    const confirm = (authData: object) =>
      server.call('POST', '/auth/reauthenticate', { authData }, { token: String(body.sessionToken) })
    expect((await confirm({ other: { id: newId() } })).body.reason).toBe('identityNotLinked')
    expect((await confirm({ social: { id, access_token: 'x' } })).body.code).toBe(101)
    const confirmed = await confirm({ social: socialData(id) })
    expect(confirmed.status).toBe(200)
    expect((await put(body.objectId, { other: { id: newId() } }, confirmed.body.sessionToken)).status).toBe(200)
  })

  test('a guest becomes a user, also later than a proof lasts, and the id of the guest ends', async () => {
    const guestId = randomUUID()
    const guest = await post({ anonymous: { id: guestId } })
    server.clock.forward(901_000)
    const id = newId()
    const linked = await put(guest.body.objectId, { anonymous: null, social: socialData(id) }, guest.body.sessionToken)
    expect([linked.status, linked.body.authData]).toEqual([200, { social: socialData(id) }])
    expect((await post({ social: socialData(id) })).body.objectId).toBe(guest.body.objectId)
    expect((await post({ anonymous: { id: guestId } })).body.objectId).not.toBe(guest.body.objectId)
  })

  test('the list of sign-in methods, the activity and the mails name the provider', async () => {
    const email = `${randomUUID()}@example.com`
    const { objectId, token } = await server.signUp(`listed-${randomUUID()}`, { email })
    await server.call('PUT', `/users/${objectId}`, { emailVerified: true }, { master: true })
    const id = newId()
    await put(objectId, { social: socialData(id) }, token)
    const list = await server.call('GET', '/auth/signInMethods', undefined, { token })
    expect(list.body.identities).toEqual([
      { provider: 'social', id, linkedAt: expect.any(String), lastUsedAt: expect.any(String) },
    ])
    await put(objectId, { social: null }, token)
    const activity = await server.call('GET', '/auth/activity', undefined, { token })
    const actions = (activity.body.results as { action: string }[]).map(({ action }) => action)
    expect(actions).toEqual(expect.arrayContaining(['linkIdentity', 'unlinkIdentity']))
    await server.context.background.settle()
    const { body } = await server.call('GET', '/outbox', undefined, { master: true })
    const texts = (body.results as { to: string; text: string }[]).filter(({ to }) => to === email)
    expect(texts.filter(({ text }) => text.includes('social'))).toHaveLength(2)
  })

  test('others never see authData; the master key does, without tokens', async () => {
    const id = newId()
    const { body } = await post({ social: socialData(id) }, { ACL: { '*': { read: true } } })
    const stranger = await server.signUp(`stranger-${randomUUID()}`)
    const seen = await server.call('GET', `/users/${body.objectId}`, undefined, { token: stranger.token })
    expect([seen.status, seen.body.authData]).toEqual([200, undefined])
    const operator = await server.call('GET', `/users/${body.objectId}`, undefined, { master: true })
    expect(operator.body.authData).toEqual({ social: { id } })
    const asked = await server.call(
      'GET',
      `/users?where=${encodeURIComponent(JSON.stringify({ 'authData.social.id': id }))}`,
      undefined,
      { token: stranger.token },
    )
    expect([asked.status >= 400 || (asked.body.results as unknown[]).length === 0, asked.text.includes(id)]).toEqual([
      true,
      false,
    ])
  })
})

describe('the life cycle', () => {
  test('set up, sign-in and update reach their functions, with what is kept', async () => {
    const id = newId()
    asked.length = 0
    const made = await post({ cycle: { id, a: 1 } })
    expect(made.body).toMatchObject({
      authData: { cycle: { id, made: 1 } },
      authDataResponse: { cycle: { welcome: true } },
    })
    await post({ cycle: { id, a: 2 } })
    const updated = await put(made.body.objectId, { cycle: { id, a: 3 } }, made.body.sessionToken)
    expect(updated.status).toBe(200)
    expect(asked.map(({ step }) => step)).toEqual(['setUp', 'login', 'update'])
    const [setUp, login, update] = asked
    expect(setUp?.request.original).toBeUndefined()
    expect(login?.request.original?.get('authData')).toEqual({ cycle: { id, a: 1, made: 1 } })
    expect(update?.request.user?.id).toBe(made.body.objectId)
  })

  test('challenges: require the user to be named, same response for unknown and refused identities', async () => {
    const ask = (body: object) => server.call('POST', '/challenge', body)
    const { objectId } = await server.signUp('challenged')
    const id = newId()
    const { body: social } = await post({ social: socialData(id) })
    const challengeData = { cycle: { a: 1 } }
    expect((await ask({ challengeData })).body).toEqual({ challengeData: { cycle: { nonce: 'n', of: null } } })
    const named = await ask({ challengeData, username: 'challenged', password: 'challenged password' })
    expect(named.body).toEqual({ challengeData: { cycle: { nonce: 'n', of: objectId } } })
    const known = await ask({ challengeData, authData: { social: socialData(id) } })
    expect(known.body).toEqual({ challengeData: { cycle: { nonce: 'n', of: social.objectId } } })
    const notFound = [404, 101, 'User not found.']
    expect(refusal(await ask({ challengeData, authData: { social: { id, access_token: 'x' } } }))).toEqual(notFound)
    expect(refusal(await ask({ challengeData, authData: { social: socialData(newId()) } }))).toEqual(notFound)
    expect((await ask({ challengeData, username: 'challenged', password: 'wrong' })).body.code).toBe(101)
    for (const body of [
      {},
      { challengeData: 'x' },
      { challengeData, username: 'challenged' },
      { challengeData, username: 'challenged', password: 'x', authData: { social: socialData(id) } },
      { challengeData, authData: { social: socialData(id), other: { id } } },
    ])
      expect((await ask(body)).body.code).toBe(-1)
    expect(refusal(await ask({ challengeData: { cycle: 'refuse' } }))).toEqual([400, 142, 'no challenge today'])
    expect((await ask({ challengeData: { nobody: 1 } })).body).toEqual({ challengeData: {} })
  })

  test('an additional provider is asked for besides the password, and its codes work once', async () => {
    const username = `second-${randomUUID()}`
    const password = 'secret words'
    const made = await server.call('POST', '/users', {
      username,
      password,
      authData: { codes: { codes: ['1', '2', '3', '4', '5'] } },
    })
    expect([made.status, made.body.authDataResponse]).toEqual([201, { codes: 'set up' }])
    const logIn = (authData?: object) =>
      server.call('POST', '/login', { username, password, ...(authData && { authData }) })
    expect(refusal(await logIn())).toEqual([400, -1, 'Missing additional authData codes'])
    expect((await logIn({ codes: { code: 'x' } })).body.code).toBe(101)
    const right = await logIn({ codes: { code: '1' } })
    expect([right.status, right.body.authData]).toEqual([200, { codes: { status: 'enabled' } }])
    expect((await logIn({ codes: { code: '1' } })).body.code).toBe(101)
    const both = await Promise.all([1, 2, 3].map(() => logIn({ codes: { code: '2' } })))
    expect(both.filter(({ status }) => status === 200)).toHaveLength(1)
    // Beside a provider as beside a password; one that stands alone needs none.
    const id = newId()
    const token = right.body.sessionToken
    expect(
      (await put(made.body.objectId, { social: socialData(id), solo: { id, secret: 'sesame' } }, token)).status,
    ).toBe(200)
    expect((await post({ social: socialData(id) })).body.code).toBe(-1)
    expect((await post({ social: socialData(id), codes: { code: '3' } })).status).toBe(200)
    expect((await post({ solo: { id, secret: 'sesame' } })).status).toBe(200)
    // Taking it off is a sensitive change like any other.
    server.clock.forward(901_000)
    expect((await put(made.body.objectId, { codes: null }, token)).body.reason).toBe('reauthenticationRequired')
    expect((await put(made.body.objectId, { codes: { codes: ['9'] } }, token)).body.reason).toBe(
      'reauthenticationRequired',
    )
    // Guesses are counted.
    const guesses: number[] = []
    for (let guess = 0; guess < 11; guess++) guesses.push(Number((await logIn({ codes: { code: 'x' } })).body.code))
    expect((await logIn({ codes: { code: '4' } })).body.reason).toBe('tooManyFailedSignIns')
  })
})

test('guests: the shortest id is the operator’s to choose', async () => {
  const open = await createTestServer({ anonymous: { minimumIdLength: 1 } })
  const sent = { authData: { anonymous: { id: '1234' } } }
  expect((await open.call('POST', '/users', sent)).status).toBe(201)
  expect((await server.call('POST', '/users', sent)).body.code).toBe(250)
  await open.stop()
})

test.each([
  ['no functions', { social: { appIds: ['x'] } }, /auth\.social: the adapter needs validateAuthData/],
  [
    'a file that is not there',
    { social: { module: './nowhere.js' } },
    /auth\.social: \.\/nowhere\.js cannot be loaded/,
  ],
  ['a policy', { social: { validateAuthData: () => {}, policy: 'x' } }, /auth\.social: policy must be/],
  ['a name of ours', { anonymous: { validateAuthData: () => {} } }, /built in/],
  [
    'options',
    {
      social: {
        validateAuthData: () => {},
        validateOptions: () => {
          throw new Error('no key')
        },
      },
    },
    /auth\.social: no key/,
  ],
])('the setting is checked at the start: %s', async (_, auth, message) => {
  await expect(createTestServer({ auth })).rejects.toThrow(message)
})
