import { createHash, createPublicKey, verify } from 'node:crypto'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../db/sql.ts'
import {
  type Bend,
  type ChallengeOptions,
  createAuthenticator,
  verified,
} from '../../testing/accounts/createAuthenticator.ts'
import {
  createPasskeyCalls,
  elsewhere,
  here,
  minutes,
  notAllowed,
  notProven,
  refusal,
} from '../../testing/accounts/createPasskeyCalls.ts'
import { type Answer, createTestServer } from '../../testing/createTestServer.ts'
import { inFull } from '../../testing/inFull.ts'
import { serveTests } from '../../testing/serveTests.ts'

let origin: string
const server = serveTests()
beforeAll(async () => {
  origin = server.context.publicUrl
})

const { createHolder, list, signInWith, askRegistration, askChallenge, signIn, register, signUp } = createPasskeyCalls(
  () => server,
)

describe('sign-in', () => {
  test.each(['ES256', 'EdDSA', 'RS256'] as const)(
    'a passkey of kind %s is registered once and signs in without a user name',
    async (algorithm) => {
      const { objectId, username, token, authenticator } = await createHolder(createAuthenticator(origin, algorithm))
      expect(await list(token)).toEqual([
        { objectId: expect.any(String), name: 'Laptop', createdAt: expect.any(String), backedUp: false },
      ])
      const first = await signInWith(authenticator)
      expect([first.status, first.body.objectId, first.body.username]).toEqual([200, objectId, username])
      const second = await signInWith(authenticator)
      expect(second.body.sessionToken).toMatch(/^r:/)
      expect(second.body.sessionToken).not.toBe(first.body.sessionToken)
      expect(await list(second.body.sessionToken as string)).toMatchObject([{ lastUsedAt: expect.any(String) }])
    },
  )

  test('the options name our host, ask for a discoverable passkey and leave out those that are there', async () => {
    const { objectId, token, authenticator } = await createHolder()
    expect(await askRegistration(token)).toMatchObject({
      rp: { id: 'localhost', name: 'Countersign' },
      user: { id: Buffer.from(objectId).toString('base64url') },
      attestation: 'none',
      timeout: 5 * minutes,
      authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'preferred' },
      excludeCredentials: [{ id: authenticator.id, type: 'public-key', transports: ['internal', 'hybrid'] }],
    })
    expect(await askChallenge()).toMatchObject({
      rpId: 'localhost',
      allowCredentials: [],
      userVerification: 'preferred',
    })
    expect(await askChallenge('reauthenticate', token)).toMatchObject({
      allowCredentials: [{ id: authenticator.id }],
      userVerification: 'required',
    })
  })

  test('the session shows its origin and keeps a proof that anyone can verify', async () => {
    const { authenticator } = await createHolder()
    const { body } = await signInWith(authenticator)
    const session = await server.call('GET', '/sessions/me', undefined, { token: body.sessionToken as string })
    expect(session.body.createdWith).toEqual({ action: 'login', authProvider: 'passkey' })
    const { message, signature } = session.body.proof as { message: string; signature: string }
    const { authenticatorData, clientDataJSON, id } = JSON.parse(message) as Record<string, string>
    expect(id).toBe(authenticator.id)
    const bytes = (text = '') => Buffer.from(text, 'base64url')
    const signed = Buffer.concat([
      bytes(authenticatorData),
      createHash('sha256').update(bytes(clientDataJSON)).digest(),
    ])
    const { key } = authenticator as ReturnType<typeof createAuthenticator>
    expect(verify('sha256', signed, createPublicKey(key), bytes(signature))).toBe(true)
  })

  test('a page with a cookie session is bound by a separate cookie, which ends with the sign-in', async () => {
    const { authenticator } = await createHolder()
    const cookie = { 'X-Countersign-Session': 'cookie' }
    const asked = await server.call('POST', '/auth/passkeys/challenge', {}, { headers: cookie })
    const [asks = ''] = asked.headers.getSetCookie()
    expect(asks).toMatch(/^countersign-asks=[0-9a-f]{32};.*HttpOnly/)
    const credential = authenticator.assert(asked.body.options as ChallengeOptions)
    const opened = await signIn(credential, { ...cookie, Cookie: asks.split(';')[0] ?? '' })
    expect(opened.status).toBe(200)
    expect(opened.body).not.toHaveProperty('sessionToken')
    expect(opened.headers.getSetCookie().join('\n')).toMatch(
      /countersign=r%3A[\s\S]*Max-Age|countersign-asks=; Path=\/; Max-Age=0/,
    )

    const again = await server.call('POST', '/auth/passkeys/challenge', {}, { headers: cookie })
    expect(refusal(await signIn(authenticator.assert(again.body.options as ChallengeOptions), cookie))).toEqual(
      notAllowed,
    )
  })

  test('a locked account stays shut', async () => {
    const { authenticator, objectId } = await createHolder()
    await server.context.db.query(
      sql`update "_User" set "_rperm" = '{}', "_wperm" = '{}' where "objectId" = ${objectId}`,
    )
    expect(refusal(await signInWith(authenticator))).toEqual(notProven)
  })

  test('an account that was merged into another takes its passkeys along', async () => {
    const { authenticator } = await createHolder()
    const other = await server.signUp('merged-into')
    await server.context.db.query(
      sql`update countersign.passkeys set "user" = ${other.objectId} where credential = ${authenticator.id}`,
    )
    expect((await signInWith(authenticator)).body.objectId).toBe(other.objectId)
  })
})

describe('challenges', () => {
  test('of a hundred concurrent uses of one response, one opens a session', async () => {
    const { authenticator } = await createHolder()
    const credential = authenticator.assert(await askChallenge())
    const answers = await Promise.all(Array.from({ length: 100 }, () => signIn(credential)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const answer of answers.filter(({ status }) => status !== 200)) expect(refusal(answer)).toEqual(notProven)
  })

  test('a failed try uses the challenge up', async () => {
    const { authenticator } = await createHolder()
    const options = await askChallenge()
    expect(refusal(await signIn(authenticator.assert(options, { origin: 'https://evil.example' })))).toEqual(notProven)
    expect(refusal(await signIn(authenticator.assert(options)))).toEqual(notProven)
  })

  test('rejects a response from another browser, and consumes the challenge', async () => {
    const { authenticator } = await createHolder()
    const credential = authenticator.assert(await askChallenge())
    expect(refusal(await signIn(credential, elsewhere))).toEqual(notAllowed)
    expect(refusal(await signIn(credential))).toEqual(notProven)
    expect(refusal(await signIn(authenticator.assert(await askChallenge()), {}))).toEqual(notAllowed)
    expect((await server.call('POST', '/auth/passkeys/challenge', {})).status).toBe(400)
  })

  test('after five minutes it is too late', async () => {
    const { authenticator } = await createHolder()
    const options = await askChallenge()
    server.clock.forward(5 * minutes - 1_000)
    expect((await signIn(authenticator.assert(options))).status).toBe(200)
    const late = await askChallenge()
    server.clock.forward(5 * minutes)
    expect(refusal(await signIn(authenticator.assert(late)))).toEqual(notProven)
  })

  test('one purpose serves no other', async () => {
    const { authenticator, token } = await createHolder()
    expect(refusal(await signIn(authenticator.assert(await askChallenge('reauthenticate', token))))).toEqual(notProven)
    const made = createAuthenticator(origin)
    expect(
      refusal(await register(token, made.register({ ...(await askRegistration(token)), ...(await askChallenge()) }))),
    ).toEqual(notProven)
    const wallet = await server.call('POST', '/auth/challenge', {}, { headers: here })
    expect(
      refusal(await signIn(authenticator.assert({ challenge: wallet.body.nonce as string, rpId: 'localhost' }))),
    ).toEqual(notProven)
    const left = 'select from countersign.challenges where nonce = $1'
    expect(await server.context.db.query({ text: left, values: [wallet.body.nonce] })).toHaveLength(1)
    expect(
      (await server.call('POST', '/auth/passkeys/challenge', { purpose: 'merge' }, { headers: here })).status,
    ).toBe(400)
  })
})

describe('rejects', () => {
  const bends: [string, Bend][] = [
    ['another page', { origin: 'https://evil.example' }],
    ['another port', { origin: 'http://localhost:1' }],
    ['another host', { rpId: 'evil.example' }],
    ['a registration in place of an answer', { type: 'webauthn.create' }],
    ['a frame of another site', { clientData: { crossOrigin: true } }],
    ['a frame whose top is another site', { clientData: { crossOrigin: true, topOrigin: 'https://evil.example' } }],
    ['a challenge of its own', { challenge: 'aGVsbG8' }],
    ['nobody was present', { flags: verified }],
    ['no user handle', { userHandle: null }],
    ["another user's handle", { userHandle: Buffer.from('somebody').toString('base64url') }],
    ['an unknown passkey', { id: 'dW5rbm93bg' }],
  ]
  test.each(bends)('%s', async (_name, bend) => {
    const { authenticator } = await createHolder()
    expect(refusal(await signInWith(authenticator, bend))).toEqual(notProven)
    expect((await signInWith(authenticator)).status).toBe(200)
  })

  test('a signature by another key, and one that was changed', async () => {
    const { authenticator, objectId } = await createHolder()
    const { key } = createAuthenticator(origin)
    const thief = createAuthenticator(origin, 'ES256', { id: authenticator.id, key })
    const userHandle = Buffer.from(objectId).toString('base64url')
    expect(refusal(await signIn(thief.assert(await askChallenge(), { userHandle })))).toEqual(notProven)
    const credential = authenticator.assert(await askChallenge())
    const signature = Buffer.from(credential.response.signature as string, 'base64url')
    signature[signature.length - 1] = (signature.at(-1) ?? 0) ^ 1
    expect(
      refusal(
        await signIn({
          ...credential,
          response: { ...credential.response, signature: signature.toString('base64url') },
        }),
      ),
    ).toEqual(notProven)
  })

  const registrations: [string, Bend][] = [
    ['another page', { origin: 'https://evil.example' }],
    ['another host', { rpId: 'evil.example' }],
    ['an answer in place of a registration', { type: 'webauthn.get' }],
    ['a frame of another site', { clientData: { crossOrigin: true } }],
    ['an id that the authenticator did not sign for', { id: 'c29tZWJvZHkgZWxzZQ' }],
    [
      'certificates of the maker',
      {
        format: 'packed',
        statement: new Map<string, number | Uint8Array | Uint8Array[]>([
          ['alg', -7],
          ['sig', Buffer.alloc(8)],
          ['x5c', [Buffer.alloc(8)]],
        ]),
      },
    ],
    ['a format that looks certificates up', { format: 'android-key' }],
  ]
  test.each(registrations)('registration: %s', async (_name, bend) => {
    const { token } = await signUp('plain')
    const made = createAuthenticator(origin)
    const answer = await register(token, made.register(await askRegistration(token), bend))
    expect(refusal(answer)).toEqual(notProven)
    // Refused unread: to look at certificates could mean to fetch from where they say.
    if (bend.format) expect(answer.body.details).toBe('attestation is not supported')
    expect(await list(token)).toEqual([])
  })

  test('pages are known by the configuration, never by the Host header', async () => {
    const asks = (headers: Record<string, string>) =>
      server.call('POST', '/auth/passkeys/challenge', {}, { headers: { ...here, ...headers } })
    expect((await asks({ Origin: origin })).status).toBe(200)
    expect((await asks({ Origin: 'http://localhost:5173' })).status).toBe(200)
    for (const page of [
      'https://evil.example',
      'null',
      'http://127.0.0.1:1337',
      'http://localhost.evil.example',
      'http://notlocalhost',
    ]) {
      expect(
        refusal(await asks({ Origin: page, 'X-Forwarded-Host': new URL(page === 'null' ? 'http://x' : page).host })),
        page,
      ).toEqual(notAllowed)
    }
    const options = (await asks({ Origin: 'http://localhost:5173' })).body.options as ChallengeOptions
    const { authenticator } = await createHolder()
    expect(refusal(await signIn(authenticator.assert(options), { ...here, Origin: origin }))).toEqual(notAllowed)
  })

  test('in production a passkey is bound to the public host and to the origins of it that the operator named', async () => {
    const live = await createTestServer(
      {
        production: true,
        publicUrl: 'https://app.example',
        wallet: { origins: ['https://shop.app.example', 'https://other.example'] },
      },
      server.database,
    )
    const bare = await createTestServer({ production: true, publicUrl: 'https://192.0.2.7' }, server.database)
    try {
      const asks = (Origin: string) =>
        live.call('POST', '/auth/passkeys/challenge', {}, { headers: { ...here, Origin } })
      expect((await asks('https://app.example')).body.options).toMatchObject({ rpId: 'app.example' })
      expect((await asks('https://shop.app.example')).body.options).toMatchObject({ rpId: 'app.example' })
      for (const page of [
        'https://other.example',
        'https://x.app.example',
        'http://app.example',
        'http://localhost:1337',
      ]) {
        expect(refusal(await asks(page)), page).toEqual(notAllowed)
      }
      expect(refusal(await bare.call('POST', '/auth/passkeys/challenge', {}, { headers: here }))).toEqual(notAllowed)
    } finally {
      await live.stop()
      await bare.stop()
    }
  })
})

describe('the count of uses', () => {
  test('must grow, so that a copy is noticed; the owner can read of it', async () => {
    const { authenticator, objectId } = await createHolder()
    expect((await signInWith(authenticator, { counter: 5 })).status).toBe(200)
    for (const counter of [5, 4, 0])
      expect(refusal(await signInWith(authenticator, { counter })), String(counter)).toEqual(notProven)
    expect((await signInWith(authenticator, { counter: 6 })).status).toBe(200)
    const noted = await server.context.db.query(
      sql`select 1 from countersign.activity where "user" = ${objectId} and action = 'refusePasskey'`,
    )
    expect(noted).toHaveLength(3)
  })

  test('of two responses with one count, one is accepted', async () => {
    const { authenticator } = await createHolder()
    const credentials = [
      authenticator.assert(await askChallenge(), { counter: 1 }),
      authenticator.assert(await askChallenge(), { counter: 1 }),
    ]
    const answers = await Promise.all(credentials.map((credential) => signIn(credential)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401])
  })
})

describe('garbage', () => {
  let tries = 0
  const junk = fc.oneof(
    fc.jsonValue() as fc.Arbitrary<unknown>,
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes).toString('base64url')),
    fc.constantFrom(
      null,
      '',
      'o'.repeat(70_000),
      [],
      {},
      -1,
      true,
      '\u0000',
      { toString: 1 },
      Buffer.alloc(400, 0x81).toString('base64url'),
    ),
  )
  const outer = ['', 'id', 'rawId', 'type', 'response']

  /** Puts junk into one place, or turns a byte of what is there. */
  function mutate(
    credential: { response: Record<string, unknown> },
    { at, value, flip }: { at: string; value: unknown; flip: number | null },
  ): unknown {
    if (at === '') return value
    const holder = at in credential ? 'outer' : 'inner'
    const present = (holder === 'outer' ? (credential as Record<string, unknown>) : credential.response)[at]
    let next = value
    if (flip !== null && typeof present === 'string') {
      const bytes = Buffer.from(present, 'base64url')
      // The head of a signature's wrapper says nothing of the two numbers in it.
      const start = at === 'signature' ? 2 : 0
      const index = start + (flip % Math.max(bytes.length - start, 1))
      if (bytes.length > 0) bytes[index] = (bytes[index] ?? 0) ^ (1 + (flip % 255))
      next = bytes.toString('base64url')
    }
    return holder === 'outer'
      ? { ...credential, [at]: next }
      : { ...credential, response: { ...credential.response, [at]: next } }
  }

  const mutation = (...inner: string[]) =>
    fc.record({ at: fc.constantFrom(...outer, ...inner), value: junk, flip: fc.option(fc.nat(), { nil: null }) })
  const calm = ({ status, body }: Answer) => [400, 401, 403].includes(status) && typeof body.error === 'string'

  // The embedded database takes several times as long, and what is tried here hardly reaches it.
  const runs = inFull(process.env.TEST_DATABASE === 'postgres' ? 1_000 : 50)
  test(`${2 * runs} mutated responses and ${runs} mutated registrations: never a 500, never a session`, async () => {
    const { authenticator, token, objectId } = await createHolder()
    const userHandle = Buffer.from(objectId).toString('base64url')
    const nonce = async (purpose: string, user: string | null) => {
      const challenge = createHash('sha256').update(`${++tries}`).digest('base64url')
      // Written directly, so that thousands of tries reach the verification instead of an unknown challenge.
      await server.context.db.query(sql`
        insert into countersign.challenges
          (nonce, purpose, namespace, binding, "user", domain, uri, statement, issued, expires)
        values (${challenge}, ${purpose}, 'webauthn',
          ${createHash('sha256').update('installation:browser-one').digest()}, ${user}, 'localhost', ${origin}, '',
          ${server.clock.now()}, ${new Date(server.clock.now().getTime() + minutes)})`)
      return challenge
    }
    await fc.assert(
      fc.asyncProperty(mutation('clientDataJSON', 'authenticatorData', 'signature', 'userHandle'), async (change) => {
        const honest = authenticator.assert(
          { challenge: await nonce('signIn', null), rpId: 'localhost' },
          { userHandle },
        )
        const answer = await signIn(mutate(honest, change))
        expect(calm(answer), answer.text).toBe(true)
      }),
      { numRuns: 2 * runs },
    )
    const fresh = await signUp('fuzzed')
    await fc.assert(
      fc.asyncProperty(mutation('clientDataJSON', 'attestationObject', 'transports'), async (change) => {
        const made = createAuthenticator(origin)
        const honest = made.register({
          challenge: await nonce('registration', fresh.objectId),
          rp: { id: 'localhost' },
          user: { id: userHandle },
        })
        const answer = await register(fresh.token, mutate(honest, change))
        expect(answer.status === 201 || calm(answer), answer.text).toBe(true)
      }),
      { numRuns: runs },
    )
    expect(server.logs.filter((line) => line.includes('request failed'))).toEqual([])
    expect(await list(token)).toHaveLength(1)
  }, 240_000)
})
