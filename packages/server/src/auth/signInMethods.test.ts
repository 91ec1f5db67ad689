import { describe, expect, test } from 'vitest'
import { as, createWalletCalls, minute, newKey, type Wallet } from '../testing/accounts/createWalletCalls.ts'
import { keepPasskey } from '../testing/accounts/keepPasskey.ts'
import { answerChallenge } from '../testing/answerChallenge.ts'
import { createWalletUser } from '../testing/createWalletUser.ts'
import { serveTests } from '../testing/serveTests.ts'

const server = serveTests({ sessionCache: true })

const { walletsOf, link, me } = createWalletCalls(() => server)

describe('wallets of an account', () => {
  test('a label of at most sixty characters; null takes it away', async () => {
    const { token } = await createWalletUser(server)
    const [wallet] = await walletsOf(token)
    const put = (body: object) => server.call('PUT', `/auth/wallets/${wallet?.objectId}`, body, { token })
    expect((await put({ label: '  Cold storage ' })).body).toMatchObject({
      objectId: wallet?.objectId,
      label: 'Cold storage',
      primary: true,
    })
    expect((await put({ label: 'é'.repeat(60) })).status).toBe(200)
    for (const label of ['SEC-11\nline', 'SEC-11 \u202e', 'SEC-11 \u200b', 'x'.repeat(61), 5, { $ne: 1 }])
      expect((await put({ label })).body.code).toBe(162)
    expect((await put({ primary: false })).body.code).toBe(162)
    expect((await put({ label: null })).body).not.toHaveProperty('label')
    expect((await walletsOf(token))[0]).not.toHaveProperty('label')
  })

  test('exactly one wallet is the primary one, and ethAddress follows it', async () => {
    const { token, account } = await createWalletUser(server)
    const second = (await link(token)).body as Wallet
    const third = (await link(token)).body as Wallet
    expect(second.primary).toBe(false)
    const made = await server.call('PUT', `/auth/wallets/${second.objectId}`, { primary: true }, { token })
    expect(made.body).toMatchObject({ objectId: second.objectId, primary: true })
    expect((await walletsOf(token)).map((wallet) => [wallet.objectId === second.objectId, wallet.primary])).toEqual([
      [true, true],
      [false, false],
      [false, false],
    ])
    expect((await me(token)).body).toMatchObject({
      ethAddress: second.address.toLowerCase(),
      accounts: [second.address, account.address, third.address].map((address) => address.toLowerCase()),
    })
    // At once: whichever comes last wins, none fails, and there is one.
    const all = await walletsOf(token)
    const answers = await Promise.all(
      all.map(({ objectId }) => server.call('PUT', `/auth/wallets/${objectId}`, { primary: true }, { token })),
    )
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200])
    expect((await walletsOf(token)).filter((wallet) => wallet.primary)).toHaveLength(1)
  })

  test('sign-in methods: password, wallets and passkeys', async () => {
    const { token } = await createWalletUser(server)
    const before = await server.call('GET', '/auth/signInMethods', undefined, { token })
    expect(before.body).toEqual({ password: false, wallets: await walletsOf(token), passkeys: [] })
    const user = await server.signUp('ways')
    expect((await server.call('GET', '/auth/signInMethods', undefined, { token: user.token })).body).toEqual({
      password: true,
      wallets: [],
      passkeys: [],
    })
  })
})

describe('unlink and restore', () => {
  test('S20: the last sign-in method stays, of any kind', async () => {
    const { token } = await createWalletUser(server)
    const [wallet] = await walletsOf(token)
    const unlink = () => server.call('DELETE', `/auth/wallets/${wallet?.objectId}`, undefined, { token })
    const last = await unlink()
    expect([last.status, last.body.code]).toEqual([403, 119])
    expect(await walletsOf(token)).toHaveLength(1)
    expect((await me(token)).body.ethAddress).toBe(wallet?.address.toLowerCase())
    // A password makes it one of two.
    const { body } = await server.call('POST', '/changePassword', { newPassword: 'a first one' }, { token })
    const withPassword = body.sessionToken as string
    const done = await server.call('DELETE', `/auth/wallets/${wallet?.objectId}`, undefined, { token: withPassword })
    expect([done.status, Object.keys(done.body)]).toEqual([200, ['undoUntil']])
    expect((await me(withPassword)).body).not.toHaveProperty('ethAddress')
  })

  test('S20: two unlinks at once cannot remove the last two sign-in methods', async () => {
    for (let round = 0; round < 5; round++) {
      const { token } = await createWalletUser(server)
      await link(token)
      const both = await walletsOf(token)
      const answers = await Promise.all(
        both.map(({ objectId }) => server.call('DELETE', `/auth/wallets/${objectId}`, undefined, { token })),
      )
      expect(answers.map((answer) => answer.status).sort()).toEqual([200, 403])
      const left = await walletsOf(token)
      expect(left.map((wallet) => wallet.primary)).toEqual([true])
      expect((await me(token)).body.ethAddress).toBe(left[0]?.address.toLowerCase())
    }
  })

  test('S20: nor can a wallet and a passkey, the last two, be removed at once', async () => {
    for (let round = 0; round < 5; round++) {
      const { token, objectId } = await createWalletUser(server)
      const passkey = await keepPasskey(server, objectId)
      const [wallet] = await walletsOf(token)
      const answers = await Promise.all([
        server.call('DELETE', `/auth/passkeys/${passkey}`, undefined, { token }),
        server.call('DELETE', `/auth/wallets/${wallet?.objectId}`, undefined, { token }),
      ])
      expect(answers.map((answer) => answer.status).sort()).toEqual([200, 403])
    }
  })

  test('S20: a session without a recent proof can neither unlink, restore nor link, until it steps up', async () => {
    const { token, account } = await createWalletUser(server)
    const second = (await link(token)).body as Wallet
    const third = (await link(token)).body as Wallet
    const unlink = ({ objectId }: Wallet, by: string) =>
      server.call('DELETE', `/auth/wallets/${objectId}`, undefined, { token: by })
    expect((await unlink(third, token)).status).toBe(200)
    const late = newKey()
    server.clock.forward(9 * minute)
    const proof = await answerChallenge(server, account, 'reauthenticate', { token })
    const confirmed = (await server.call('POST', '/auth/reauthenticate', proof, as(token))).body.sessionToken as string
    expect((await unlink(second, confirmed)).status).toBe(200)
    server.clock.forward(16 * minute)
    const refusals = [
      await unlink(second, confirmed),
      await server.call('POST', `/auth/wallets/${second.objectId}/restore`, {}, { token: confirmed }),
      await link(confirmed, late),
      await server.call(
        'PUT',
        `/users/${(await me(confirmed)).body.objectId}`,
        { password: 'by a thief' },
        { token: confirmed },
      ),
      await server.call('POST', '/changePassword', { newPassword: 'by a thief' }, { token: confirmed }),
    ]
    for (const answer of refusals) {
      expect([answer.status, answer.body.code, answer.body.reason]).toEqual([403, 119, 'reauthenticationRequired'])
    }
    // Nor does it make itself a further session.
    expect((await server.call('POST', '/sessions', {}, { token: confirmed })).status).toBe(403)
  })

  test('an unlinked wallet is restored within ten minutes, as it was, and not after', async () => {
    const { token, account, objectId } = await createWalletUser(server)
    await link(token)
    const first = (await walletsOf(token))[0] as Wallet
    await server.call('PUT', `/auth/wallets/${first.objectId}`, { label: 'First' }, { token })
    const { body } = await server.call('DELETE', `/auth/wallets/${first.objectId}`, undefined, { token })
    expect(Date.parse(body.undoUntil as string) - server.clock.now().getTime()).toBeGreaterThan(9 * minute)
    expect((await me(token)).body.ethAddress).not.toBe(account.address.toLowerCase())
    const restored = await server.call('POST', `/auth/wallets/${first.objectId}/restore`, {}, { token })
    expect(restored).toMatchObject({ status: 200, body: { objectId: first.objectId, label: 'First', primary: true } })
    expect((await me(token)).body.ethAddress).toBe(account.address.toLowerCase())
    expect((await createWalletUser(server, account)).objectId).toBe(objectId)

    const again = (await createWalletUser(server, account)).token
    await server.call('DELETE', `/auth/wallets/${first.objectId}`, undefined, { token: again })
    server.clock.forward(10 * minute + 1)
    expect(await server.call('POST', `/auth/wallets/${first.objectId}/restore`, {}, { token: again })).toMatchObject({
      status: 404,
      body: { code: 101 },
    })
  })

  test('a wallet linked elsewhere in between is not restored (208)', async () => {
    const owner = await createWalletUser(server)
    const other = await createWalletUser(server)
    const shared = newKey()
    const wallet = (await link(owner.token, shared)).body as Wallet
    await server.call('DELETE', `/auth/wallets/${wallet.objectId}`, undefined, { token: owner.token })
    expect((await link(other.token, shared)).status).toBe(201)
    const answer = await server.call('POST', `/auth/wallets/${wallet.objectId}/restore`, {}, { token: owner.token })
    expect([answer.status, answer.body.code]).toEqual([409, 208])
    expect((await walletsOf(other.token)).map(({ address }) => address)).toContain(shared.address)
  })

  test('S17: permissions on a wallet: guest, another user, owner', async () => {
    const owner = await createWalletUser(server)
    const other = await createWalletUser(server)
    const shared = newKey()
    const wallet = (await link(owner.token, shared)).body as Wallet
    const path = `/auth/wallets/${wallet.objectId}`
    const taken = await link(other.token, shared)
    expect([taken.status, taken.body.code]).toEqual([409, 208])
    const table: [who: string, token: string | undefined, expected: [number, number | undefined][]][] = [
      [
        'guest',
        undefined,
        [
          [400, 209],
          [400, 209],
          [400, 209],
        ],
      ],
      [
        'another user',
        other.token,
        [
          [404, 101],
          [404, 101],
          [404, 101],
        ],
      ],
      [
        'the owner',
        owner.token,
        [
          [200, undefined],
          [200, undefined],
          [200, undefined],
        ],
      ],
    ]
    for (const [who, token, expected] of table) {
      const options = token ? { token } : {}
      const answers = [
        await server.call('PUT', path, { label: who }, options),
        await server.call('DELETE', path, undefined, options),
        await server.call('POST', `${path}/restore`, {}, options),
      ]
      expect([who, answers.map(({ status, body }) => [status, body.code])]).toEqual([who, expected])
    }
    expect((await walletsOf(owner.token)).find(({ objectId }) => objectId === wallet.objectId)?.label).toBe('the owner')
    await server.call('DELETE', path, undefined, { token: owner.token })
    for (const options of [{}, { token: other.token }]) {
      expect((await server.call('POST', `${path}/restore`, {}, options)).status).toBe('token' in options ? 404 : 400)
    }
    expect((await walletsOf(other.token)).map(({ address }) => address)).not.toContain(shared.address)
    for (const [method, target] of [
      ['GET', '/auth/signInMethods'],
      ['GET', '/auth/activity'],
      ['POST', '/auth/reauthenticate'],
    ] as const) {
      expect((await server.call(method, target, method === 'POST' ? { password: 'x' } : undefined)).body.code).toBe(209)
    }
  })
})

describe('activity and notices', () => {
  test('lists events, newest first, page by page, to the owner alone', async () => {
    const { token, account } = await createWalletUser(server)
    server.clock.forward(1000)
    const wallet = (await link(token)).body as Wallet
    server.clock.forward(1000)
    await server.call('DELETE', `/auth/wallets/${wallet.objectId}`, undefined, { token })
    server.clock.forward(1000)
    await server.call('POST', `/auth/wallets/${wallet.objectId}/restore`, {}, { token })
    server.clock.forward(1000)
    await server.call('PUT', `/auth/wallets/${wallet.objectId}`, { primary: true }, { token })
    server.clock.forward(1000)
    const proof = await answerChallenge(server, account, 'reauthenticate', { token })
    const confirmed = (await server.call('POST', '/auth/reauthenticate', proof, as(token))).body.sessionToken as string
    server.clock.forward(1000)
    await server.call(
      'PUT',
      `/users/${(await me(confirmed)).body.objectId}`,
      { email: `${account.address}@example.com` },
      { token: confirmed },
    )
    server.clock.forward(1000)
    const { body } = await server.call('POST', '/changePassword', { newPassword: 'noted' }, { token: confirmed })
    const last = body.sessionToken as string

    const list = async (query = '') =>
      (await server.call('GET', `/auth/activity${query}`, undefined, { token: last })).body.results as Activity[]
    type Activity = { id: string; action: string; at: string; ipAddress: string; details: object }
    const all = await list()
    expect(all.map((entry) => entry.action).filter((action) => action !== 'signIn')).toEqual([
      'addPassword',
      'changeEmail',
      'reauthenticate',
      'setPrimaryWallet',
      'restoreWallet',
      'unlinkWallet',
      'linkWallet',
      'linkWallet',
    ])
    expect(all.find((entry) => entry.action === 'unlinkWallet')).toMatchObject({
      ipAddress: '127.0.0.1',
      details: { address: wallet.address.toLowerCase() },
    })
    const pages: Activity[] = []
    for (let before = ''; ; before = `&before=${pages.at(-1)?.at}`) {
      const page = await list(`?limit=2${before}`)
      if (page.length === 0) break
      pages.push(...page)
    }
    expect(pages.map(({ id }) => id)).toEqual(all.map(({ id }) => id))
    for (const query of [
      '?limit=0',
      '?limit=1.5',
      '?limit=x',
      '?before=yesterday',
      '?before=5',
      '?before={"$gt":""}',
    ]) {
      expect([
        (await server.call('GET', `/auth/activity${query}`, undefined, { token: last })).body.code,
        query,
      ]).toEqual([162, query])
    }
    const stranger = await createWalletUser(server)
    const { text } = await server.call('GET', `/auth/activity?user=${(await me(last)).body.objectId}`, undefined, {
      token: stranger.token,
    })
    for (const { id } of all) expect(text).not.toContain(id)
  })

  test('the owner of a verified address gets mail about a new and a removed wallet; an unverified one gets none', async () => {
    const known = await server.signUp('noticed', { email: 'noticed@example.com' })
    const unknown = await server.signUp('unnoticed', { email: 'unnoticed@example.com' })
    await server.call('PUT', `/users/${known.objectId}`, { emailVerified: true }, { master: true })
    for (const { token } of [known, unknown]) {
      const wallet = (await link(token)).body as Wallet
      await server.call('DELETE', `/auth/wallets/${wallet.objectId}`, undefined, { token })
    }
    await server.context.background.settle()
    const mails = (await server.context.mail.listOutbox?.()) ?? []
    const notices = (to: string) =>
      mails.filter((mail) => mail.to === to && mail.subject.includes('account was changed')).map((mail) => mail.text)
    expect(
      notices('noticed@example.com')
        .map((text) => /was (added|removed)/.exec(text)?.[1])
        .sort(),
    ).toEqual(['added', 'removed'])
    expect(notices('unnoticed@example.com')).toEqual([])
  })
})
