import { randomUUID } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { sql } from '../../db/sql.ts'
import { answerChallenge, installation } from '../../testing/answerChallenge.ts'
import { type Answer, createTestServer } from '../../testing/createTestServer.ts'
import { createWalletUser } from '../../testing/createWalletUser.ts'
import { inConsole } from '../../testing/openConsole.ts'
import { listMails, readMailToken } from '../../testing/readMails.ts'
import { serveTests } from '../../testing/serveTests.ts'

const server = serveTests({
  rateLimit: [],
  emailCode: { enabled: true },
  auth: { pin: { validateAuthData: async () => {}, policy: 'additional' } },
})

const day = 24 * 3_600_000
const newAddress = () => `${randomUUID()}@example.com`
type Account = { objectId: string; token: string; username: string; email: string }

const mailsTo = (address: string) => listMails(server, address)

const tokenFor = (address: string, page: string) => readMailToken(server, address, page)

async function createAccount({ master = false } = {}): Promise<Account> {
  const [username, email] = [`user-${randomUUID()}`, newAddress()]
  const made = await server.call('POST', '/users', { username, password: `${username} password`, email }, { master })
  return { objectId: String(made.body.objectId), token: String(made.body.sessionToken), username, email }
}

const verify = async (email: string, token?: string) =>
  server.call('POST', '/verifyEmail', { token: await tokenFor(email, '/verify-email') }, { token })

/** An authenticator app; returns its present code. */
async function addTotp(token: string): Promise<() => string> {
  const { body } = await server.call('POST', '/auth/totp', {}, { token })
  const codeNow = () =>
    new TOTP({ secret: Secret.fromBase32(String(body.secret)) }).generate({ timestamp: server.clock.ms() })
  const on = await server.call('POST', '/auth/totp/confirm', { code: codeNow() }, { token })
  expect(on.status, on.text).toBe(200)
  server.clock.forward(60_000)
  return codeNow
}

async function askReset(email: string): Promise<string> {
  await server.call('POST', '/requestPasswordReset', { email })
  return tokenFor(email, '/reset')
}

const reset = (token: string, more: object = {}) =>
  server.call('POST', '/resetPassword', { token, password: 'by mail', ...more })

const logIn = (username: string, password: string) => server.call('POST', '/login', { username, password })

const hasTotp = async (objectId: string) =>
  (
    await server.context.db.query(
      sql`select from countersign.second_factors where "user" = ${objectId} and confirmed is not null`,
    )
  ).length > 0

async function signInByCode(
  email: string,
  headers = { 'X-Parse-Installation-Id': randomUUID() },
): Promise<(wishes?: object) => Promise<Answer>> {
  const asked = await server.call('POST', '/auth/emailCode', { email }, { headers })
  const [mail] = (await mailsTo(email)).filter(({ text }) => /\n\n\d{6}\n\n/.test(text))
  const code = /\n\n(\d{6})\n\n/.exec(mail?.text ?? '')?.[1]
  return (wishes = {}) =>
    server.call('POST', '/auth/signInWithEmailCode', { handle: asked.body.handle, code, ...wishes }, { headers })
}

const linkWallet = async (token: string) => {
  const account = privateKeyToAccount(generatePrivateKey())
  const proof = await answerChallenge(server, account, 'link', { token })
  const linked = await server.call('POST', '/auth/wallets', proof, { token, headers: installation })
  expect(linked.status, linked.text).toBe(201)
  return { account, objectId: String(linked.body.objectId) }
}

describe('SEC-34: the mailbox alone', () => {
  test('does not reset an account with a second factor whose address was verified outside', async () => {
    const owner = await createAccount()
    await verify(owner.email)
    const code = await addTotp(owner.token)
    const token = await askReset(owner.email)
    expect((await mailsTo(owner.email))[0]?.text).toContain('You need its second factor')
    const refused = await reset(token)
    expect([refused.status, refused.body.reason]).toEqual([401, 'secondFactorRequired'])
    expect(refused.body.params).toMatchObject({ totp: true, newAccount: true })
    expect((await reset(token, { secondFactorCode: '000000' })).body.reason).toBe('invalidSecondFactorCode')
    expect(await hasTotp(owner.objectId)).toBe(true)
    expect((await server.call('GET', '/users/me', undefined, { token: owner.token })).status).toBe(200)
    // Its holder shows the factor, and keeps everything.
    expect((await reset(token, { secondFactorCode: code() })).status).toBe(200)
    expect(await hasTotp(owner.objectId)).toBe(true)
    expect((await logIn(owner.email, 'by mail')).body.reason).toBe('secondFactorRequired')
  })

  test('gets a new account with the address; the old one keeps everything else', async () => {
    const owner = await createAccount()
    await verify(owner.email)
    await addTotp(owner.token)
    const token = await askReset(owner.email)
    expect((await reset(token, { newAccount: true })).status).toBe(200)
    const reader = await logIn(owner.email, 'by mail')
    expect(reader.status, reader.text).toBe(200)
    expect(reader.body.objectId).not.toBe(owner.objectId)
    expect(reader.body.emailVerified).toBe(true)
    const old = await server.call('GET', '/users/me', undefined, { token: owner.token })
    expect([old.status, old.body.email ?? null]).toEqual([200, null])
    expect((await logIn(owner.username, `${owner.username} password`)).body.reason).toBe('secondFactorRequired')
    expect((await reset(token, { newAccount: true })).body.reason).toBe('linkExpired')
  })

  test('a mailed code neither removes the factor nor opens the account', async () => {
    const owner = await createAccount()
    await verify(owner.email)
    await addTotp(owner.token)
    const enter = await signInByCode(owner.email)
    const refused = await enter()
    expect([refused.status, refused.body.reason]).toEqual([401, 'secondFactorRequired'])
    expect(refused.body.params).toMatchObject({ newAccount: true, totp: true })
    expect(await hasTotp(owner.objectId)).toBe(true)
    // The refusal left the code as it was.
    const made = await enter({ newAccount: true })
    expect([made.status, made.body.email]).toEqual([200, owner.email])
    expect(made.body.objectId).not.toBe(owner.objectId)
  })

  test('a mailed code and the factor together open it', async () => {
    const owner = await createAccount()
    await verify(owner.email)
    const code = await addTotp(owner.token)
    const headers = { 'X-Parse-Installation-Id': randomUUID() }
    const { body } = await (await signInByCode(owner.email, headers))()
    const { ticket } = body.params as { ticket: string }
    const done = await server.call('POST', '/auth/signInWithSecondFactor', { ticket, code: code() }, { headers })
    expect([done.status, done.body.objectId]).toEqual([200, owner.objectId])
    expect(await hasTotp(owner.objectId)).toBe(true)
  })

  test('does not open an account that asks for an additional provider', async () => {
    const owner = await createAccount()
    await verify(owner.email)
    const authData = { pin: { id: randomUUID() } }
    const added = await server.call('PUT', `/users/${owner.objectId}`, { authData }, { token: owner.token })
    expect(added.status, added.text).toBe(200)
    const token = await askReset(owner.email)
    expect((await reset(token)).body).toMatchObject({ reason: 'mailNotEnough', params: { newAccount: true } })
    expect((await (await signInByCode(owner.email))()).body.reason).toBe('mailNotEnough')
    expect((await reset(token, { authData })).status).toBe(200)
    const both = { username: owner.email, password: 'by mail', authData }
    expect((await server.call('POST', '/login', both)).body.objectId).toBe(owner.objectId)
  })

  test('opens an account without a factor as before', async () => {
    const owner = await createAccount()
    await verify(owner.email)
    expect((await reset(await askReset(owner.email))).status).toBe(200)
    expect((await logIn(owner.email, 'by mail')).body.objectId).toBe(owner.objectId)
  })

  test('a role that demands a factor is not had by mail', async () => {
    const own = await createTestServer({ rateLimit: [], secondFactor: { required: { roles: ['chiefs'] } } })
    try {
      const email = newAddress()
      const { objectId } = await own.signUp('chief', { email })
      const users = { __op: 'AddRelation', objects: [{ __type: 'Pointer', className: '_User', objectId }] }
      await own.call('POST', '/roles', { name: 'chiefs', ACL: {}, users }, { master: true })
      await own.call('POST', '/requestPasswordReset', { email })
      const token = await readMailToken(own, email, '/reset')
      const answer = await own.call('POST', '/resetPassword', { token, password: 'by mail' })
      expect(answer.body.reason).toBe('mailNotEnough')
    } finally {
      await own.stop()
    }
  })
})

describe('SEC-35: an account that was left in my mailbox', () => {
  async function leave() {
    const attacker = await createAccount()
    await verify(attacker.email, attacker.token)
    const victim = newAddress()
    const changed = await server.call(
      'PUT',
      `/users/${attacker.objectId}`,
      { email: victim },
      { token: attacker.token },
    )
    expect(changed.status, changed.text).toBe(200)
    const undoToken = await tokenFor(attacker.email, '/undo-email')
    await verify(victim)
    return { attacker, victim, undoToken }
  }

  test('is not mine by a reset: I get an account of my own, which no undo link reaches', async () => {
    const { attacker, victim, undoToken } = await leave()
    const token = await askReset(victim)
    expect((await reset(token)).body).toMatchObject({ reason: 'mailNotEnough', params: { newAccount: true } })
    expect((await reset(token, { newAccount: true })).status).toBe(200)
    const mine = await logIn(victim, 'by mail')
    expect(mine.status).toBe(200)
    expect(mine.body.objectId).not.toBe(attacker.objectId)
    expect((await server.call('POST', '/undoEmailChange', { token: undoToken })).status).toBe(200)
    const still = await server.call('GET', '/users/me', undefined, { token: String(mine.body.sessionToken) })
    expect(still.body).toMatchObject({ objectId: mine.body.objectId, email: victim })
  })

  test('is not mine by a mailed code either', async () => {
    const { attacker, victim } = await leave()
    const enter = await signInByCode(victim)
    expect((await enter()).body.reason).toBe('mailNotEnough')
    const made = await enter({ newAccount: true })
    expect([made.status, made.body.email]).toEqual([200, victim])
    expect(made.body.objectId).not.toBe(attacker.objectId)
  })

  test('and a thief ends no owner’s undo by taking the account over with the own mailbox', async () => {
    // The same steps, with the thief changing the address.
    const { attacker: owner, victim: thief, undoToken } = await leave()
    expect((await reset(await askReset(thief))).body.reason).toBe('mailNotEnough')
    expect((await server.call('POST', '/undoEmailChange', { token: undoToken })).status).toBe(200)
    const { body } = await server.call('GET', `/users/${owner.objectId}`, undefined, { master: true })
    expect(body.email).toBe(owner.email)
  })

  test('is the owner’s once it cannot be taken back', async () => {
    const { attacker, victim } = await leave()
    server.clock.forward(8 * day)
    expect((await reset(await askReset(victim))).status).toBe(200)
    expect((await logIn(victim, 'by mail')).body.objectId).toBe(attacker.objectId)
  })
})

describe('SEC-36: the undo of a change of address', () => {
  test('reverts a thief’s additions before the change, and keeps the owner’s old methods', async () => {
    const owner = await createAccount()
    await verify(owner.email, owner.token)
    const kept = await linkWallet(owner.token)
    server.clock.forward(20 * day)
    const session = await logIn(owner.username, `${owner.username} password`)
    const token = String(session.body.sessionToken)
    // The thief adds first and changes the address last.
    const added = await linkWallet(token)
    await addTotp(token)
    const { body: made } = await server.call('POST', '/auth/recoveryCodes', {}, { token })
    server.clock.forward(60_000)
    const changed = await server.call('PUT', `/users/${owner.objectId}`, { email: newAddress() }, { token })
    expect(changed.status, changed.text).toBe(200)
    const undone = await server.call('POST', '/undoEmailChange', { token: await tokenFor(owner.email, '/undo-email') })
    expect(undone.status, undone.text).toBe(200)
    expect(await hasTotp(owner.objectId)).toBe(false)
    const resetToken = String(undone.body.resetToken)
    expect((await reset(resetToken)).status).toBe(200)
    expect((await logIn(owner.email, 'by mail')).body.objectId).toBe(owner.objectId)
    expect((await createWalletUser(server, kept.account)).objectId).toBe(owner.objectId)
    expect((await createWalletUser(server, added.account)).objectId).not.toBe(owner.objectId)
    const [code] = made.codes as string[]
    const byCode = { username: owner.username, code }
    expect((await server.call('POST', '/auth/signInWithRecoveryCode', byCode)).status).toBe(401)
  })

  test('returns what was removed since the change, and nothing that was removed before', async () => {
    const owner = await createAccount()
    await verify(owner.email, owner.token)
    const [leaked, kept] = [await linkWallet(owner.token), await linkWallet(owner.token)]
    server.clock.forward(20 * day)
    const session = await logIn(owner.username, `${owner.username} password`)
    const token = String(session.body.sessionToken)
    const unlink = ({ objectId }: { objectId: string }) =>
      server.call('DELETE', `/auth/wallets/${objectId}`, undefined, { token })
    expect((await unlink(leaked)).status).toBe(200)
    server.clock.forward(60_000)
    await server.call('PUT', `/users/${owner.objectId}`, { email: newAddress() }, { token })
    const added = await linkWallet(token)
    for (const wallet of [kept, added]) expect((await unlink(wallet)).status).toBe(200)
    const undone = await server.call('POST', '/undoEmailChange', { token: await tokenFor(owner.email, '/undo-email') })
    expect(undone.status, undone.text).toBe(200)
    expect((await createWalletUser(server, kept.account)).objectId).toBe(owner.objectId)
    for (const { account } of [leaked, added])
      expect((await createWalletUser(server, account)).objectId).not.toBe(owner.objectId)
  })

  test('keeps an old second factor: a former mailbox removes none', async () => {
    const owner = await createAccount()
    await verify(owner.email, owner.token)
    const code = await addTotp(owner.token)
    server.clock.forward(20 * day)
    const first = await logIn(owner.username, `${owner.username} password`)
    const { ticket } = first.body.params as { ticket: string }
    const entered = await server.call('POST', '/auth/signInWithSecondFactor', { ticket, code: code() })
    const token = String(entered.body.sessionToken)
    await server.call('PUT', `/users/${owner.objectId}`, { email: newAddress() }, { token })
    const undone = await server.call('POST', '/undoEmailChange', { token: await tokenFor(owner.email, '/undo-email') })
    expect(undone.status).toBe(200)
    expect(await hasTotp(owner.objectId)).toBe(true)
    await reset(String(undone.body.resetToken))
    expect((await logIn(owner.email, 'by mail')).body.reason).toBe('secondFactorRequired')
  })
})

describe('SEC-39: support', () => {
  test('that verifies an address takes no stronger proof away', async () => {
    const [root, helper] = [await createAccount(), await createAccount()]
    await server.call('PUT', `/console/operators/${root.objectId}`, { role: 'admin' }, { master: true })
    await server.call('PUT', `/console/operators/${helper.objectId}`, { role: 'support' }, { master: true })
    const owner = await createAccount()
    await verify(owner.email, owner.token)
    await addTotp(owner.token)
    const path = `/console/users/${owner.objectId}/verifyEmail`
    const done = await server.call('POST', path, {}, { token: helper.token, headers: inConsole })
    expect(done.status, done.text).toBe(200)
    const [row] = await server.context.db.query<{ outside: boolean | null }>(
      sql`select "_verified_outside" as outside from "_User" where "objectId" = ${owner.objectId}`,
    )
    expect(row?.outside ?? false).toBe(false)
    expect((await (await signInByCode(owner.email))()).body.reason).toBe('secondFactorRequired')
    expect(await hasTotp(owner.objectId)).toBe(true)
  })
})

describe('SEC-40: an operator', () => {
  test('made with an unverified address is not opened by its mailbox', async () => {
    const admin = await createAccount({ master: true })
    await server.call('PUT', `/console/operators/${admin.objectId}`, { role: 'admin' }, { master: true })
    const token = await askReset(admin.email)
    expect((await reset(token)).body).toMatchObject({ reason: 'mailNotEnough', params: { newAccount: true } })
    expect((await (await signInByCode(admin.email))()).body.reason).toBe('mailNotEnough')
    expect((await reset(token, { newAccount: true })).status).toBe(200)
    const reader = await logIn(admin.email, 'by mail')
    expect(reader.body.objectId).not.toBe(admin.objectId)
    const { body } = await server.call('GET', '/console', undefined, {
      token: String(reader.body.sessionToken),
      headers: inConsole,
    })
    expect(body.role).toBeUndefined()
  })

  test('with a second factor keeps it; without one, mail does not open the account even where the address is held', async () => {
    const admin = await createAccount()
    await verify(admin.email, admin.token)
    await server.call('PUT', `/console/operators/${admin.objectId}`, { role: 'admin' }, { master: true })
    const token = await askReset(admin.email)
    expect((await reset(token)).body).toMatchObject({ reason: 'mailNotEnough', params: { newAccount: false } })
    expect((await reset(token, { newAccount: true })).body.reason).toBe('mailNotEnough')
    expect((await (await signInByCode(admin.email))()).body.reason).toBe('mailNotEnough')
    await addTotp(admin.token)
    expect((await reset(token)).status).toBe(200)
    expect((await logIn(admin.email, 'by mail')).body.reason).toBe('secondFactorRequired')
  })
})

describe('SEC-73: an account that its owner deleted', () => {
  async function deleteAccount() {
    const owner = await createAccount()
    await verify(owner.email)
    const code = await addTotp(owner.token)
    const { body } = await server.call('POST', '/auth/recoveryCodes', {}, { token: owner.token })
    await server.call('DELETE', `/users/${owner.objectId}`, undefined, { token: owner.token })
    return { owner, code, codes: body.codes as string[] }
  }

  test('is not restored by a reset', async () => {
    const { owner } = await deleteAccount()
    expect((await reset(await askReset(owner.email))).body.reason).toBe('secondFactorRequired')
    expect(await hasTotp(owner.objectId)).toBe(true)
  })

  test('is not restored by recovery codes alone', async () => {
    const { owner, code, codes } = await deleteAccount()
    const input = { username: owner.username, code: codes[0], restoreAccount: true }
    const first = await server.call('POST', '/auth/signInWithRecoveryCode', input)
    expect(first.body.reason).toBe('secondFactorRequired')
    const { ticket } = first.body.params as { ticket: string }
    const second = (given: string | undefined) =>
      server.call('POST', '/auth/signInWithSecondFactor', { ticket, code: given })
    expect((await second(codes[1])).body.reason).toBe('invalidSecondFactorCode')
    const done = await second(code())
    expect([done.status, done.body.objectId]).toEqual([200, owner.objectId])
  })
})
