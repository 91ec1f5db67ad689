import { describe, expect, test } from 'vitest'
import { sql } from '../../db/sql.ts'
import { createProofs } from '../../testing/accounts/createProofs.ts'
import { createWallet } from '../../testing/chain/createWallet.ts'
import { createTestServer } from '../../testing/createTestServer.ts'
import { serveTests } from '../../testing/serveTests.ts'
import { askChallenge, asker, present, signInWith } from '../../testing/signIn.ts'

const server = serveTests({
  publicUrl: 'https://app.example:8443',
  wallet: { origins: ['https://other.example'] },
})

const { signed, expectRefused, sessions } = createProofs(() => server)

describe('nonces', () => {
  test('S1: a proof opens one session, once; a failed try uses it up; an old one is refused', async () => {
    const proof = await signed()
    expect((await present(server, proof)).status).toBe(201)
    await expectRefused(proof)

    const spoilt = await signed()
    await expectRefused({ ...spoilt, signature: `0x${'11'.repeat(65)}` }, 400)
    await expectRefused(spoilt)

    const late = await signed()
    server.clock.forward(301_000)
    expect((await expectRefused(late)).body.reason).toBe('challengeExpired')
  })

  test('S2: 100 uses of one nonce at once open exactly one session', async () => {
    const proof = await signed()
    const before = await sessions()
    const answers = await Promise.all(Array.from({ length: 100 }, () => present(server, proof)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(99)
    expect(await sessions()).toBe(before + 1)
  })

  test('S3: a challenge serves only the browser that asked for it', async () => {
    await expectRefused(await signed(), 403, {})
    await expectRefused(await signed(), 403, { 'X-Parse-Installation-Id': 'another' })
    await expectRefused(await signed(), 403, { ...asker, Origin: 'https://evil.example' })
    await expectRefused(await signed(), 403, { ...asker, Origin: 'https://other.example' })
    expect((await askChallenge(server, createWallet().address, { headers: {} })).body.code).toBe(135)
  })

  test('S3: with cookies the binding is a separate cookie, deleted after the sign-in', async () => {
    const app = { 'X-Countersign-Session': 'cookie', Origin: 'https://app.example:8443' }
    const wallet = createWallet()
    const asked = await askChallenge(server, wallet.address, { headers: app })
    const binding = asked.headers.get('set-cookie') ?? ''
    expect(binding).toMatch(
      /^__Host-countersign-asks=[0-9a-f]{32}; Path=\/; Max-Age=3600; HttpOnly; SameSite=Lax; Secure$/,
    )
    const message = asked.body.message as string
    const proof = { message, signature: await wallet.signMessage({ message }) }
    const cookie = binding.split(';')[0] as string
    const answer = await present(server, proof, { ...app, Cookie: cookie })
    expect(answer.status).toBe(201)
    expect(answer.body).not.toHaveProperty('sessionToken')
    const set = answer.headers.getSetCookie()
    expect(set.some((line) => line.startsWith('__Host-countersign=r%3A'))).toBe(true)
    expect(set.some((line) => line.startsWith('__Host-countersign-asks=;'))).toBe(true)

    const second = await askChallenge(server, wallet.address, { headers: app })
    const text = second.body.message as string
    await expectRefused({ message: text, signature: await wallet.signMessage({ message: text }) }, 403, app)
    const third = await askChallenge(server, wallet.address, { headers: app })
    const last = third.body.message as string
    await expectRefused({ message: last, signature: await wallet.signMessage({ message: last }) }, 403, {
      ...app,
      Cookie: '__Host-countersign-asks=00',
    })
  })
})

describe('messages', () => {
  test('S4: only the text that we wrote opens a session, line by line', async () => {
    const wallet = createWallet()
    const lines = ((await askChallenge(server, wallet.address)).body.message as string).split('\n')
    for (const index of lines.keys()) {
      const change = (text: string) =>
        text
          .split('\n')
          .map((line, at) => (at === index ? `${line}x` : line))
          .join('\n')
      await expectRefused(await signed(wallet, change))
    }
    for (const text of [
      'hello',
      'Moralis Authentication',
      `Moralis Authentication\n\nId: ${server.appId}:2026-01-01T00:00:00.000Z`,
      '',
      '0x',
    ]) {
      await expectRefused({ message: text, signature: await wallet.signMessage({ message: text }) })
    }
  })

  test.each([
    'evil.example',
    'app.example',
    'app.example:8444',
    'APP.example:8443',
    'app.example.:8443',
    'app.example:8443.evil.example',
    'good@app.example:8443',
    'xn--pp-yka.example:8443',
    'sub.app.example:8443',
    'app.example:08443',
  ])('S5: the domain %s is not ours', async (domain) => {
    await expectRefused(await signed(undefined, (text) => text.replace('app.example:8443 wants', `${domain} wants`)))
  })

  test('S5: domain and URI come from the configuration, not from the request', async () => {
    const lies: Record<string, string>[] = [
      { Host: 'evil.example' },
      { 'X-Forwarded-Host': 'evil.example' },
      { Forwarded: 'host=evil.example' },
    ]
    for (const headers of lies) {
      const { body } = await askChallenge(server, createWallet().address, {
        headers: { ...asker, ...headers },
      })
      expect(body.message).toMatch(/^app\.example:8443 wants you/)
      expect(body.message).toContain('\nURI: https://app.example:8443\n')
    }
    const named = await askChallenge(server, createWallet().address, {
      headers: { ...asker, Origin: 'https://other.example' },
    })
    expect(named.body.message).toMatch(/^other\.example wants you/)
    const foreign = await askChallenge(server, createWallet().address, {
      headers: { ...asker, Origin: 'https://evil.example' },
    })
    expect([foreign.status, foreign.body.code]).toEqual([403, 119])
  })

  test.each([
    'https://evil.example',
    'http://app.example:8443',
    'https://app.example',
    'https://app.example:8443/',
    'https://app.example:8443/path',
    'https://app.example:8443@evil.example',
    'javascript:alert(1)',
    'data:text/html,x',
    'ftp://app.example:8443',
    '//app.example:8443',
  ])('S6: the URI %s is not ours', async (uri) => {
    await expectRefused(await signed(undefined, (text) => text.replace('URI: https://app.example:8443', `URI: ${uri}`)))
  })

  test.each(['0', '999999', '0x1', '-1', '1.0', '01', ''])(
    'S7: the chain "%s" is not the one that was asked for',
    async (chain) => {
      await expectRefused(await signed(undefined, (text) => text.replace('Chain ID: 1\n', `Chain ID: ${chain}\n`)))
    },
  )

  test('S7: a chain that is not offered is not put into a message; lines that are missing or doubled are refused', async () => {
    for (const chainId of [0, 999_999, 'x', -1, 1.5, '0x', {}]) {
      const { status, body } = await server.call(
        'POST',
        '/auth/challenge',
        { address: createWallet().address, chainId },
        { headers: asker },
      )
      expect([status, body.code, chainId]).toEqual([400, 162, chainId])
    }
    expect(
      (
        await server.call(
          'POST',
          '/auth/challenge',
          { address: createWallet().address, chainId: '0x89' },
          { headers: asker },
        )
      ).body.message,
    ).toContain('Chain ID: 137')
    await expectRefused(await signed(undefined, (text) => text.replace('Chain ID: 1\n', '')))
    await expectRefused(await signed(undefined, (text) => text.replace('Chain ID: 1\n', 'Chain ID: 1\nChain ID: 1\n')))
  })

  test.each([
    ['Issued At', 'NaN'],
    ['Issued At', '1970-01-01T00:00:00.000Z'],
    ['Issued At', '2036-01-01T00:00:00.000Z'],
    ['Issued At', '2026-01-01T00:00:00'],
    ['Expiration Time', 'NaN'],
    ['Expiration Time', '2036-01-01T00:00:00.000Z'],
    ['Expiration Time', '2026-01-01'],
  ])('S14: %s: %s is not the time that we wrote', async (field, time) => {
    await expectRefused(
      await signed(undefined, (text) => text.replace(new RegExp(`${field}: .*`), `${field}: ${time}`)),
    )
  })

  test('S14: a message without its end, or with a later beginning, is refused', async () => {
    await expectRefused(await signed(undefined, (text) => text.replace(/\nExpiration Time: .*/, '')))
    await expectRefused(await signed(undefined, (text) => `${text}\nNot Before: 2020-01-01T00:00:00.000Z`))
  })

  test.each([
    ['a nonce in the statement', (text: string) => text.replace('Sign in', 'Sign in\nNonce: 00000000000000000')],
    ['CRLF', (text: string) => text.replaceAll('\n', '\r\n')],
    ['U+2028', (text: string) => text.replace('\nNonce', '\u2028Nonce')],
    ['a request id', (text: string) => `${text}\nRequest ID: 1`],
    ['resources', (text: string) => `${text}\nResources:\n- https://evil.example`],
    ['a trailing line', (text: string) => `${text}\n`],
  ])('S15: %s is not taken', async (_name, change) => {
    await expectRefused(await signed(undefined, change))
  })
})

describe('around it', () => {
  test('S30: an address in a header identifies nobody', async () => {
    const { body } = await signInWith(server, createWallet())
    const answer = await server.call('GET', '/users/me', undefined, {
      headers: { 'X-Wallet': String(body.ethAddress), 'X-Wallet-Address': String(body.ethAddress) },
    })
    expect(answer.body.code).toBe(209)
  })

  test('S31: too many tries from one address have to wait', async () => {
    const strict = await createTestServer(
      {
        rateLimit: [
          { requestPath: '/auth/*', requestTimeWindow: 60_000, requestCount: 5, includeInternalRequests: true },
        ],
      },
      server.database,
    )
    try {
      const statuses = []
      for (let i = 0; i < 8; i++) statuses.push((await askChallenge(strict, createWallet().address)).status)
      expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429, 429])
    } finally {
      await strict.stop()
    }
  })

  test('S31: an address that is known and one that is not get the same challenge', async () => {
    const known = createWallet()
    await signInWith(server, known)
    const shape = async (address: string) => {
      const { status, body } = await askChallenge(server, address)
      return [
        status,
        (body.message as string).replace(address, '').replace(/(Nonce|Issued At|Expiration Time): .*/g, '$1'),
      ]
    }
    expect(await shape(known.address)).toEqual(await shape(createWallet().address))
  })

  test('S34: signatures are in no log line, and not in clear in the database', async () => {
    const { message, signature } = await signed()
    await present(server, { message, signature })
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(server.logs.join('')).not.toContain(signature.slice(2, 40))
    const rows = await server.context.db.query<{ _proof: Buffer }>(
      sql`select "_proof" from "_Session" where "_proof" is not null`,
    )
    expect(rows.length).toBeGreaterThan(0)
    expect(rows.some((row) => row._proof.includes(Buffer.from(signature.slice(2, 40))))).toBe(false)
  })

  test('S19: an unconfirmed address joins no account, opens no wallet account, and goes to the reader of its mail', async () => {
    const outbox = async () => {
      await server.context.background.settle()
      const { body } = await server.call('GET', '/outbox', undefined, { master: true })
      return body.results as { to: string; link: string | null }[]
    }
    const resetLink = async (email: string) => {
      await server.call('POST', '/requestPasswordReset', { email })
      const mail = (await outbox()).find(({ to, link }) => to === email && link?.includes('/reset'))
      return mail && new URL(mail.link ?? '').searchParams.get('token')
    }
    // An attacker takes the victim's address first.
    const attacker = await server.signUp('squatter', { email: 'victim@example.com' })
    const victim = await signInWith(server, createWallet())
    expect(victim.body.objectId).not.toBe(attacker.objectId)
    expect(victim.body).not.toHaveProperty('email')
    // The reader of the mail gets the account; its creator loses it.
    const token = await resetLink('victim@example.com')
    expect((await server.call('POST', '/resetPassword', { token, password: 'the victim chose this' })).status).toBe(200)
    expect((await server.call('GET', '/users/me', undefined, { token: attacker.token })).body.code).toBe(209)
    expect(
      (await server.call('POST', '/login', { username: 'squatter', password: 'squatter password' })).body.code,
    ).toBe(101)
    // The owner of a mistyped address does not get the account of a wallet.
    const { objectId, sessionToken } = victim.body
    await server.call('PUT', `/users/${objectId}`, { email: 'typo@example.com' }, { token: sessionToken as string })
    expect(await resetLink('typo@example.com')).toBeUndefined()
    const verification = (await outbox()).find(({ to, link }) => to === 'typo@example.com' && link?.includes('/verify'))
    const secret = new URL(verification?.link ?? '').searchParams.get('token')
    // In the account's own session, so that it is the holder who confirms the address.
    await server.call('POST', '/verifyEmail', { token: secret }, { token: sessionToken as string })
    expect(await resetLink('typo@example.com')).toEqual(expect.any(String))
  })

  test('S26: the session token is the only one; one that was replaced opens nothing', async () => {
    const wallet = createWallet()
    const first = (await signInWith(server, wallet)).body.sessionToken as string
    const second = (await signInWith(server, wallet)).body.sessionToken as string
    expect(second).not.toBe(first)
    expect((await server.call('GET', '/users/me', undefined, { token: first })).body.code).toBe(209)
    expect((await server.call('GET', '/users/me', undefined, { token: second })).status).toBe(200)
  })

  test('two first sign-ins of one wallet at once make one user', async () => {
    const wallet = createWallet()
    const proofs = await Promise.all(Array.from({ length: 8 }, () => signed(wallet)))
    const answers = await Promise.all(proofs.map((proof) => present(server, proof)))
    expect(new Set(answers.map(({ body }) => body.objectId)).size).toBe(1)
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
  })
})
