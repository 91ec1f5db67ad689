import { randomUUID } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import Parse from 'parse/node'
import { beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../db/sql.ts'
import {
  type ChallengeOptions,
  createAuthenticator,
  type RegistrationOptions,
} from '../../testing/accounts/createAuthenticator.ts'
import { refused, step, ticketOf } from '../../testing/accounts/secondFactorAnswers.ts'
import { answerChallenge, installation } from '../../testing/answerChallenge.ts'
import { createWalletUser } from '../../testing/createWalletUser.ts'
import { serveTests } from '../../testing/serveTests.ts'

const server = serveTests({ rateLimit: [], emailCode: { enabled: true } })
beforeAll(async () => {
  // A code holds for 30 seconds: on a slow machine the next one would be asked for before this one is sent.
  server.clock.stop()
})

const minute = 60_000

const codeAt = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: server.clock.ms() + steps * step })
const wrongFor = (secret: string) => {
  const near = [-2, -1, 0, 1, 2].map((steps) => codeAt(secret, steps))
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !near.includes(code)) ?? ''
}

type Owner = { username: string; password: string; objectId: string; token: string; secret: string }

/** A user with an authenticator app that is on. */
async function makeOwner(): Promise<Owner> {
  const username = `owner-${randomUUID()}`
  const { objectId, token } = await server.signUp(username)
  const begun = await server.call('POST', '/auth/totp', {}, { token })
  expect(begun.status, begun.text).toBe(200)
  const secret = String(begun.body.secret)
  expect(begun.body.uri).toMatch(/^otpauth:\/\/totp\/Countersign:/)
  const on = await server.call('POST', '/auth/totp/confirm', { code: codeAt(secret) }, { token })
  expect(on.body, on.text).toEqual({ totp: true, passkey: false, required: false, rememberedDevices: 0 })
  server.clock.forward(2 * step)
  return { username, password: `${username} password`, objectId, token, secret }
}

const logIn = ({ username, password }: Owner, more: object = {}, headers = {}) =>
  server.call('POST', '/login', { username, password, ...more }, { headers })

const finish = (input: object, headers = {}) => server.call('POST', '/auth/signInWithSecondFactor', input, { headers })

describe('an authenticator app', () => {
  test('is not required until a code was shown; then a sign-in has two steps', async () => {
    const username = `begins-${randomUUID()}`
    const { token } = await server.signUp(username)
    const { body } = await server.call('POST', '/auth/totp', {}, { token })
    const secret = String(body.secret)
    const wrong = await server.call('POST', '/auth/totp/confirm', { code: wrongFor(secret) }, { token })
    expect(refused(wrong)).toEqual([401, 'invalidSecondFactorCode'])
    expect((await server.call('POST', '/login', { username, password: `${username} password` })).status).toBe(200)

    const owner = await makeOwner()
    const first = await logIn(owner)
    expect(refused(first)).toEqual([401, 'secondFactorRequired'])
    expect(first.body.params).toMatchObject({ totp: true, passkey: false })
    expect(first.body).not.toHaveProperty('sessionToken')
    const done = await finish({ ticket: ticketOf(first), code: codeAt(owner.secret) })
    expect(done.body, done.text).toMatchObject({ objectId: owner.objectId })
    const session = await server.call('GET', '/sessions/me', undefined, { token: String(done.body.sessionToken) })
    expect(session.body.createdWith).toEqual({ action: 'login', authProvider: 'password' })
    // The password without the rest tells nothing more than before.
    expect(refused(await logIn({ ...owner, password: 'wrong' }))).toEqual([404, 'invalidCredentials'])
  })

  test('a clock may be 30 seconds off, not more; a code works once', async () => {
    const owner = await makeOwner()
    for (const [steps, expected] of [
      [-2, 401],
      [2, 401],
      [-1, 200],
      [0, 200],
      [1, 200],
      // Seen over a shoulder, in the same window and before it.
      [1, 401],
      [0, 401],
    ] as const) {
      const ticket = ticketOf(await logIn(owner))
      const answer = await finish({ ticket, code: codeAt(owner.secret, steps) })
      expect([steps, answer.status]).toEqual([steps, expected])
    }
  })

  test('of ten concurrent uses of one code, one succeeds', async () => {
    const owner = await makeOwner()
    const ticket = ticketOf(await logIn(owner))
    const code = codeAt(owner.secret)
    const answers = await Promise.all(Array.from({ length: 10 }, () => finish({ ticket, code })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('twenty wrong codes in a day, at once or one by one, by any form; then not even the right one', async () => {
    const owner = await makeOwner()
    const ticket = ticketOf(await logIn(owner))
    const code = wrongFor(owner.secret)
    const burst = await Promise.all(Array.from({ length: 60 }, () => finish({ ticket, code })))
    expect(burst.filter(({ body }) => body.reason === 'invalidSecondFactorCode')).toHaveLength(20)
    expect(burst.filter(({ body }) => body.reason === 'tooManyFailedSignIns')).toHaveLength(40)
    const right = () => codeAt(owner.secret)
    expect(refused(await finish({ ticket, code: right() }))).toEqual([404, 'tooManyFailedSignIns'])
    expect((await logIn(owner, { authData: { mfa: { token: right() } } })).status).toBe(404)
    const again = await server.call(
      'POST',
      '/auth/reauthenticate',
      { password: owner.password, secondFactorCode: right() },
      { token: owner.token },
    )
    expect(again.status).toBe(404)
    server.clock.forward(24 * 60 * minute)
    expect((await finish({ ticket: ticketOf(await logIn(owner)), code: right() })).status).toBe(200)
  })

  test('a recovery code is taken in its place, once', async () => {
    const owner = await makeOwner()
    const made = await server.call('POST', '/auth/recoveryCodes', {}, { token: owner.token })
    const [code] = made.body.codes as string[]
    expect((await finish({ ticket: ticketOf(await logIn(owner)), code })).status).toBe(200)
    expect(refused(await finish({ ticket: ticketOf(await logIn(owner)), code }))).toEqual([
      401,
      'invalidSecondFactorCode',
    ])
    // Alone, with the name, it opens the account as before: it is for the day on which all else is lost.
    const [, second] = made.body.codes as string[]
    const alone = await server.call('POST', '/auth/signInWithRecoveryCode', { username: owner.username, code: second })
    expect(alone.status).toBe(200)
  })

  test('its secret is encrypted in the database, and never returned again', async () => {
    const owner = await makeOwner()
    const rows = await server.context.db.query<{ secret: Buffer }>(
      sql`select secret from countersign.second_factors where "user" = ${owner.objectId}`,
    )
    expect(rows[0]?.secret.toString('latin1')).not.toContain(owner.secret)
    for (const path of ['/users/me', '/auth/secondFactor', '/auth/export', '/auth/signInMethods'])
      expect((await server.call('GET', path, undefined, { token: owner.token })).text).not.toContain(owner.secret)
    expect(refused(await server.call('POST', '/auth/totp', {}, { token: owner.token }))).toEqual([
      403,
      'secondFactorOn',
    ])
  })
})

describe('a ticket', () => {
  test('ends after five minutes or with a new password, and is rejected for others', async () => {
    const owner = await makeOwner()
    const code = () => codeAt(owner.secret)
    const late = ticketOf(await logIn(owner))
    server.clock.forward(5 * minute)
    expect(refused(await finish({ ticket: late, code: code() }))).toEqual([401, 'signInTicketExpired'])

    const before = ticketOf(await logIn(owner))
    const fresh = await finish({ ticket: ticketOf(await logIn(owner)), code: code() })
    server.clock.forward(step)
    const changed = await server.call(
      'POST',
      '/changePassword',
      { currentPassword: owner.password, newPassword: 'another one' },
      { token: String(fresh.body.sessionToken) },
    )
    expect(changed.status, changed.text).toBe(200)
    expect(refused(await finish({ ticket: before, code: code() }))).toEqual([401, 'signInTicketExpired'])

    const other = await makeOwner()
    const mine = ticketOf(await logIn(other))
    expect(refused(await finish({ ticket: mine, code: code() }))).toEqual([401, 'invalidSecondFactorCode'])
    for (const ticket of ['x', mine.slice(0, -2), `${mine}AA`, 'A'.repeat(200)])
      expect(refused(await finish({ ticket, code: codeAt(other.secret) }))).toEqual([401, 'signInTicketExpired'])
    expect(refused(await finish({ ticket: mine }))).toEqual([400, 'proofMissing'])
  })

  test('is bound to the installation that began', async () => {
    const owner = await makeOwner()
    const ticket = ticketOf(await logIn(owner, {}, installation))
    const code = codeAt(owner.secret)
    const elsewhere = await finish({ ticket, code }, { 'X-Parse-Installation-Id': 'elsewhere' })
    expect(refused(elsewhere)).toEqual([403, 'challengeOfOtherBrowser'])
    expect((await finish({ ticket, code }, installation)).status).toBe(200)
  })
})

describe('every sign-in method asks for it', () => {
  test('a wallet is one factor', async () => {
    const { token, account, objectId } = await createWalletUser(server)
    const { body } = await server.call('POST', '/auth/totp', {}, { token })
    const secret = String(body.secret)
    await server.call('POST', '/auth/totp/confirm', { code: codeAt(secret) }, { token })
    server.clock.forward(2 * step)
    const proof = await answerChallenge(server, account, 'signIn')
    const first = await server.call('POST', '/auth/signInWithWallet', proof, { headers: installation })
    expect(refused(first)).toEqual([401, 'secondFactorRequired'])
    const done = await finish({ ticket: ticketOf(first), code: codeAt(secret) }, installation)
    expect(done.body.objectId).toBe(objectId)
    const me = String(done.body.sessionToken)
    const { body: session } = await server.call('GET', '/sessions/me', undefined, { token: me })
    expect(session.proof).toMatchObject({ message: proof.message })
  })

  test('a code by mail is one factor', async () => {
    const email = `${randomUUID()}@example.com`
    const mailed = async () => {
      // The outbox has the newest first; what else is under way is older then.
      await server.context.background.settle()
      server.clock.forward(1000)
      const asked = await server.call('POST', '/auth/emailCode', { email }, { headers: installation })
      await server.context.background.settle()
      const { body } = await server.call('GET', '/outbox', undefined, { master: true })
      const mail = (body.results as { to: string; text: string }[]).find((each) => each.to === email)
      const code = /\n\n(\d{6})\n\n/.exec(mail?.text ?? '')?.[1]
      return server.call(
        'POST',
        '/auth/signInWithEmailCode',
        { handle: asked.body.handle, code },
        { headers: installation },
      )
    }
    const token = String((await mailed()).body.sessionToken)
    const { body } = await server.call('POST', '/auth/totp', {}, { token })
    await server.call('POST', '/auth/totp/confirm', { code: codeAt(String(body.secret)) }, { token })
    expect(refused(await mailed())).toEqual([401, 'secondFactorRequired'])
  })

  test('a guest of the older clients, with and without the code', async () => {
    const id = randomUUID()
    const open = (mfa?: object) => server.call('POST', '/users', { authData: { anonymous: { id }, ...mfa } })
    const { body: guest } = await open()
    const { body } = await server.call('POST', '/auth/totp', {}, { token: String(guest.sessionToken) })
    const secret = String(body.secret)
    await server.call('POST', '/auth/totp/confirm', { code: codeAt(secret) }, { token: String(guest.sessionToken) })
    server.clock.forward(2 * step)
    expect(refused(await open())).toEqual([401, 'secondFactorRequired'])
    expect((await open({ mfa: { token: codeAt(secret) } })).body.objectId).toBe(guest.objectId)
  })

  test('the wallet of an account with a second factor merges it into no other', async () => {
    const { token, account } = await createWalletUser(server)
    const { body } = await server.call('POST', '/auth/totp', {}, { token })
    await server.call('POST', '/auth/totp/confirm', { code: codeAt(String(body.secret)) }, { token })
    const thief = await server.signUp(`thief-${randomUUID()}`)
    const proof = await answerChallenge(server, account, 'merge', { token: thief.token })
    const merge = await server.call('POST', '/auth/merges', proof, { token: thief.token, headers: installation })
    expect(refused(merge)).toEqual([403, 'otherAccountHasSecondFactor'])
  })
})

test('a passkey is taken in the place of the code, and alone where its owner wants that', async () => {
  const username = `keyed-${randomUUID()}`
  const { token, objectId } = await server.signUp(username)
  const origin = `http://localhost:${new URL(server.url).port}`
  const authenticator = createAuthenticator(origin)
  const headers = { ...installation, Origin: origin }
  const { body: asked } = await server.call('POST', '/auth/passkeys/registration', {}, { token, headers })
  const made = await server.call(
    'POST',
    '/auth/passkeys',
    { credential: authenticator.register(asked.options as RegistrationOptions) },
    { token, headers },
  )
  expect(made.status, `${origin} ${made.text}`).toBe(201)
  const on = await server.call('PUT', '/auth/secondFactor', { passkey: true }, { token })
  expect(on.body).toMatchObject({ totp: false, passkey: true })
  const first = await server.call('POST', '/login', { username, password: `${username} password` }, { headers })
  expect(refused(first)).toEqual([401, 'secondFactorRequired'])
  expect(first.body.params).toMatchObject({ totp: false, passkey: true })
  const { body: challenge } = await server.call('POST', '/auth/passkeys/challenge', {}, { headers })
  const credential = authenticator.assert(challenge.options as ChallengeOptions)
  const done = await finish({ ticket: ticketOf(first), credential }, headers)
  expect(done.body.objectId, done.text).toBe(objectId)
  // A passkey with user verification signs in alone: it is two factors in one.
  const { body: next } = await server.call('POST', '/auth/passkeys/challenge', {}, { headers })
  const alone = await server.call(
    'POST',
    '/auth/signInWithPasskey',
    { credential: authenticator.assert(next.options as ChallengeOptions) },
    { headers },
  )
  expect(alone.status, alone.text).toBe(200)
})

describe('changes need both factors', () => {
  test('to confirm a session takes the password and the code; then it can be turned off', async () => {
    const owner = await makeOwner()
    const { token, password } = owner
    server.clock.forward(16 * minute)
    const remove = (as: string) => server.call('DELETE', '/auth/secondFactor', undefined, { token: as })
    expect(refused(await remove(token))).toEqual([403, 'reauthenticationRequired'])
    const confirm = (body: object) => server.call('POST', '/auth/reauthenticate', body, { token })
    expect(refused(await confirm({ password }))).toEqual([401, 'secondFactorRequired'])
    expect(refused(await confirm({ password: 'wrong', secondFactorCode: codeAt(owner.secret) }))).toEqual([
      401,
      'wrongPassword',
    ])
    expect(refused(await confirm({ password, secondFactorCode: wrongFor(owner.secret) }))).toEqual([
      401,
      'invalidSecondFactorCode',
    ])
    const confirmed = await confirm({ password, secondFactorCode: codeAt(owner.secret) })
    expect(confirmed.status, confirmed.text).toBe(200)
    const gone = await remove(String(confirmed.body.sessionToken))
    expect(gone.body).toEqual({ totp: false, passkey: false, required: false, rememberedDevices: 0 })
    expect((await logIn(owner)).status).toBe(200)
  })

  test('SEC-28: the current password alone neither sets a new one nor makes a confirmed session', async () => {
    const owner = await makeOwner()
    server.clock.forward(16 * minute)
    const passwords = { currentPassword: owner.password, newPassword: 'another one' }
    const change = (token: string) => server.call('POST', '/changePassword', passwords, { token })
    expect(refused(await change(owner.token))).toEqual([403, 'reauthenticationRequired'])
    const confirmed = await server.call(
      'POST',
      '/auth/reauthenticate',
      { password: owner.password, secondFactorCode: codeAt(owner.secret) },
      { token: owner.token },
    )
    expect((await change(String(confirmed.body.sessionToken))).status).toBe(200)
  })

  test('SEC-28: a passkey that is sent along with another proof takes the place of no code', async () => {
    const { token, account } = await createWalletUser(server)
    const { body } = await server.call('POST', '/auth/totp', {}, { token })
    const secret = String(body.secret)
    await server.call('POST', '/auth/totp/confirm', { code: codeAt(secret) }, { token })
    server.clock.forward(16 * minute)
    const response = { clientDataJSON: 'AAAA', authenticatorData: 'AAAA', signature: 'AAAA' }
    const credential = { id: 'AAAA', rawId: 'AAAA', type: 'public-key', response }
    const confirm = async (more: object) => {
      const proof = await answerChallenge(server, account, 'reauthenticate', { token })
      return server.call('POST', '/auth/reauthenticate', { ...proof, ...more }, { token, headers: installation })
    }
    expect(refused(await confirm({ credential }))).toEqual([401, 'secondFactorRequired'])
    expect(refused(await confirm({ credential, secondFactorCode: wrongFor(secret) }))).toEqual([
      401,
      'invalidSecondFactorCode',
    ])
    expect((await confirm({ credential, secondFactorCode: codeAt(secret) })).status).toBe(200)
  })

  test('SEC-28: a guest with a second factor sets no password in a session left open', async () => {
    const id = randomUUID()
    const open = (mfa?: object) => server.call('POST', '/users', { authData: { anonymous: { id }, ...mfa } })
    const { body: guest } = await open()
    const token = String(guest.sessionToken)
    const { body } = await server.call('POST', '/auth/totp', {}, { token })
    const secret = String(body.secret)
    await server.call('POST', '/auth/totp/confirm', { code: codeAt(secret) }, { token })
    server.clock.forward(16 * minute)
    const put = (as: string) =>
      server.call('PUT', `/users/${guest.objectId}`, { username: `guest-${id}`, password: 'a secret' }, { token: as })
    expect(refused(await put(token))).toEqual([403, 'reauthenticationRequired'])
    const again = await open({ mfa: { token: codeAt(secret) } })
    expect((await put(String(again.body.sessionToken))).status).toBe(200)
  })

  test('SEC-28: the right password alone does not read the account', async () => {
    const owner = await makeOwner()
    const { username, password, token } = owner
    const verify = (options: object) => server.call('POST', '/verifyPassword', { username, password }, options)
    const alone = await verify({})
    expect(refused(alone)).toEqual([401, 'secondFactorRequired'])
    expect(alone.text).not.toContain(owner.objectId)
    const query = new URLSearchParams({ username, password })
    expect(refused(await server.call('GET', `/verifyPassword?${query}`))).toEqual([401, 'secondFactorRequired'])
    const stranger = await server.signUp(`stranger-${randomUUID()}`)
    expect(refused(await verify({ token: stranger.token }))).toEqual([401, 'secondFactorRequired'])
    for (const options of [{ token }, { master: true }])
      expect((await verify(options)).body.objectId).toBe(owner.objectId)
  })

  test('SEC-28: an account to be deleted is restored only by both factors', async () => {
    const owner = await makeOwner()
    const { objectId, token, secret } = owner
    expect((await server.call('DELETE', `/users/${objectId}`, undefined, { token })).status).toBe(200)
    expect(refused(await logIn(owner))).toEqual([403, 'accountDeletionPending'])
    const asked = await logIn(owner, { restoreAccount: true })
    expect(refused(asked)).toEqual([401, 'secondFactorRequired'])
    const ticket = ticketOf(asked)
    expect(refused(await finish({ ticket, code: wrongFor(secret) }))).toEqual([401, 'invalidSecondFactorCode'])
    expect(refused(await logIn(owner))).toEqual([403, 'accountDeletionPending'])
    const back = await finish({ ticket, code: codeAt(secret) })
    expect([back.status, back.body.objectId], back.text).toEqual([200, objectId])
    const me = await server.call('GET', '/users/me', undefined, { token: String(back.body.sessionToken) })
    expect(me.body.objectId).toBe(objectId)
    expect(refused(await finish({ ticket, code: codeAt(secret, 1) }))).toEqual([401, 'signInTicketExpired'])
  })

  test('SEC-28: the same by a wallet, and by the older form with the code along', async () => {
    const { objectId, token, account } = await createWalletUser(server)
    const { body } = await server.call('POST', '/auth/totp', {}, { token })
    const secret = String(body.secret)
    await server.call('POST', '/auth/totp/confirm', { code: codeAt(secret) }, { token })
    await server.call('DELETE', `/users/${objectId}`, undefined, { token })
    const signIn = async (more: object) =>
      server.call(
        'POST',
        '/auth/signInWithWallet',
        { ...(await answerChallenge(server, account, 'signIn')), ...more },
        { headers: installation },
      )
    const asked = await signIn({ restoreAccount: true })
    expect(refused(asked)).toEqual([401, 'secondFactorRequired'])
    expect(refused(await signIn({}))).toEqual([403, 'accountDeletionPending'])
    server.clock.forward(2 * step)
    const back = await finish({ ticket: ticketOf(asked), code: codeAt(secret) }, installation)
    expect([back.status, back.body.objectId], back.text).toEqual([200, objectId])

    const owner = await makeOwner()
    await server.call('DELETE', `/users/${owner.objectId}`, undefined, { token: owner.token })
    const whole = await logIn(owner, { restoreAccount: true, authData: { mfa: { token: codeAt(owner.secret) } } })
    expect([whole.status, whole.body.objectId], whole.text).toEqual([200, owner.objectId])
  })

  test('a reset of the password by mail leaves the second factor of a verified owner', async () => {
    const email = `${randomUUID()}@example.com`
    const username = `reset-${randomUUID()}`
    const { token } = await server.signUp(username, { email })
    const linkTo = async (page: string) => {
      await server.context.background.settle()
      const { body } = await server.call('GET', '/outbox', undefined, { master: true })
      const mails = body.results as { to: string; link: string | null }[]
      return new URL(mails.find((mail) => mail.to === email && mail.link?.includes(page))?.link ?? '').searchParams.get(
        'token',
      )
    }
    await server.call('POST', '/verifyEmail', { token: await linkTo('/verify-email') }, { token })
    const { body } = await server.call('POST', '/auth/totp', {}, { token })
    await server.call('POST', '/auth/totp/confirm', { code: codeAt(String(body.secret)) }, { token })
    await server.call('POST', '/requestPasswordReset', { email })
    await server.call('POST', '/resetPassword', { token: await linkTo('/reset'), password: 'a new one' })
    const answer = await server.call('POST', '/login', { username, password: 'a new one' })
    expect(refused(answer)).toEqual([401, 'secondFactorRequired'])
  })

  test('the master key turns it off for an owner who lost it', async () => {
    const owner = await makeOwner()
    const off = await server.call('PUT', `/users/${owner.objectId}`, { authData: { mfa: null } }, { master: true })
    expect(off.status, off.text).toBe(200)
    expect((await logIn(owner)).status).toBe(200)
    // Another user does not.
    const kept = await makeOwner()
    const stranger = await server.signUp(`stranger-${randomUUID()}`)
    const refusal = await server.call(
      'PUT',
      `/users/${kept.objectId}`,
      { authData: { mfa: null } },
      { token: stranger.token },
    )
    expect(refusal.status).toBeGreaterThanOrEqual(400)
    expect(refused(await logIn(kept))).toEqual([401, 'secondFactorRequired'])
  })
})

test('a browser that is remembered is not asked again, and confirms nothing', async () => {
  const owner = await makeOwner()
  const page = (cookie = '') => ({ 'X-Countersign-Session': 'cookie', ...(cookie && { Cookie: cookie }) })
  const first = await logIn(owner, {}, page())
  const done = await finish({ ticket: ticketOf(first), code: codeAt(owner.secret), rememberDevice: true }, page())
  const cookies = done.headers.getSetCookie()
  const device = cookies.map((each) => each.split(';')[0] ?? '').find((each) => each.startsWith('countersign-device='))
  expect(cookies.find((each) => each.startsWith('countersign-device'))).toContain('HttpOnly; SameSite=Lax')
  const again = await logIn(owner, {}, page(device))
  expect(again.status, again.text).toBe(200)
  const session =
    again.headers
      .getSetCookie()
      .map((each) => each.split(';')[0] ?? '')
      .find((each) => each.startsWith('countersign=')) ?? ''
  const off = await server.call('DELETE', '/auth/secondFactor', undefined, { headers: page(session) })
  expect(refused(off)).toEqual([403, 'reauthenticationRequired'])
  // Not for another account, not without the password, not for ever.
  expect(refused(await logIn(await makeOwner(), {}, page(device)))).toEqual([401, 'secondFactorRequired'])
  await server.call('DELETE', '/auth/secondFactor/devices', undefined, { token: owner.token })
  expect(refused(await logIn(owner, {}, page(device)))).toEqual([401, 'secondFactorRequired'])
})

describe('the form of the older protocol', () => {
  test('the parse client sets it up, signs in with it, replaces and removes it', async () => {
    const { initialize } = Parse as unknown as { initialize(appId: string): void }
    initialize(server.appId)
    Reflect.set(Parse, 'serverURL', server.serverUrl)
    const username = `parse-${randomUUID()}`
    const secret = new Secret({ size: 20 }).base32
    const user = await Parse.User.signUp(username, 'a secret', {})
    const mfa = (value: unknown) => ({ authData: { mfa: value } })
    const put = (body: object, token: string | null = user.getSessionToken()) =>
      server.call('PUT', `/users/${user.id}`, body, { token: String(token) })
    expect((await put(mfa({ secret, token: wrongFor(secret) }))).body).toMatchObject({
      code: 210,
      error: 'Invalid MFA token',
    })
    await user.save(mfa({ secret, token: codeAt(secret) }), { sessionToken: user.getSessionToken() })
    expect(user.get('authDataResponse').mfa.recovery).toHaveLength(10)
    server.clock.forward(2 * step)
    await expect(Parse.User.logIn(username, 'a secret')).rejects.toMatchObject({
      code: -1,
      message: 'Missing additional authData mfa',
    })
    await expect(
      Parse.User.logInWithAdditionalAuth(username, 'a secret', { mfa: { token: wrongFor(secret) } }),
    ).rejects.toMatchObject({ code: 210, message: 'Invalid MFA token' })
    const again = await Parse.User.logInWithAdditionalAuth(username, 'a secret', { mfa: { token: codeAt(secret) } })
    expect(again.id).toBe(user.id)
    server.clock.forward(2 * step)
    const token = again.getSessionToken()
    const next = new Secret({ size: 20 }).base32
    expect(refused(await put(mfa({ secret: next, token: codeAt(next) }), token))).toEqual([403, 'secondFactorOn'])
    const replaced = await put(mfa({ secret: next, token: codeAt(next), old: codeAt(secret) }), token)
    expect(replaced.status, replaced.text).toBe(200)
    expect(replaced.body.authData).toEqual({ mfa: { status: 'enabled' } })
    // Sending back a received value changes nothing.
    expect((await put(mfa({ status: 'enabled' }), token)).status).toBe(200)
    expect((await put(mfa(null), token)).status).toBe(200)
    expect((await server.call('POST', '/login', { username, password: 'a secret' })).status).toBe(200)
  })
})
