import { randomUUID } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { sql } from '../../db/sql.ts'
import {
  type Authenticator,
  type Bend,
  type ChallengeOptions,
  createAuthenticator,
  present,
  type RegistrationOptions,
} from '../../testing/accounts/createAuthenticator.ts'
import { answerChallenge } from '../../testing/answerChallenge.ts'
import type { Answer } from '../../testing/createTestServer.ts'
import { serveTests } from '../../testing/serveTests.ts'

const server = serveTests({
  rateLimit: [],
  accountLockout: { threshold: 3, duration: 5 },
  auth: {
    social: { validateAuthData: async () => {} },
    pin: { validateAuthData: async () => {}, policy: 'additional' },
  },
  secondFactor: { required: { roles: ['guarded'] } },
})

const day = 24 * 3_600_000
const newKey = () => privateKeyToAccount(generatePrivateKey())
type Mail = { to: string; text: string; link: string | null }

const call = (method: string, path: string, body?: object, token?: string, from: string = randomUUID()) =>
  server.call(method, path, body, { headers: { 'X-Parse-Installation-Id': from }, ...(token && { token }) })

async function mailsTo(address: string): Promise<Mail[]> {
  await server.context.background.settle()
  const { body } = await server.call('GET', '/outbox', undefined, { master: true })
  return (body.results as Mail[]).filter(({ to }) => to === address)
}

async function tokenFor(address: string, page = '/recover-account'): Promise<string> {
  const mail = (await mailsTo(address)).find(({ link }) => link?.includes(page))
  return new URL(mail?.link ?? 'http://none').searchParams.get('token') ?? ''
}

const logIn = (username: string, password: string, more: object = {}) =>
  call('POST', '/login', { username, password, ...more })

async function linkWallet(token: string, wallet = newKey()) {
  const from = randomUUID()
  const proof = await answerChallenge(server, wallet, 'link', { token, headers: { 'X-Parse-Installation-Id': from } })
  const linked = await call('POST', '/auth/wallets', proof, token, from)
  expect(linked.status, linked.text).toBe(201)
  return { wallet, objectId: String(linked.body.objectId) }
}

async function addPasskey(token: string) {
  const from = randomUUID()
  const passkey = createAuthenticator(server.context.publicUrl)
  const { body } = await call('POST', '/auth/passkeys/registration', {}, token, from)
  const credential = passkey.register(body.options as RegistrationOptions)
  const made = await call('POST', '/auth/passkeys', { credential }, token, from)
  expect(made.status, made.text).toBe(201)
  return { passkey, objectId: String(made.body.objectId) }
}

/** An authenticator app; returns its present code. */
async function addTotp(token: string): Promise<() => string> {
  const { body } = await call('POST', '/auth/totp', {}, token)
  const codeNow = () =>
    new TOTP({ secret: Secret.fromBase32(String(body.secret)) }).generate({ timestamp: server.clock.ms() })
  const on = await call('POST', '/auth/totp/confirm', { code: codeNow() }, token)
  expect(on.status, on.text).toBe(200)
  server.clock.forward(60_000)
  return codeNow
}

type Owner = Awaited<ReturnType<typeof createOwner>>

/** Somebody whose account has a password, a wallet and a passkey for a month. `token` is a session that was stolen. */
async function createOwner({ hasTotp = false } = {}) {
  const username = `owner-${randomUUID()}`
  const [email, password] = [`${username}@example.com`, `${username} password`]
  const { objectId, token: first } = await server.signUp(username, { email })
  await server.call('POST', '/verifyEmail', { token: await tokenFor(email, '/verify-email') }, { token: first })
  const { wallet, objectId: walletId } = await linkWallet(first)
  const { passkey, objectId: passkeyId } = await addPasskey(first)
  const code = hasTotp ? await addTotp(first) : undefined
  server.clock.forward(30 * day)
  const stolen = await logIn(username, password, code && { authData: { mfa: { token: code() } } })
  expect(stolen.status, stolen.text).toBe(200)
  const token = String(stolen.body.sessionToken)
  server.clock.forward(60_000)
  return { objectId, username, email, password, wallet, walletId, passkey, passkeyId, token, code }
}

const newPassword = 'chosen by the owner'

const recover = async ({ email }: Owner, proof: object, from?: string) =>
  call('POST', '/recoverAccount', { token: await tokenFor(email), ...proof }, undefined, from)

const byPassword = (owner: Owner, password = owner.password) => recover(owner, { password, newPassword })

async function byWallet(owner: Owner, wallet: PrivateKeyAccount = owner.wallet) {
  const from = randomUUID()
  const headers = { 'X-Parse-Installation-Id': from }
  return recover(owner, await answerChallenge(server, wallet, 'signIn', { token: '', headers }), from)
}

async function byPasskey(owner: Owner, passkey: Authenticator = owner.passkey, bend: Bend = {}) {
  const from = randomUUID()
  const { body } = await call('POST', '/auth/passkeys/challenge', { purpose: 'signIn' }, undefined, from)
  return recover(owner, { credential: passkey.assert(body.options as ChallengeOptions, bend) }, from)
}

const opens = ({ status, body }: Answer, { objectId }: Owner) => status === 200 && body.objectId === objectId

async function expectRecovered(owner: Owner, password = newPassword): Promise<void> {
  expect((await call('GET', '/users/me', undefined, owner.token)).status).toBe(400)
  expect(opens(await logIn(owner.username, password), owner)).toBe(true)
}

const expectRefused = ({ status, body }: Answer, wanted: number, reason: string) =>
  expect([status, body.reason]).toEqual([wanted, reason])

describe('SEC-76: a factor that a stolen session added', () => {
  test('goes by the mailed link and the password that the account had', async () => {
    const owner = await createOwner()
    await addTotp(owner.token)
    const [mail] = await mailsTo(owner.email)
    expect(mail?.text).toContain('together with a password, wallet or passkey that your account had before')
    expectRefused(await recover(owner, {}), 400, 'proofMissing')
    expectRefused(await byPassword(owner, 'guessed'), 401, 'wrongPassword')
    expectRefused(await recover(owner, { password: owner.password }), 400, 'passwordMissing')
    expectRefused(await logIn(owner.username, owner.password), 401, 'secondFactorRequired')
    const done = await byPassword(owner)
    expect(done.status, done.text).toBe(200)
    await expectRecovered(owner)
    expect((await logIn(owner.username, owner.password)).status).toBe(404)
    expectRefused(await byPassword(owner), 400, 'linkExpired')
    const [last] = await mailsTo(owner.email)
    expect(last?.text).toContain('Your account was recovered')
  })

  test('goes by the wallet or the passkey that the account had', async () => {
    for (const prove of [byWallet, byPasskey]) {
      const owner = await createOwner()
      await addTotp(owner.token)
      const done = await prove(owner)
      expect(done.status, done.text).toBe(200)
      expect((await call('GET', '/users/me', undefined, owner.token)).status).toBe(400)
      const from = randomUUID()
      const headers = { 'X-Parse-Installation-Id': from }
      const proof = await answerChallenge(server, owner.wallet, 'signIn', { token: '', headers })
      expect(opens(await call('POST', '/auth/signInWithWallet', proof, undefined, from), owner)).toBe(true)
      expect((await logIn(owner.username, owner.password)).status).toBe(404)
    }
  })

  test('a wrong password is counted', async () => {
    const owner = await createOwner()
    await addTotp(owner.token)
    for (let count = 0; count < 3; count++) await byPassword(owner, 'guessed')
    expectRefused(await byPassword(owner), 404, 'tooManyFailedSignIns')
  })

  test('stays where the proof is one that was added with it', async () => {
    const owner = await createOwner()
    const { wallet } = await linkWallet(owner.token)
    const { passkey } = await addPasskey(owner.token)
    await addTotp(owner.token)
    expectRefused(await byWallet(owner, wallet), 403, 'olderProofRequired')
    expectRefused(await byPasskey(owner, passkey), 403, 'olderProofRequired')
    expectRefused(await byWallet(owner, newKey()), 403, 'olderProofRequired')
    expectRefused(await byPasskey(owner, owner.passkey, { flags: present }), 401, 'passkeyNotVerifyingUser')
    expectRefused(await logIn(owner.username, owner.password), 401, 'secondFactorRequired')
  })

  test('is asked for by no older proof of another account', async () => {
    const other = await createOwner()
    const owner = await createOwner()
    await addTotp(owner.token)
    expectRefused(await byWallet(owner, other.wallet), 403, 'olderProofRequired')
    expectRefused(await byPasskey(owner, other.passkey), 403, 'olderProofRequired')
  })

  test.each([
    { order: 'before', isFirst: true },
    { order: 'after', isFirst: false },
  ])('goes by the former password where the thief set another one $order', async ({ isFirst }) => {
    const owner = await createOwner()
    let { token } = owner
    const setPassword = async () => {
      const set = await call('PUT', `/users/${owner.objectId}`, { password: 'of the thief' }, token)
      expect(set.status, set.text).toBe(200)
      token = String(set.body.sessionToken)
      server.clock.forward(1_000)
    }
    if (isFirst) await setPassword()
    await addTotp(token)
    if (!isFirst) await setPassword()
    expectRefused(await byPassword(owner, 'of the thief'), 401, 'wrongPassword')
    expect((await byPassword(owner)).status).toBe(200)
    await expectRecovered(owner)
  })

  test('goes by the former password after its owner reset it', async () => {
    const owner = await createOwner()
    await addTotp(owner.token)
    await call('POST', '/requestPasswordReset', { email: owner.email })
    const token = await tokenFor(owner.email, '/reset')
    expect((await call('POST', '/resetPassword', { token, password: 'by mail' })).status).toBe(200)
    expectRefused(await byPassword(owner, 'by mail'), 401, 'wrongPassword')
    expect((await byPassword(owner)).status).toBe(200)
    await expectRecovered(owner)
  })

  test.each([
    { order: 'before', isFirst: true },
    { order: 'after', isFirst: false },
  ])('stays for a password that its holder gave up $order', async ({ isFirst }) => {
    const owner = await createOwner()
    let { token } = owner
    const change = async () => {
      const input = { currentPassword: owner.password, newPassword: 'not leaked' }
      token = String((await call('POST', '/changePassword', input, token)).body.sessionToken)
      server.clock.forward(1_000)
    }
    if (isFirst) await change()
    await addTotp(token)
    if (!isFirst) await change()
    expectRefused(await byPassword(owner), 401, 'wrongPassword')
    expectRefused(await byPassword(owner, 'not leaked'), 401, 'wrongPassword')
    expectRefused(await logIn(owner.username, 'not leaked'), 401, 'secondFactorRequired')
    expect((await byWallet(owner)).status).toBe(200)
  })

  test('gives way to the one that it replaced', async () => {
    for (const prove of [byPassword, byWallet]) {
      const owner = await createOwner({ hasTotp: true })
      expect((await call('DELETE', '/auth/secondFactor', undefined, owner.token)).status).toBe(200)
      await addTotp(owner.token)
      await call('DELETE', '/auth/secondFactor', undefined, owner.token)
      await addTotp(owner.token)
      expect((await prove(owner)).status).toBe(200)
      const from = randomUUID()
      const headers = { 'X-Parse-Installation-Id': from }
      const proof = await answerChallenge(server, owner.wallet, 'signIn', { token: '', headers })
      const first = await call('POST', '/auth/signInWithWallet', proof, undefined, from)
      expectRefused(first, 401, 'secondFactorRequired')
      const { ticket } = first.body.params as { ticket: string }
      const done = await call('POST', '/auth/signInWithSecondFactor', { ticket, code: owner.code?.() }, undefined, from)
      expect(opens(done, owner)).toBe(true)
    }
  })

  test('an older one stays', async () => {
    const owner = await createOwner({ hasTotp: true })
    await linkWallet(owner.token)
    expect((await byPassword(owner)).status).toBe(200)
    expectRefused(await logIn(owner.username, newPassword), 401, 'secondFactorRequired')
  })

  test('goes after the thief changed the address, and the address returns', async () => {
    const owner = await createOwner()
    await addTotp(owner.token)
    const address = `${randomUUID()}@example.com`
    await call('PUT', `/users/${owner.objectId}`, { email: address }, owner.token)
    await server.call('POST', '/verifyEmail', { token: await tokenFor(address, '/verify-email') })
    expect((await byPassword(owner)).status).toBe(200)
    await expectRecovered(owner)
    const [row] = await server.context.db.query(
      sql`select email, "emailVerified" as verified from "_User" where "objectId" = ${owner.objectId}`,
    )
    expect(row).toEqual({ email: owner.email, verified: true })
  })

  test('goes by a wallet or passkey that the thief removed before, which returns', async () => {
    for (const [path, prove] of [
      ['wallets', byWallet],
      ['passkeys', byPasskey],
    ] as const) {
      const owner = await createOwner()
      const id = path === 'wallets' ? owner.walletId : owner.passkeyId
      expect((await call('DELETE', `/auth/${path}/${id}`, undefined, owner.token)).status).toBe(200)
      await addTotp(owner.token)
      expect((await prove(owner)).status).toBe(200)
      const { body } = await call('GET', '/users/me', undefined, owner.token)
      expect(body.reason).toBe('invalidSessionToken')
      const [left] = await server.context.db.query<{ wallets: number; passkeys: number }>(sql`
        select (select count(*)::int from countersign.wallets where "user" = ${owner.objectId}) as wallets,
          (select count(*)::int from countersign.passkeys where "user" = ${owner.objectId}) as passkeys`)
      expect(left).toEqual({ wallets: 1, passkeys: 1 })
    }
  })

  test('stays for a wallet that its owner removed in an earlier session', async () => {
    const owner = await createOwner()
    await call('DELETE', `/auth/wallets/${owner.walletId}`, undefined, owner.token)
    server.clock.forward(day)
    const { body } = await logIn(owner.username, owner.password)
    await addTotp(String(body.sessionToken))
    expectRefused(await byWallet(owner), 403, 'olderProofRequired')
  })

  test('goes from an account that the thief deleted', async () => {
    const owner = await createOwner()
    await addTotp(owner.token)
    await call('DELETE', `/users/${owner.objectId}`, undefined, owner.token)
    expect((await byPassword(owner)).status).toBe(200)
    expect(opens(await logIn(owner.username, newPassword, { restoreAccount: true }), owner)).toBe(true)
  })

  test('stays once the link has expired', async () => {
    const owner = await createOwner()
    await addTotp(owner.token)
    server.clock.forward(7 * day)
    expectRefused(await byPassword(owner), 400, 'linkExpired')
  })

  test('goes by the last of many links', async () => {
    const owner = await createOwner()
    await addTotp(owner.token)
    const first = await tokenFor(owner.email)
    for (let count = 0; count < 20; count++) {
      server.clock.forward(1_000)
      expect((await call('POST', '/auth/recoveryCodes', {}, owner.token)).status).toBe(201)
    }
    expectRefused(await call('POST', '/recoverAccount', { token: first }), 400, 'linkExpired')
    expect((await byPassword(owner)).status).toBe(200)
    await expectRecovered(owner)
  })
})

describe('SEC-77: other additions of a stolen session or password', () => {
  test('a passkey that is asked for', async () => {
    const owner = await createOwner()
    await addPasskey(owner.token)
    expect((await call('PUT', '/auth/secondFactor', { passkey: true }, owner.token)).status).toBe(200)
    expectRefused(await logIn(owner.username, owner.password), 401, 'secondFactorRequired')
    expect((await byPassword(owner)).status).toBe(200)
    await expectRecovered(owner)
  })

  test('an additional provider', async () => {
    const owner = await createOwner()
    await call('PUT', `/users/${owner.objectId}`, { authData: { pin: { id: 'thief' } } }, owner.token)
    expect((await logIn(owner.username, owner.password)).body.error).toBe('Missing additional authData pin')
    expect((await byPassword(owner)).status).toBe(200)
    await expectRecovered(owner)
  })

  test('recovery codes, an identity, a guest id and a wallet', async () => {
    const owner = await createOwner()
    const { body } = await call('POST', '/auth/recoveryCodes', {}, owner.token)
    const codes = body.codes as string[]
    const [id, guest] = [randomUUID(), randomUUID()]
    await call('PUT', `/users/${owner.objectId}`, { authData: { social: { id } } }, owner.token)
    await call('PUT', `/users/${owner.objectId}`, { authData: { anonymous: { id: guest } } }, owner.token)
    await linkWallet(owner.token)
    const links = (await mailsTo(owner.email)).filter(({ link }) => link?.includes('/recover-account'))
    expect(links.length).toBeGreaterThanOrEqual(4)
    expect((await byPassword(owner)).status).toBe(200)
    const code = await call('POST', '/auth/signInWithRecoveryCode', { username: owner.username, code: codes[0] })
    expectRefused(code, 401, 'invalidRecoveryCode')
    expect(opens(await call('POST', '/users', { authData: { social: { id } } }), owner)).toBe(false)
    expect(opens(await call('POST', '/users', { authData: { anonymous: { id: guest } } }), owner)).toBe(false)
    await expectRecovered(owner)
  })

  test('a demanded factor that somebody set up who knew the password', async () => {
    const owner = await createOwner()
    const users = {
      __op: 'AddRelation',
      objects: [{ __type: 'Pointer', className: '_User', objectId: owner.objectId }],
    }
    const role = await server.call('POST', '/roles', { name: 'guarded', ACL: {}, users }, { master: true })
    expect(role.status, role.text).toBe(201)
    const from = randomUUID()
    const asked = await call('POST', '/login', { username: owner.username, password: owner.password }, undefined, from)
    const { ticket } = asked.body.params as { ticket: string }
    const { body } = await call('POST', '/auth/totp', { ticket }, undefined, from)
    const code = new TOTP({ secret: Secret.fromBase32(String(body.secret)) }).generate({ timestamp: server.clock.ms() })
    const thief = await call('POST', '/auth/signInWithSecondFactor', { ticket, code }, undefined, from)
    expect(opens(thief, owner)).toBe(true)
    expect((await byPassword(owner)).status).toBe(200)
    expectRefused(await logIn(owner.username, owner.password), 404, 'invalidCredentials')
    expectRefused(await logIn(owner.username, newPassword), 403, 'secondFactorSetUpRequired')
  })
})
