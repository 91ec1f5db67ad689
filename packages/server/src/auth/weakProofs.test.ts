import { randomUUID } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addTotp } from '../testing/accounts/addTotp.ts'
import {
  type ChallengeOptions,
  createAuthenticator,
  present,
  type RegistrationOptions,
} from '../testing/accounts/createAuthenticator.ts'
import { createOlderClient, installation as olderInstallation, proof } from '../testing/accounts/createOlderClient.ts'
import { refused, ticketOf } from '../testing/accounts/secondFactorAnswers.ts'
import { answerChallenge, installation } from '../testing/answerChallenge.ts'
import { createTestServer, type TestServer } from '../testing/createTestServer.ts'
import { createWalletUser, type WalletUser } from '../testing/createWalletUser.ts'
import { inConsole } from '../testing/openConsole.ts'
import { withServer } from '../testing/withServer.ts'

// Proofs that do not show who is there, and proofs that no longer hold by the time they are used.

/** Adds a passkey; returns a sign-in by it without user verification. */
async function addPasskey(server: TestServer, token: string) {
  const options = { token, headers: installation }
  const authenticator = createAuthenticator(`http://localhost:${new URL(server.url).port}`)
  const { body } = await server.call('POST', '/auth/passkeys/registration', {}, options)
  const credential = authenticator.register(body.options as RegistrationOptions)
  const made = await server.call('POST', '/auth/passkeys', { credential }, options)
  expect(made.status, made.text).toBe(201)
  return async (input: object = {}, flags: number | undefined = present) => {
    const asked = await server.call('POST', '/auth/passkeys/challenge', {}, { headers: installation })
    const bend = flags === undefined ? {} : { flags }
    const answer = authenticator.assert(asked.body.options as ChallengeOptions, bend)
    return server.call('POST', '/auth/signInWithPasskey', { credential: answer, ...input }, { headers: installation })
  }
}

/** A sign-in by a text that a stranger's server had signed. */
async function relay(server: TestServer, { account }: WalletUser, input: object = {}) {
  const { textOf, getTime } = createOlderClient(() => server)
  const from = olderInstallation('a server')
  return server.call('POST', '/users', { ...(await proof(account, textOf(await getTime(from)))), ...input }, from)
}

test('SEC-75: a passkey that was only touched sets up no second factor where one is demanded', () =>
  withServer({ secondFactor: { required: { roles: ['keepers'] } } }, async (server) => {
    const { objectId, token } = await server.signUp('ada')
    const touch = await addPasskey(server, token)
    const users = { __op: 'AddRelation', objects: [{ __type: 'Pointer', className: '_User', objectId }] }
    await server.call('POST', '/roles', { name: 'keepers', ACL: {}, users }, { master: true })
    const first = await touch()
    expect(refused(first)).toEqual([403, 'secondFactorSetUpRequired'])
    const begin = (ticket: string) => server.call('POST', '/auth/totp', { ticket }, { headers: installation })
    expect(refused(await begin(ticketOf(first)))).toEqual([401, 'passkeyNotVerifyingUser'])
    // Nor with the secret that the owner has begun to set up.
    const byPassword = await server.call('POST', '/login', { username: 'ada', password: 'ada password' })
    const begun = await begin(ticketOf(byPassword))
    expect(begun.status, begun.text).toBe(200)
    const code = new TOTP({ secret: Secret.fromBase32(String(begun.body.secret)) }).generate()
    const step = (ticket: string) =>
      server.call('POST', '/auth/signInWithSecondFactor', { ticket, code }, { headers: installation })
    expect(refused(await step(ticketOf(first)))).toEqual([401, 'passkeyNotVerifyingUser'])
    expect((await step(ticketOf(byPassword))).status).toBe(200)
  }))

describe('SEC-75: a session that was never confirmed has no rights of an operator', () => {
  test('opened by a relayed text', () =>
    withServer({}, async (server) => {
      const admin = await createWalletUser(server)
      await server.call('PUT', `/console/operators/${admin.objectId}`, { role: 'admin' }, { master: true })
      const own = { ACL: {}, text: 'a secret of somebody else' }
      await server.call('POST', '/classes/Note', own, { master: true })
      const token = String((await relay(server, admin)).body.sessionToken)
      const options = { token, headers: { ...inConsole, ...olderInstallation('a server').headers } }
      for (const answer of [
        await server.call('GET', '/console', undefined, options),
        await server.call('GET', '/console/users', undefined, options),
        await server.call('GET', '/classes/Note', undefined, options),
        await server.call('POST', '/classes/Note', { text: 'planted' }, options),
        await server.call('POST', '/batch', { requests: [{ method: 'GET', path: '/server/classes/Note' }] }, options),
      ])
        expect(refused(answer), answer.text).toEqual([403, 'reauthenticationRequired'])
      // As any other user it reads and writes.
      expect((await server.call('GET', '/classes/Note', undefined, { token })).body.results).toEqual([])
      const challenge = { token, headers: installation }
      const signed = await answerChallenge(server, admin.account, 'reauthenticate', challenge)
      const confirmed = await server.call('POST', '/auth/reauthenticate', signed, challenge)
      expect(confirmed.status, confirmed.text).toBe(200)
      const again = { token: String(confirmed.body.sessionToken), headers: inConsole }
      expect((await server.call('GET', '/console', undefined, again)).status).toBe(200)
    }))
})

describe('SEC-75: a weak proof restores no deleted account', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await createTestServer({ rateLimit: [] })
    server.clock.stop()
  })
  afterAll(() => server.stop())
  const restoreAccount = true
  const leave = async ({ objectId, token }: { objectId: string; token: string }) => {
    const left = await server.call('DELETE', `/users/${objectId}`, undefined, { token, headers: installation })
    expect(left.status, left.text).toBe(200)
  }

  test('a relayed text', async () => {
    const user = await createWalletUser(server)
    await leave(user)
    expect(refused(await relay(server, user, { restoreAccount }))).toEqual([403, 'reauthenticationRequired'])
    expect((await relay(server, user)).body.reason).toBe('accountDeletionPending')
    const signed = await answerChallenge(server, user.account, 'signIn')
    const back = await server.call(
      'POST',
      '/auth/signInWithWallet',
      { ...signed, restoreAccount },
      { headers: installation },
    )
    expect(back.body.objectId, back.text).toBe(user.objectId)
  })

  test('nor with a code that is relayed as well', async () => {
    const user = await createWalletUser(server)
    const code = await addTotp(server, user.token)
    await leave(user)
    const first = await relay(server, user, { restoreAccount })
    expect(refused(first)).toEqual([403, 'reauthenticationRequired'])
    const mfa = { token: code() }
    const { textOf, getTime } = createOlderClient(() => server)
    const from = olderInstallation('a server')
    const { authData } = await proof(user.account, textOf(await getTime(from)))
    const both = await server.call('POST', '/users', { authData: { ...authData, mfa }, restoreAccount }, from)
    expect(both.text).not.toContain('sessionToken')
    expect((await relay(server, user)).body.reason).toBe('accountDeletionPending')
  })

  test('a relayed text takes back neither a merge nor the removal of the wallet', async () => {
    const [from, into] = [await createWalletUser(server), await server.signUp(`into-${randomUUID()}`)]
    const own = (method: string, path: string, body?: object) =>
      server.call(method, path, body, { token: into.token, headers: installation })
    const begun = await own('POST', '/auth/merges', { sessionToken: from.token })
    const merged = await own('POST', `/auth/merges/${begun.body.objectId}`, {})
    expect(merged.status, merged.text).toBe(200)
    expect(refused(await relay(server, from, { restoreAccount }))).toEqual([403, 'reauthenticationRequired'])
    expect((await relay(server, from)).body.objectId).toBe(into.objectId)

    const user = await createWalletUser(server)
    const options = { token: user.token, headers: installation }
    // A thief's password is all that is left.
    const set = await server.call('POST', '/changePassword', { newPassword: 'of a thief' }, options)
    const thief = { token: String(set.body.sessionToken), headers: installation }
    const { body } = await server.call('GET', '/auth/wallets', undefined, thief)
    const [wallet] = body.results as { objectId: string }[]
    const gone = await server.call('DELETE', `/auth/wallets/${wallet?.objectId}`, undefined, thief)
    expect(gone.status, gone.text).toBe(200)
    expect(refused(await relay(server, user, { restoreAccount }))).toEqual([403, 'reauthenticationRequired'])
    expect((await server.call('GET', '/users/me', undefined, thief)).status).toBe(200)
  })

  test('a passkey that was only touched, unless a code follows', async () => {
    const user = await server.signUp(`left-${randomUUID()}`)
    const touch = await addPasskey(server, user.token)
    await leave(user)
    expect(refused(await touch({ restoreAccount }))).toEqual([403, 'reauthenticationRequired'])
    const back = await touch({ restoreAccount }, 0x05)
    expect(back.body.objectId, back.text).toBe(user.objectId)
    const own = { objectId: user.objectId, token: String(back.body.sessionToken) }
    const code = await addTotp(server, own.token)
    await leave(own)
    const input = { ticket: ticketOf(await touch({ restoreAccount })), code: code() }
    const two = await server.call('POST', '/auth/signInWithSecondFactor', input, { headers: installation })
    expect(two.body.objectId, two.text).toBe(user.objectId)
  })
})

describe('SEC-75: a change during an adapter’s check counts', () => {
  let server: TestServer
  /** Adapters wait here if the data says so. */
  let gate = { open: () => {}, opened: Promise.resolve(), reached: () => {}, waiting: Promise.resolve() }
  const shut = () => {
    let open = () => {}
    let reached = () => {}
    const opened = new Promise<void>((resolve) => {
      open = resolve
    })
    const waiting = new Promise<void>((resolve) => {
      reached = resolve
    })
    gate = { open, opened, reached, waiting }
  }
  type Data = { pin?: string; slow?: boolean }
  const wait = async ({ slow }: Data) => {
    if (!slow) return
    gate.reached()
    await gate.opened
  }
  beforeAll(async () => {
    const pin = {
      policy: 'additional' as const,
      validateSetUp: async (data: Data) => {
        await wait(data)
        return { save: { pin: data.pin ?? '' } }
      },
      validateLogin: async (data: Data, _: object, request: { original?: { get(name: string): unknown } }) => {
        const kept = request.original?.get('authData') as { pin?: Data } | undefined
        if (data.pin !== kept?.pin?.pin) throw new Error('wrong pin')
        await wait(data)
        return { doNotSave: true }
      },
      validateUpdate: async () => ({ doNotSave: true }),
    }
    server = await createTestServer({
      rateLimit: [],
      revokeSessionOnPasswordReset: false,
      auth: { main: { validateAuthData: wait }, other: { validateAuthData: async () => {} }, pin } as never,
    })
  })
  afterAll(() => server.stop())
  const enter = (authData: object) => server.call('POST', '/users', { authData })
  const main = () => ({ id: randomUUID() })

  test('a sign-up that another one was quicker than passes by no additional provider', async () => {
    const identity = main()
    shut()
    const theft = enter({ main: identity, pin: { pin: 'of a thief', slow: true } })
    await gate.waiting
    const made = await enter({ main: identity, pin: { pin: '1234' } })
    expect(made.status, made.text).toBe(201)
    gate.open()
    const { status, body, text } = await theft
    expect([status, body.error], text).toEqual([400, 'Missing additional authData pin'])
    expect((await enter({ main: identity, pin: { pin: '1234' } })).body.objectId).toBe(made.body.objectId)
    expect((await enter({ main: identity, pin: { pin: 'of a thief' } })).body.sessionToken).toBeUndefined()
  })

  test('nor does a sign-in that began before it was set up', async () => {
    const identity = main()
    const made = await enter({ main: identity })
    shut()
    const theft = enter({ main: identity, pin: { pin: 'of a thief', slow: true } })
    await gate.waiting
    const path = `/users/${made.body.objectId}`
    const options = { token: String(made.body.sessionToken) }
    const set = await server.call('PUT', path, { authData: { pin: { pin: '1234' } } }, options)
    expect(set.status, set.text).toBe(200)
    gate.open()
    const { status, body, text } = await theft
    expect([status, body.error], text).toEqual([400, 'Missing additional authData pin'])
    expect((await enter({ main: identity, pin: { pin: '1234' } })).body.objectId).toBe(made.body.objectId)
  })

  const confirm = (token: string, input: object) =>
    server.call('POST', '/auth/reauthenticate', input, { token, headers: installation })
  const makeCodes = (token: string) => server.call('POST', '/auth/recoveryCodes', {}, { token, headers: installation })

  test('an identity unlinked in between confirms no session', async () => {
    const [identity, other] = [main(), main()]
    const stolen = String((await enter({ main: identity, other })).body.sessionToken)
    server.clock.forward(16 * 60_000)
    const owner = String((await enter({ other })).body.sessionToken)
    shut()
    const theft = confirm(stolen, { authData: { main: { ...identity, slow: true } } })
    await gate.waiting
    const gone = await server.call('DELETE', '/auth/identities/main', undefined, { token: owner })
    expect(gone.status, gone.text).toBe(200)
    gate.open()
    expect(refused(await theft)).toEqual([404, 'invalidCredentials'])
    expect(refused(await makeCodes(stolen))).toEqual([403, 'reauthenticationRequired'])
  })

  test('nor does a password changed in between, if sessions survive that', async () => {
    const username = `held-${randomUUID()}`
    const password = `${username} password`
    const authData = { pin: { pin: '1234' } }
    const made = await server.call('POST', '/users', { username, password, authData })
    const stolen = String(made.body.sessionToken)
    server.clock.forward(16 * 60_000)
    const { body } = await server.call('POST', '/login', { username, password, authData })
    shut()
    const theft = confirm(stolen, { password, authData: { pin: { pin: '1234', slow: true } } })
    await gate.waiting
    const input = { currentPassword: password, newPassword: 'another password' }
    const changed = await server.call('POST', '/changePassword', input, { token: String(body.sessionToken) })
    expect(changed.status, changed.text).toBe(200)
    gate.open()
    expect(refused(await theft)).toEqual([404, 'invalidCredentials'])
    expect(refused(await makeCodes(stolen))).toEqual([403, 'reauthenticationRequired'])
  })
})

test('SEC-75: a session opened by an operator sets no password, even with the operator’s knowledge', () =>
  withServer({}, async (server) => {
    const [root, ann] = [await server.signUp('root'), await server.signUp('ann')]
    await server.call('PUT', `/console/operators/${root.objectId}`, { role: 'admin' }, { master: true })
    const options = { token: root.token, headers: inConsole }
    const { body } = await server.call('POST', `/console/users/${ann.objectId}/impersonate`, {}, options)
    const input = { currentPassword: 'ann password', newPassword: 'another password' }
    const change = (token: string) => server.call('POST', '/changePassword', input, { token })
    expect(refused(await change(String(body.sessionToken)))).toEqual([403, 'operatorForbidden'])
    expect((await change(ann.token)).status).toBe(200)
  }))

test('SEC-75: a wrong code stays counted when the address is taken out in the same request', () =>
  withServer({ emailCode: { enabled: true } }, async (server) => {
    server.clock.stop()
    const { objectId, token } = await server.signUp('ada', { email: 'ada@example.com' })
    await addTotp(server, token)
    const { base32: secret } = new Secret({ size: 20 })
    const own = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: server.clock.ms() })
    const authData = { mfa: { secret, token: own, old: '000000' } }
    const guess = () => server.call('PUT', `/users/${objectId}`, { email: null, authData }, { token })
    for (let at = 0; at < 20; at++) expect((await guess()).body.reason).toBe('invalidSecondFactorCode')
    expect((await guess()).body.reason).toBe('tooManyFailedSignIns')
  }))

test('SEC-75: the proof shown to a session’s owner cannot be written', () =>
  withServer({}, async (server) => {
    const { token } = await server.signUp('ada')
    const { body } = await server.call('GET', '/sessions/me', undefined, { token })
    for (const forged of [
      { proof: { message: 'I agree', signature: '0x00' } },
      { 'proof.message': 'x' },
      { current: true },
    ]) {
      const written = await server.call('PUT', `/sessions/${body.objectId}`, forged, { token })
      expect([written.status, written.body.code]).toEqual([400, 105])
    }
  }))

test('SEC-75: a provider that is switched off confirms no session', () =>
  withServer({ auth: { main: { validateAuthData: async () => {} } } }, async (server) => {
    const authData = { main: { id: randomUUID() } }
    const made = await server.call('POST', '/users', { authData })
    const token = String(made.body.sessionToken)
    const off = await createTestServer(
      { rateLimit: [], signIn: { methods: ['password'] }, auth: { main: { validateAuthData: async () => {} } } },
      server.database,
    )
    try {
      const confirmed = await off.call('POST', '/auth/reauthenticate', { authData }, { token, headers: installation })
      expect(confirmed.body.reason, confirmed.text).toBe('signInMethodOff')
    } finally {
      await off.stop()
    }
  }))
