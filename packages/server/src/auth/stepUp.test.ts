import { describe, expect, test } from 'vitest'
import { as, createWalletCalls, minute, newKey } from '../testing/accounts/createWalletCalls.ts'
import { answerChallenge, installation } from '../testing/answerChallenge.ts'
import { createWalletUser } from '../testing/createWalletUser.ts'
import { serveTests } from '../testing/serveTests.ts'

const server = serveTests({ sessionCache: true })

const { me, link, walletsOf } = createWalletCalls(() => server)

describe('confirmation', () => {
  test('S16: sign-in and confirmation give new tokens; the old one gets no rights of the proof and ends', async () => {
    const { token, account } = await createWalletUser(server)
    const again = await createWalletUser(server, account)
    expect(again.token).not.toBe(token)
    expect((await me(token)).body.code).toBe(209)

    const session = await server.call('GET', '/sessions/me', undefined, { token: again.token })
    server.clock.forward(20 * minute)
    const proof = await answerChallenge(server, account, 'reauthenticate', { token: again.token })
    const answer = await server.call('POST', '/auth/reauthenticate', proof, as(again.token))
    const renewed = answer.body.sessionToken as string
    expect(answer.status).toBe(200)
    expect(renewed).toMatch(/^r:[0-9a-f]{32}$/)
    expect(renewed).not.toBe(again.token)
    expect(Date.parse(answer.body.confirmedUntil as string)).toBeGreaterThan(server.clock.now().getTime() + 14 * minute)
    expect((await server.call('GET', '/sessions/me', undefined, { token: renewed })).body.objectId).toBe(
      session.body.objectId,
    )
    // Requests already under way with the old token succeed, but it gets no rights of the proof and ends soon.
    expect((await me(again.token)).status).toBe(200)
    const stale = await link(again.token)
    expect([stale.status, stale.body.code]).toEqual([403, 119])
    server.clock.forward(11_000)
    expect((await me(again.token)).body.code).toBe(209)
    // A link changes the account, not the rights of this session: it requires a confirmed one and keeps its token.
    expect((await link(renewed)).status).toBe(201)
    expect((await me(renewed)).status).toBe(200)
  })

  test('S16: for a page with a cookie session the new token moves into the cookie', async () => {
    const user = await server.signUp('cookiestep')
    const app = { 'X-Countersign-Session': 'cookie' }
    const cookie = `countersign=${encodeURIComponent(user.token)}`
    const answer = await server.call(
      'POST',
      '/auth/reauthenticate',
      { password: 'cookiestep password' },
      { headers: { ...app, Cookie: cookie } },
    )
    expect([answer.status, Object.keys(answer.body)]).toEqual([200, ['confirmedUntil']])
    const set = answer.headers.getSetCookie().find((text) => text.startsWith('countersign=')) ?? ''
    expect(set).toMatch(/^countersign=r%3A[0-9a-f]{32}; .*HttpOnly/)
    expect(set.split(';')[0]).not.toBe(cookie)
    expect(
      (await me(decodeURIComponent((set.split(';')[0] as string).slice('countersign='.length)))).body.objectId,
    ).toBe(user.objectId)
  })

  test('S20: by the right password, counted like sign-ins; an account without one cannot be stepped up by it', async () => {
    const { token } = await server.signUp('stepper')
    const reauthenticate = (password: unknown) => server.call('POST', '/auth/reauthenticate', { password }, { token })
    for (const password of ['wrong', ''])
      expect([(await reauthenticate(password)).status, password]).toEqual([401, password])
    for (const password of [{ $ne: '' }, 5])
      expect((await reauthenticate(password)).body, String(password)).toMatchObject({
        code: 201,
        reason: 'passwordMissing',
      })
    expect((await server.call('POST', '/auth/reauthenticate', {}, { token })).body.code).toBe(135)
    expect((await reauthenticate('stepper password')).status).toBe(200)
    const wallet = await createWalletUser(server)
    expect((await server.call('POST', '/auth/reauthenticate', { password: '' }, { token: wallet.token })).status).toBe(
      401,
    )
    const guessed = await server.signUp('guessed')
    for (let tries = 0; tries < 10; tries++)
      await server.call('POST', '/auth/reauthenticate', { password: 'no' }, { token: guessed.token })
    const locked = await server.call(
      'POST',
      '/auth/reauthenticate',
      { password: 'guessed password' },
      { token: guessed.token },
    )
    expect(locked.body.error).toContain('locked')
  })

  test('S17: a signature for another purpose, of a foreign wallet, or for another account confirms nothing', async () => {
    const { token, account } = await createWalletUser(server)
    const other = await createWalletUser(server)
    const reauthenticate = (proof: object, by = token) => server.call('POST', '/auth/reauthenticate', proof, as(by))
    expect((await reauthenticate(await answerChallenge(server, account, 'signIn', { token }))).status).toBe(401)
    expect((await reauthenticate(await answerChallenge(server, account, 'link', { token }))).status).toBe(401)
    expect(
      (await reauthenticate(await answerChallenge(server, other.account, 'reauthenticate', { token }))).status,
    ).toBe(401)
    expect((await reauthenticate(await answerChallenge(server, newKey(), 'reauthenticate', { token }))).status).toBe(
      401,
    )
    expect(
      (await reauthenticate(await answerChallenge(server, account, 'reauthenticate', { token }), other.token)).status,
    ).toBe(401)
    const good = await answerChallenge(server, account, 'reauthenticate', { token })
    const elsewhere = await server.call('POST', '/auth/reauthenticate', good, {
      token,
      headers: { 'X-Parse-Installation-Id': 'another' },
    })
    expect([elsewhere.status, elsewhere.body.code]).toEqual([403, 119])
    expect((await reauthenticate(good)).status).toBe(401)
    const confirmed = await reauthenticate(await answerChallenge(server, account, 'reauthenticate', { token }))
    expect(confirmed.status).toBe(200)
    const noted = await server.call(
      'GET',
      '/auth/activity?limit=1',
      undefined,
      as(confirmed.body.sessionToken as string),
    )
    expect(noted.body.results).toMatchObject([
      { action: 'reauthenticate', details: { method: 'wallet', address: account.address.toLowerCase() } },
    ])
  })

  test('S17: a sign-in or confirmation signature links nothing', async () => {
    const { token } = await createWalletUser(server)
    const key = newKey()
    for (const purpose of ['signIn', 'reauthenticate', 'merge'] as const) {
      const proof = await answerChallenge(server, key, purpose, { token })
      const answer = await server.call('POST', '/auth/wallets', proof, as(token))
      expect([answer.status, answer.body.code, purpose]).toEqual([401, 101, purpose])
    }
    const { token: attacker } = await createWalletUser(server)
    const forAttacker = await answerChallenge(server, key, 'link', { token: attacker })
    expect((await server.call('POST', '/auth/wallets', forAttacker, as(token))).status).toBe(401)
    expect(await walletsOf(token)).toHaveLength(1)
  })
})

describe('S18: a cookie alone changes nothing', () => {
  test.each([
    ['GET', '/auth/signInMethods', undefined],
    ['GET', '/auth/activity', undefined],
    ['PUT', '/auth/wallets/:id', { label: 'x' }],
    ['DELETE', '/auth/wallets/:id', undefined],
    ['POST', '/auth/wallets/:id/restore', {}],
    ['POST', '/auth/wallets', { message: 'm', signature: 's' }],
    ['POST', '/auth/reauthenticate', { password: 'p' }],
    ['POST', '/auth/merges', { message: 'm', signature: 's' }],
    ['POST', '/auth/merges/some', {}],
    ['DELETE', '/auth/merges/some', undefined],
  ])('%s %s', async (method, path, body) => {
    const { token } = await createWalletUser(server)
    const [wallet] = await walletsOf(token)
    await link(token)
    const cookie = `countersign=${encodeURIComponent(token)}`
    const app = { 'X-Countersign-Session': 'cookie' }
    const target = path.replace(':id', wallet?.objectId ?? '')
    for (const headers of [
      { Cookie: cookie },
      { Cookie: cookie, ...app, Origin: 'https://evil.example' },
      { Cookie: cookie, ...app, Origin: 'null' },
      { Cookie: cookie, ...app, 'Sec-Fetch-Site': 'cross-site' },
    ]) {
      const answer = await server.call(method, target, body, { headers: headers as Record<string, string> })
      expect([answer.status, answer.body.code]).toEqual([400, 209])
    }
    expect(await walletsOf(token)).toHaveLength(2)
    // The page itself is let through to the endpoint's own checks.
    const own = await server.call(method, target, body, { headers: { Cookie: cookie, ...app, Origin: server.url } })
    expect(own.body.code).not.toBe(209)
  })
})

describe('a first password', () => {
  test('a wallet user adds one, changes it by knowing it, and signs in with it', async () => {
    const { token, username, account } = await createWalletUser(server)
    const first = await server.call('POST', '/changePassword', { newPassword: 'first of all' }, { token })
    expect(first.status).toBe(200)
    const logIn = await server.call('POST', '/login', { username, password: 'first of all' })
    expect([logIn.status, logIn.body.ethAddress]).toEqual([200, account.address.toLowerCase()])
    const without = await server.call(
      'POST',
      '/changePassword',
      { newPassword: 'second' },
      { token: logIn.body.sessionToken as string },
    )
    expect(without.body.code).toBe(201)
    const wrong = await server.call(
      'POST',
      '/changePassword',
      { currentPassword: 'x', newPassword: 'second' },
      { token: logIn.body.sessionToken as string },
    )
    expect(wrong.body.code).toBe(101)
  })

  test('two first passwords at once: one is set', async () => {
    const { token, username } = await createWalletUser(server)
    const passwords = ['one of two', 'two of two']
    const answers = await Promise.all(
      passwords.map((newPassword) => server.call('POST', '/changePassword', { newPassword }, { token })),
    )
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1)
    const winner = passwords[answers.findIndex((answer) => answer.status === 200)]
    expect((await server.call('POST', '/login', { username, password: winner })).status).toBe(200)
  })
})

describe('S33: revocation by operator or owner is immediate', () => {
  test('an account that was locked: its sessions, its wallet and its password', async () => {
    const { token, account, objectId, username } = await createWalletUser(server)
    const { body } = await server.call('POST', '/changePassword', { newPassword: 'locked soon' }, { token })
    const live = body.sessionToken as string
    expect((await me(live)).status).toBe(200)
    expect((await server.call('PUT', `/users/${objectId}`, { ACL: {} }, { master: true })).status).toBe(200)
    expect((await me(live)).body.code).toBe(209)
    expect((await server.call('GET', '/auth/signInMethods', undefined, { token: live })).body.code).toBe(209)
    const proof = await answerChallenge(server, account, 'signIn')
    expect((await server.call('POST', '/auth/signInWithWallet', proof, { headers: installation })).status).toBe(401)
    expect((await server.call('POST', '/login', { username, password: 'locked soon' })).status).toBe(404)
  })

  test('a session that was revoked, also between a proof and its use', async () => {
    const { token, account } = await createWalletUser(server)
    const proof = await answerChallenge(server, account, 'reauthenticate', { token })
    const session = await server.call('GET', '/sessions/me', undefined, { token })
    expect(
      (await server.call('DELETE', `/sessions/${session.body.objectId}`, undefined, { master: true })).status,
    ).toBe(200)
    expect((await server.call('POST', '/auth/reauthenticate', proof, as(token))).body.code).toBe(209)
    expect((await me(token)).body.code).toBe(209)
  })

  test('a session revoked after a confirmation ends with both of its tokens', async () => {
    const { token, account } = await createWalletUser(server)
    const proof = await answerChallenge(server, account, 'reauthenticate', { token })
    const { body } = await server.call('POST', '/auth/reauthenticate', proof, as(token))
    expect((await server.call('POST', '/logout', {}, { token: body.sessionToken as string })).status).toBe(200)
    expect((await me(body.sessionToken as string)).body.code).toBe(209)
    expect((await me(token)).body.code).toBe(209)
  })
})
