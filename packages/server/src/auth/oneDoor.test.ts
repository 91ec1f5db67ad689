import { randomUUID } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../db/sql.ts'
import { addTotp } from '../testing/accounts/addTotp.ts'
import {
  createOlderClient,
  newAccount,
  installation as olderInstallation,
  proof,
} from '../testing/accounts/createOlderClient.ts'
import { refused, ticketOf } from '../testing/accounts/secondFactorAnswers.ts'
import { answerChallenge, installation } from '../testing/answerChallenge.ts'
import { type Answer, type CallOptions, createTestServer, type TestServer } from '../testing/createTestServer.ts'
import { createWalletUser, type WalletUser } from '../testing/createWalletUser.ts'
import { inConsole } from '../testing/openConsole.ts'
import { readMailCode } from '../testing/readMails.ts'
import { type Issuer, startIssuer } from '../testing/startIssuer.ts'
import { withServer } from '../testing/withServer.ts'

// One function opens sessions and one confirms them. Each test is an attack that once found another door.

async function addToRole(server: TestServer, name: string, userId: string): Promise<void> {
  const users = { __op: 'AddRelation', objects: [{ __type: 'Pointer', className: '_User', objectId: userId }] }
  const { status, text } = await server.call('POST', '/roles', { name, ACL: {}, users }, { master: true })
  expect(status, text).toBe(201)
}

describe('SEC-44: a repeated sign-up opens no more than the first', () => {
  const headers = { 'X-Parse-Request-Id': 'one-request' }

  test('an unverified address', () =>
    withServer(
      { preventLoginWithUnverifiedEmail: true, signUp: { emailDomains: ['company.example'] } },
      async (server) => {
        const input = { username: 'eve', password: 'a password', email: 'ceo@company.example' }
        for (let at = 0; at < 3; at++) {
          const made = await server.call('POST', '/users', input, { headers })
          expect([made.status, made.body.sessionToken]).toEqual([201, undefined])
        }
        expect(await server.context.db.query(sql`select from "_Session"`)).toHaveLength(0)
      },
    ))

  test('the address that comes with the first sign-in of a guest', () =>
    withServer({ preventLoginWithUnverifiedEmail: true }, async (server) => {
      const authData = { anonymous: { id: 'a guest id of some length' } }
      const fields = { username: 'guest', password: 'a password', email: 'ceo@company.example' }
      const made = await server.call('POST', '/users', { authData, ...fields })
      expect(made.text).not.toContain('sessionToken')
      expect(await server.context.db.query(sql`select from "_Session"`)).toHaveLength(0)
    }))

  test('a factor that is demanded, and an additional provider', () =>
    withServer(
      {
        secondFactor: { required: 'everyone' },
        auth: { pin: { policy: 'additional', validateAuthData: async () => {} } },
      },
      async (server) => {
        const input = { username: 'eve', password: 'a password', authData: { pin: { pin: '1234' } } }
        for (let at = 0; at < 2; at++) {
          const made = await server.call('POST', '/users', input, { headers })
          expect(made.body.sessionToken, made.text).toBeUndefined()
        }
      },
    ))
})

describe('providers', () => {
  let server: TestServer
  beforeAll(async () => {
    const pin = {
      policy: 'additional' as const,
      validateSetUp: async (data: { pin?: string }) => ({ save: { pin: data.pin ?? '' } }),
      validateLogin: async ({ pin: given }: { pin?: string }) => {
        if (given !== '1234') throw new Error('wrong pin')
        return { doNotSave: true }
      },
      validateUpdate: async () => ({ doNotSave: true }),
    }
    server = await createTestServer({
      rateLimit: [],
      emailCode: { enabled: true },
      auth: {
        main: { validateAuthData: async () => {} },
        second: { validateAuthData: async () => {} },
        solo: { policy: 'solo', validateAuthData: async () => {} },
        pin: pin as never,
      },
    })
    server.clock.stop()
  })
  afterAll(() => server.stop())

  const enter = (authData: object, headers: { [name: string]: string } = {}) =>
    server.call('POST', '/users', { authData }, { headers })
  const identitiesOf = async (userId: unknown) =>
    (
      await server.context.db.query<{ provider: string }>(
        sql`select provider from countersign.identities where "user" = ${userId} order by provider`,
      )
    ).map(({ provider }) => provider)

  test('SEC-45: a solo identity that is not linked waives no additional provider', async () => {
    const main = { id: randomUUID() }
    const made = await enter({ main, pin: { pin: '1234' } })
    expect(made.status, made.text).toBe(201)
    const strange = { id: randomUUID() }
    const theft = await enter({ main, solo: strange })
    expect([theft.status, theft.body.error]).toEqual([400, 'Missing additional authData pin'])
    expect(await identitiesOf(made.body.objectId)).toEqual(['main', 'pin'])
    // With the pin it is linked, and counts from then on.
    expect((await enter({ main, solo: strange, pin: { pin: '1234' } })).body.objectId).toBe(made.body.objectId)
    expect((await enter({ main, solo: strange })).body.objectId).toBe(made.body.objectId)
  })

  test('SEC-48: a remembered browser links no further identity', async () => {
    const main = { id: randomUUID() }
    const made = await enter({ main })
    const code = await addTotp(server, String(made.body.sessionToken))
    const page = (cookie = '') => ({ 'X-Countersign-Session': 'cookie', ...(cookie && { Cookie: cookie }) })
    const ticket = ticketOf(await enter({ main }, page()))
    const input = { ticket, code: code(), rememberDevice: true }
    const done = await server.call('POST', '/auth/signInWithSecondFactor', input, { headers: page() })
    const device = done.headers
      .getSetCookie()
      .map((each) => each.split(';')[0] ?? '')
      .find((each) => each.startsWith('countersign-device='))
    const again = await enter({ main, second: { id: randomUUID() } }, page(device))
    expect(again.status, again.text).toBe(200)
    expect(await identitiesOf(made.body.objectId)).toEqual(['main'])
  })

  const readCode = (email: string) => readMailCode(server, email)

  test('SEC-47: a mailed code confirms no session of an account with an additional provider', async () => {
    const email = `${randomUUID()}@example.com`
    const asked = await server.call('POST', '/auth/emailCode', { email }, { headers: installation })
    const typed = { handle: asked.body.handle, code: await readCode(email) }
    const { body } = await server.call('POST', '/auth/signInWithEmailCode', typed, { headers: installation })
    const options = { token: String(body.sessionToken), headers: installation }
    const path = `/users/${body.objectId}`
    expect((await server.call('PUT', path, { authData: { pin: { pin: '1234' } } }, options)).status).toBe(200)
    server.clock.forward(16 * 60_000)
    const mailed = await server.call('POST', '/auth/emailCode', { purpose: 'reauthenticate' }, options)
    expect(mailed.status, mailed.text).toBe(200)
    const emailCode = { handle: mailed.body.handle, code: await readCode(email) }
    const confirm = (input: object) => server.call('POST', '/auth/reauthenticate', { emailCode, ...input }, options)
    const alone = await confirm({})
    expect([alone.status, alone.body.error]).toEqual([400, 'Missing additional authData pin'])
    expect((await server.call('PUT', path, { authData: { pin: null } }, options)).body.code).toBe(119)
    const both = await confirm({ authData: { pin: { pin: '1234' } } })
    expect(both.status, both.text).toBe(200)
  })

  test('a restored account asks for the additional provider before the second step', async () => {
    const main = { id: randomUUID() }
    const made = await enter({ main, pin: { pin: '1234' } })
    const token = String(made.body.sessionToken)
    const name = `restored-${randomUUID()}`
    const options = { token, headers: installation }
    const named = await server.call(
      'PUT',
      `/users/${made.body.objectId}`,
      { username: name, password: 'a password' },
      options,
    )
    expect(named.status, named.text).toBe(200)
    const own = { token: String(named.body.sessionToken), headers: installation }
    const code = await addTotp(server, own.token)
    expect((await server.call('DELETE', `/users/${made.body.objectId}`, undefined, own)).status).toBe(200)
    const input = { username: name, password: 'a password', restoreAccount: true }
    for (const answer of [
      await server.call('POST', '/login', input),
      await server.call('POST', '/users', { authData: { main }, restoreAccount: true }),
    ])
      expect([answer.status, answer.body.error]).toEqual([400, 'Missing additional authData pin'])
    const first = await server.call('POST', '/login', { ...input, authData: { pin: { pin: '1234' } } })
    expect(refused(first)).toEqual([401, 'secondFactorRequired'])
    const step = { ticket: ticketOf(first), code: code() }
    const back = await server.call('POST', '/auth/signInWithSecondFactor', step)
    expect(back.body.objectId, back.text).toBe(made.body.objectId)
  })
})

describe('SEC-46: a role that demands a second factor, given in the request that makes the account', () => {
  const secondFactor = { required: { roles: ['keepers'] } }

  async function invite(server: TestServer): Promise<{ [name: string]: string }> {
    const { body } = await server.call('POST', '/auth/invitations', { role: 'keepers' }, { master: true })
    return { 'X-Countersign-Invitation': String(body.token), ...installation }
  }

  test('by invitation', () =>
    withServer({ secondFactor, signUp: { mode: 'invitation' } }, async (server) => {
      await server.call('POST', '/roles', { name: 'keepers', ACL: {} }, { master: true })
      const input = { username: 'ada', password: 'a password' }
      const made = await server.call('POST', '/users', input, { headers: await invite(server) })
      expect([made.status, made.body.sessionToken], made.text).toEqual([201, undefined])
      expect(refused(await server.call('POST', '/login', input))).toEqual([403, 'secondFactorSetUpRequired'])
      const guest = { authData: { anonymous: { id: 'a guest id of some length' } } }
      const asGuest = await server.call('POST', '/users', guest, { headers: await invite(server) })
      expect(refused(asGuest)).toEqual([403, 'secondFactorSetUpRequired'])
      expect(await server.context.db.query(sql`select from "_Session"`)).toHaveLength(0)
    }))

  test('by a hook of the application', () =>
    withServer({ secondFactor }, async (server) => {
      await addToRole(server, 'keepers', (await server.signUp('first')).objectId)
      const { db, registry } = server.context
      registry.hooks.set('afterSignUp _User', [
        async ({ object }: { object: { objectId?: unknown } }) => {
          await db.query(sql`
            insert into "_Join:users:_Role" ("owningId", "relatedId")
            select "objectId", ${object.objectId} from "_Role"`)
          return undefined
        },
      ] as never)
      const made = await server.call('POST', '/users', { username: 'ada', password: 'a password' })
      expect([made.status, made.body.sessionToken], made.text).toEqual([201, undefined])
    }))
})

describe('SEC-49: a provider that was asked for a new sign-in says when it was', () => {
  let issuer: Issuer
  beforeAll(async () => {
    issuer = await startIssuer()
  })
  afterAll(() => issuer.stop())

  test('a token without `auth_time` confirms nothing', () =>
    withServer(
      {
        auth: {
          acme: { type: 'oidc', issuer: issuer.url, clientId: issuer.clientId, clientSecret: issuer.clientSecret },
        },
      },
      async (server) => {
        const go = async (purpose: string, claims: object, token?: string) => {
          const options = { headers: installation, ...(token && { token }) }
          const { body } = await server.call('POST', '/auth/providers/acme/challenge', { purpose }, options)
          issuer.next = { claims: { sub: 'ada', ...claims } }
          return issuer.approve(String(body.url))
        }
        const first = await server.call('POST', '/auth/signInWithProvider', await go('signIn', {}), {
          headers: installation,
        })
        expect(first.status, first.text).toBe(201)
        const token = String(first.body.sessionToken)
        const confirm = async (claims: object) =>
          server.call(
            'POST',
            '/auth/reauthenticate',
            { provider: await go('reauthenticate', claims, token) },
            { token, headers: installation },
          )
        const now = Math.floor(server.clock.ms() / 1000)
        for (const claims of [{}, { auth_time: now - 3_600 }])
          expect(refused(await confirm(claims))).toEqual([403, 'providerProofTooOld'])
        expect(refused(await confirm({ auth_time: String(now) }))).toEqual([403, 'providerRefused'])
        expect((await confirm({ auth_time: now })).status).toBe(200)
      },
    ))
})

describe('SEC-50: a text of the older form that a server sends', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await createTestServer({ rateLimit: [] })
  })
  afterAll(() => server.stop())
  const { signIn, getTime, textOf } = createOlderClient(() => server)

  test('opens a session that changes nothing that opens the account', async () => {
    const { token, objectId, key } = await signIn(undefined, olderInstallation('a server'))
    const options = { token, headers: installation }
    expect((await server.call('POST', '/classes/Note', { text: 'mine' }, options)).status).toBe(201)
    expect((await server.call('PUT', `/users/${objectId}`, { nick: 'Nick' }, options)).status).toBe(200)
    for (const [method, path, body] of [
      ['POST', '/auth/recoveryCodes', {}],
      ['POST', '/changePassword', { newPassword: 'a new password' }],
      ['PUT', `/users/${objectId}`, { password: 'a new password' }],
      ['POST', '/auth/totp', {}],
      ['POST', '/sessions', {}],
    ] as const)
      expect(refused(await server.call(method, path, body, options)), path).toEqual([403, 'reauthenticationRequired'])
    const proven = await answerChallenge(server, key, 'reauthenticate', { token })
    const confirmed = await server.call('POST', '/auth/reauthenticate', proven, options)
    expect(confirmed.status, confirmed.text).toBe(200)
    const own = { token: String(confirmed.body.sessionToken), headers: installation }
    expect((await server.call('POST', '/auth/recoveryCodes', {}, own)).status).toBeLessThan(300)
  })

  test('creates an account without its other sign-in methods', async () => {
    const options = olderInstallation('another server')
    const victim = newAccount()
    for (const fields of [{ password: 'of the relay' }, { email: 'relay@example.com' }]) {
      const body = { ...(await proof(victim, textOf(await getTime(options)))), ...fields }
      const answer = await server.call('POST', '/users', body, options)
      expect(refused(answer), answer.text).toEqual([403, 'reauthenticationRequired'])
    }
    const plain = { ...(await proof(victim, textOf(await getTime(options)))), nick: 'Nick' }
    const made = await server.call('POST', '/users', plain, options)
    expect([made.status, made.body.nick], made.text).toEqual([201, 'Nick'])
  })

  test('stays so with a second factor', async () => {
    const page = await signIn()
    const code = await addTotp(server, page.token)
    const options = olderInstallation('a third server')
    const first = await server.call('POST', '/users', await proof(page.key, textOf(await getTime(options))), options)
    expect(refused(first)).toEqual([401, 'secondFactorRequired'])
    const step = { ticket: ticketOf(first), code: code() }
    const done = await server.call('POST', '/auth/signInWithSecondFactor', step, options)
    expect(done.status, done.text).toBe(200)
    const off = await server.call('DELETE', '/auth/secondFactor', undefined, { token: String(done.body.sessionToken) })
    expect(refused(off)).toEqual([403, 'reauthenticationRequired'])
  })
})

test('SEC-50: a relayed text sets up no second factor where one is demanded', () =>
  withServer({ secondFactor: { required: 'everyone' } }, async (server) => {
    const { textOf, getTime, page } = createOlderClient(() => server)
    const key = newAccount()
    const enter = async (options: CallOptions) =>
      server.call('POST', '/users', await proof(key, textOf(await getTime(options))), options)
    const relayed = olderInstallation('a server')
    const first = await enter(relayed)
    expect(refused(first)).toEqual([403, 'secondFactorSetUpRequired'])
    const begun = await server.call('POST', '/auth/totp', { ticket: ticketOf(first) }, relayed)
    expect(refused(begun)).toEqual([403, 'reauthenticationRequired'])
    const own = await server.call('POST', '/auth/totp', { ticket: ticketOf(await enter(page())) }, page())
    expect(own.status, own.text).toBe(200)
    const code = new TOTP({ secret: Secret.fromBase32(String(own.body.secret)) }).generate()
    const step = { ticket: ticketOf(first), code }
    expect(refused(await server.call('POST', '/auth/signInWithSecondFactor', step, relayed))).toEqual([
      403,
      'reauthenticationRequired',
    ])
  }))

test('SEC-50: with `olderSignIn.confirms: false` an older text confirms nothing, for any page it names', () =>
  withServer({ olderSignIn: { confirms: false } }, async (server) => {
    const { token } = await createOlderClient(() => server).signIn()
    expect((await server.call('POST', '/classes/Note', { text: 'mine' }, { token })).status).toBe(201)
    const made = await server.call('POST', '/auth/recoveryCodes', {}, { token })
    expect(refused(made)).toEqual([403, 'reauthenticationRequired'])
  }))

test('SEC-31: a session that an operator opened is never confirmed', () =>
  withServer({}, async (server) => {
    const [root, ann] = [await server.signUp('root'), await server.signUp('ann')]
    await server.call('PUT', `/console/operators/${root.objectId}`, { role: 'admin' }, { master: true })
    const options = { token: root.token, headers: inConsole }
    const { body } = await server.call('POST', `/console/users/${ann.objectId}/impersonate`, {}, options)
    const token = String(body.sessionToken)
    const confirmed = await server.call('POST', '/auth/reauthenticate', { password: 'ann password' }, { token })
    expect(refused(confirmed)).toEqual([403, 'operatorForbidden'])
  }))

test('the password alone shows no account that has to set up a factor', () =>
  withServer({ secondFactor: { required: { roles: ['keepers'] } } }, async (server) => {
    const { objectId } = await server.signUp('ada')
    const ask = () => server.call('POST', '/verifyPassword', { username: 'ada', password: 'ada password' })
    expect((await ask()).status).toBe(200)
    await addToRole(server, 'keepers', objectId)
    expect(refused(await ask())).toEqual([401, 'secondFactorRequired'])
  }))

describe('SEC-68: a merge passes by no factor', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await createTestServer({
      rateLimit: [],
      secondFactor: { required: { roles: ['keepers'] } },
      auth: { pin: { policy: 'additional', validateAuthData: async () => {} } },
    })
    server.clock.stop()
  })
  afterAll(() => server.stop())

  const own = ({ token }: { token: string }, path: string, body: object = {}) =>
    server.call('POST', path, body, { token, headers: installation })
  const preview = (into: WalletUser, input: object) => own(into, '/auth/merges', input)
  const previewByWallet = async (into: WalletUser, from: WalletUser) =>
    preview(into, await answerChallenge(server, from.account, 'merge', { token: into.token }))

  async function signInWithCode(user: WalletUser, code: () => string): Promise<Answer> {
    const proven = await answerChallenge(server, user.account, 'signIn')
    const first = await server.call('POST', '/auth/signInWithWallet', proven, { headers: installation })
    const input = { ticket: ticketOf(first), code: code() }
    return server.call('POST', '/auth/signInWithSecondFactor', input, { headers: installation })
  }

  test('an account whose sign-in asks for a factor to be set up proves none', async () => {
    const [into, from] = [await createWalletUser(server), await createWalletUser(server)]
    await addToRole(server, 'keepers', from.objectId)
    expect(refused(await previewByWallet(into, from))).toEqual([403, 'otherAccountNeedsSecondFactor'])
    expect(refused(await preview(into, { sessionToken: from.token }))).toEqual([403, 'otherAccountNeedsSecondFactor'])
  })

  test('one with a factor goes only into one with a factor', async () => {
    const [into, from] = [await createWalletUser(server), await createWalletUser(server)]
    const code = await addTotp(server, from.token)
    const { body } = await signInWithCode(from, code)
    const sessionToken = String(body.sessionToken)
    expect(refused(await preview(into, { sessionToken }))).toEqual([403, 'mergeNeedsSecondFactor'])
    // A session that was open before has shown no factor: it ends with the merge.
    const older = await createWalletUser(server, into.account)
    const again = await server.call(
      'POST',
      '/auth/signInWithWallet',
      await answerChallenge(server, into.account, 'signIn', { headers: { 'X-Parse-Installation-Id': 'elsewhere' } }),
      { headers: { 'X-Parse-Installation-Id': 'elsewhere' } },
    )
    const elsewhere = String(again.body.sessionToken)
    await addTotp(server, older.token)
    const begun = await preview(older, { sessionToken })
    expect(begun.status, begun.text).toBe(201)
    const done = await own(older, `/auth/merges/${begun.body.objectId}`)
    expect(done.status, done.text).toBe(200)
    const read = (token: string) => server.call('GET', '/users/me', undefined, { token })
    expect((await read(elsewhere)).body.code).toBe(209)
    expect((await read(older.token)).body.objectId).toBe(into.objectId)
  })

  test('nor between preview and merge', async () => {
    const [into, from] = [await createWalletUser(server), await createWalletUser(server)]
    const begun = await previewByWallet(into, from)
    expect(begun.status, begun.text).toBe(201)
    await server.call(
      'PUT',
      `/users/${from.objectId}`,
      { authData: { pin: { pin: '1234' } } },
      { token: from.token, headers: installation },
    )
    expect(refused(await own(into, `/auth/merges/${begun.body.objectId}`))).toEqual([403, 'mergeNeedsSecondFactor'])
  })
})
