import { generateKeyPairSync, sign } from 'node:crypto'
import { binToBase58 } from '@bitauth/libauth'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../db/sql.ts'
import { type CallOptions, createTestServer, type TestServer } from '../../testing/createTestServer.ts'

let server: TestServer

beforeAll(async () => {
  server = await createTestServer()
})

afterAll(() => server.stop())

const installation = (id = 'browser-one'): CallOptions => ({ headers: { 'X-Parse-Installation-Id': id } })

const newAccount = () => privateKeyToAccount(generatePrivateKey())

type Key = ReturnType<typeof newAccount>

async function getTime(options: CallOptions = installation()): Promise<string> {
  const { body } = await server.call('POST', '/functions/getServerTime', {}, options)
  return (body.result as { dateTime: string }).dateTime
}

const textOf = (dateTime: string) => `Moralis Authentication\n\nId: ${server.appId}:${dateTime}`

async function proof(key: Key, data: string, id: string = key.address.toLowerCase()) {
  return { authData: { moralisEth: { id, signature: await key.signMessage({ message: data }), data } } }
}

async function signIn(key = newAccount(), options = installation()) {
  const answer = await server.call('POST', '/users', await proof(key, textOf(await getTime(options))), options)
  const { body } = answer
  return {
    key,
    address: key.address.toLowerCase(),
    answer,
    objectId: body.objectId as string,
    token: body.sessionToken as string,
  }
}

type User = Awaited<ReturnType<typeof signIn>>

const withToken = ({ token }: { token: string }, options = installation()): CallOptions => ({ ...options, token })

async function link(user: User, key: Key) {
  const data = textOf(await getTime(withToken(user)))
  return server.call('PUT', `/classes/_User/${user.objectId}`, await proof(key, data), withToken(user))
}

const listOf = (answer: { body: Record<string, unknown> }) =>
  (answer.body.results as { objectId: string }[]).map(({ objectId }) => objectId)

const countSessions = async () =>
  Number((await server.database.db.query<{ n: unknown }>(sql`select count(*) as n from "_Session"`))[0]?.n)

describe('functions', () => {
  test('those that the older client calls on its own are there, even with a session that has ended', async () => {
    const options = { ...installation(), token: 'r:gone' }
    expect((await server.call('POST', '/functions/getPluginSpecs', {}, options)).body).toEqual({ result: [] })
    expect((await server.call('POST', '/functions/getServerTime', {}, options)).status).toBe(200)
  })

  test('the time tells the time, the page and a nonce, and another one each time', async () => {
    const times = [await getTime(), await getTime()]
    expect(new Set(times).size).toBe(2)
    expect(times[0]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z .* at localhost:\d+ .* Nonce: [0-9a-f]{32}$/)
  })

  test.each(['unknown', 'constructor', '__proto__', 'toString', 'hasOwnProperty'])(
    '%s is no function',
    async (name) => {
      const { status, body } = await server.call('POST', `/functions/${name}`, {})
      expect([status, body]).toEqual([
        400,
        expect.objectContaining({ code: 141, error: `Invalid function: "${name}"` }),
      ])
    },
  )

  test('a time is for an installation: without one there is none', async () => {
    expect((await server.call('POST', '/functions/getServerTime', {})).body.code).toBe(135)
  })
})

describe('sign-in', () => {
  test('R19, R20: a wallet signs up and signs in by one request, and its user is its own alone', async () => {
    const { key, address, answer, objectId, token } = await signIn()
    expect(answer.status).toBe(201)
    expect(answer.body).toMatchObject({
      username: expect.stringMatching(/^[a-z]+-[a-z]+-\d+$/),
      sessionToken: expect.stringMatching(/^r:/),
      accounts: [address],
      ethAddress: address,
      authData: { moralisEth: { id: address } },
      ACL: { [objectId]: { read: true, write: true } },
    })
    expect(answer.body).not.toHaveProperty('email')
    const session = await server.call('GET', '/sessions/me', undefined, { token })
    expect(session.body).toMatchObject({
      createdWith: { action: 'login', authProvider: 'moralisEth' },
      installationId: 'browser-one',
      proof: {
        message: expect.stringMatching(/^Moralis Authentication\n\nId: /),
        signature: expect.stringMatching(/^0x/),
      },
    })

    const again = await signIn(key)
    expect([again.answer.status, again.objectId, again.answer.body.username]).toEqual([
      200,
      objectId,
      answer.body.username,
    ])
  })

  test('S13: the id may be written in any case but a wrong checksum, and the user is the same', async () => {
    const { key, objectId } = await signIn()
    for (const id of [key.address, `0x${key.address.slice(2).toUpperCase()}`]) {
      const { status, body } = await server.call(
        'POST',
        '/users',
        await proof(key, textOf(await getTime()), id),
        installation(),
      )
      expect([status, body.objectId]).toEqual([200, objectId])
    }
    const swapped = key.address.replace(/[a-fA-F]/g, (letter) =>
      letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
    )
    const wrong = await server.call(
      'POST',
      '/users',
      await proof(key, textOf(await getTime()), swapped),
      installation(),
    )
    expect([wrong.status, wrong.body.code]).toEqual([404, 101])
  })

  test('SEC-10: the time says in words which site the signature is for', async () => {
    const host = new URL(server.context.publicUrl).host
    expect(await getTime()).toMatch(
      new RegExp(
        `^\\S+Z to sign in to Countersign at ${host} \\(do not sign this on another site\\)\\. Nonce: [0-9a-f]{32}$`,
      ),
    )
    const { objectId, token, answer } = await signIn()
    const linking = await getTime({ ...installation(), token })
    expect(linking).toContain(`Z to link a wallet in Countersign at ${host} (do not sign this on another site)`)
    expect(linking).toContain(` to the account ${answer.body.username} (${objectId}). Nonce: `)
  })

  test('SEC-10: words above the id that the operator did not name are refused, and use the time up', async () => {
    const key = newAccount()
    const foreign = [
      'Claim your airdrop at evil.example',
      'Moralis Authentication\n\nId: nothing',
      'Moralis Authentication ',
      ' Moralis Authentication',
      'moralis authentication',
      'Moralis\u00a0Authentication',
      '',
    ]
    for (const words of foreign) {
      const time = await getTime()
      const data = `${words}\n\nId: ${server.appId}:${time}`
      const { status, body } = await server.call('POST', '/users', await proof(key, data), installation())
      expect([words, status, body]).toMatchObject([
        words,
        404,
        { code: 101, error: expect.stringContaining('does not belong to this application') },
      ])
      const second = await server.call('POST', '/users', await proof(key, textOf(time)), installation())
      expect([words, second.status, second.body.code]).toEqual([words, 404, 101])
    }
    const user = await signIn()
    const data = `Claim your airdrop\n\nId: ${server.appId}:${await getTime(withToken(user))}`
    const linked = await server.call('PUT', `/users/${user.objectId}`, await proof(key, data), withToken(user))
    expect([linked.status, linked.body.code]).toEqual([404, 101])
  })

  test('SEC-10: a time is for the page that asked for it', async () => {
    const key = newAccount()
    const { origin } = new URL(server.context.publicUrl)
    const from = (page: string) => ({ headers: { ...installation().headers, Origin: page } })
    const enter = async (time: string, options: CallOptions) =>
      (await server.call('POST', '/users', await proof(key, textOf(time)), options)).body.error ?? 'in'
    const elsewhere = expect.stringContaining('another browser')
    expect(await enter(await getTime(from(origin)), from(origin))).toBe('in')
    // Asked for by a page, brought by a server, and the other way round.
    expect(await enter(await getTime(from(origin)), installation())).toEqual(elsewhere)
    expect(await enter(await getTime(installation()), from(origin))).toEqual(elsewhere)
    const other = origin.replace('localhost', '127.0.0.1')
    expect(await enter(await getTime(from(origin)), from(other))).toEqual(elsewhere)
    expect((await server.call('POST', '/functions/getServerTime', {}, from('null'))).status).toBe(403)
  })

  test('S1: one time, one sign-in, and a failed try uses it up', async () => {
    const key = newAccount()
    const body = await proof(key, textOf(await getTime()))
    expect((await server.call('POST', '/users', body, installation())).status).toBe(201)
    const repeated = await server.call('POST', '/users', body, installation())
    expect([repeated.status, repeated.body.code]).toEqual([404, 101])

    const data = textOf(await getTime())
    const right = await proof(key, data)
    const wrong = { authData: { moralisEth: { ...right.authData.moralisEth, id: newAccount().address } } }
    expect((await server.call('POST', '/users', wrong, installation())).body.code).toBe(101)
    expect((await server.call('POST', '/users', right, installation())).body.code).toBe(101)
  })

  test('S2: fifty at once with one time open one session', async () => {
    const body = await proof(newAccount(), textOf(await getTime()))
    const before = await countSessions()
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => server.call('POST', '/users', body, installation())),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.filter(({ status, body: { code } }) => status === 404 && code === 101)).toHaveLength(49)
    expect(await countSessions()).toBeLessThanOrEqual(before + 1)
  })

  test('S3: a time of another installation, or for another page, serves nobody', async () => {
    const key = newAccount()
    const relayed = await server.call(
      'POST',
      '/users',
      await proof(key, textOf(await getTime(installation('phisher')))),
      installation(),
    )
    expect([relayed.status, relayed.body]).toMatchObject([
      404,
      expect.objectContaining({ code: 101, error: expect.stringContaining('another browser') }),
    ])
    const without = await server.call('POST', '/users', await proof(key, textOf(await getTime())))
    expect(without.body.code).toBe(135)

    const foreign = { headers: { ...installation().headers, Origin: 'https://evil.example' } }
    expect((await server.call('POST', '/functions/getServerTime', {}, foreign)).body.code).toBe(119)
    const elsewhere = await server.call('POST', '/users', await proof(key, textOf(await getTime())), foreign)
    expect([elsewhere.status, elsewhere.body.error]).toEqual([403, expect.stringContaining('https://evil.example')])
  })

  test('S4: what is not a text of ours with a time of ours is refused', async () => {
    const key = newAccount()
    const time = await getTime()
    const texts = {
      bare: 'Moralis Authentication',
      'no time': textOf('undefined'),
      'a time of its own': textOf(new Date().toISOString()),
      'a nonce of its own': textOf(`${new Date().toISOString()} to sign in. Nonce: ${'ab'.repeat(16)}`),
      'another application': `Moralis Authentication\n\nId: another:${time}`,
      'no break before the id': `Moralis Authentication\nId: ${server.appId}:${time}`,
      'something behind': `${textOf(time)}\n\nId: other`,
    }
    for (const [name, data] of Object.entries(texts)) {
      const { status, body } = await server.call('POST', '/users', await proof(key, data), installation())
      expect([name, status, body.code, typeof body.error]).toEqual([name, 404, 101, 'string'])
    }
    // None of them used up the true time; a changed one does.
    expect((await server.call('POST', '/users', await proof(key, textOf(time)), installation())).status).toBe(201)
    const changed = (await getTime()).replace(' at localhost', ' at evil.example')
    expect((await server.call('POST', '/users', await proof(key, textOf(changed)), installation())).body.code).toBe(101)
  })

  test('S14: a time that is too old is refused', async () => {
    const body = await proof(newAccount(), textOf(await getTime()))
    server.clock.forward(301_000)
    const { status, body: answer } = await server.call('POST', '/users', body, installation())
    expect([status, answer]).toEqual([
      404,
      expect.objectContaining({ code: 101, error: 'This request has expired. Sign again.' }),
    ])
  })

  test('S9, S29: the id must be the signer', async () => {
    const [victim, thief] = [newAccount(), newAccount()]
    const { status, body } = await server.call(
      'POST',
      '/users',
      await proof(thief, textOf(await getTime()), victim.address),
      installation(),
    )
    expect([status, body.code]).toEqual([404, 101])
  })

  test('S11: malformed parts are refused, never a 500', async () => {
    const time = await getTime()
    const { authData } = await proof(newAccount(), textOf(time))
    const right = authData.moralisEth
    const cases: [unknown, number][] = [
      [{ ...right, signature: undefined }, 101],
      [{ ...right, signature: { $ne: 1 } }, 101],
      [{ ...right, signature: '0x' }, 101],
      [{ ...right, signature: `0x${'00'.repeat(65)}` }, 101],
      [{ ...right, id: 5 }, 101],
      [{ ...right, id: '0x12' }, 101],
      [{ ...right, data: ['x'] }, 101],
      [{ ...right, data: undefined }, 101],
      [{ ...right, data: 'x'.repeat(100_000) }, 162],
      ['text', 101],
      [[], 101],
    ]
    for (const [moralisEth, code] of cases) {
      const answer = await server.call('POST', '/users', { authData: { moralisEth } }, installation())
      expect([moralisEth, answer.status, answer.body.code]).toEqual([moralisEth, code === 101 ? 404 : 400, code])
    }
  })

  test.each(['moralisErd', 'moralisDot', 'facebook', 'constructor2', 'toString'])(
    'the sign-in method %s is off',
    async (provider) => {
      const { status, body } = await server.call(
        'POST',
        '/users',
        { authData: { [provider]: { id: 'x', signature: 'y', data: 'z' } } },
        installation(),
      )
      expect([status, body.code]).toEqual([400, 252])
    },
  )

  test('fields that come along are for a new account; a name that is taken leaves no account behind', async () => {
    await server.signUp('taken-name')
    const key = newAccount()
    const taken = { ...(await proof(key, textOf(await getTime()))), username: 'Taken-Name' }
    expect((await server.call('POST', '/users', taken, installation())).body.code).toBe(202)
    const made = await server.call(
      'POST',
      '/users',
      { ...(await proof(key, textOf(await getTime()))), username: 'own-name', nick: 'N' },
      installation(),
    )
    expect([made.status, made.body]).toMatchObject([
      201,
      { username: 'own-name', nick: 'N', ethAddress: key.address.toLowerCase() },
    ])
    const later = await server.call(
      'POST',
      '/users',
      { ...(await proof(key, textOf(await getTime()))), nick: 'M' },
      installation(),
    )
    expect([later.status, later.body]).toMatchObject([
      200,
      { username: 'own-name', nick: 'N', objectId: made.body.objectId },
    ])
    const me = await server.call('GET', '/users/me', undefined, { token: made.body.sessionToken as string })
    expect(me.body.code).toBe(209)
  })

  test('sign-in methods are shown to the user alone, and stored nowhere as a field', async () => {
    const user = await signIn()
    const other = await server.signUp('onlooker')
    await server.call('PUT', `/users/${user.objectId}`, { ACL: { '*': { read: true } } }, withToken(user))
    const own = { moralisEth: { id: user.address } }
    expect((await server.call('GET', '/users/me', undefined, { token: user.token })).body.authData).toEqual(own)
    expect(
      (await server.call('GET', `/users/${user.objectId}`, undefined, { token: user.token })).body.authData,
    ).toEqual(own)
    const seen = await server.call('GET', `/users/${user.objectId}`, undefined, { token: other.token })
    expect(seen.status).toBe(200)
    expect(seen.body).not.toHaveProperty('authData')
    for (const change of [{ 'authData.moralisEth': { id: user.address } }, { 'authData.x': 1 }]) {
      expect((await server.call('PUT', `/users/${other.objectId}`, change, { token: other.token })).body.code).toBe(252)
      const signUp = { username: 'dotted', password: 'x', ...change }
      expect((await server.call('POST', '/users', signUp)).body.code).toBe(252)
    }
  })

  test('S34: what was signed is in no log, and in the database only sealed', async () => {
    const { answer } = await signIn()
    const { token } = { token: answer.body.sessionToken as string }
    const session = await server.call('GET', '/sessions/me', undefined, { token })
    const { signature } = session.body.proof as { signature: string }
    expect(server.logs.join()).not.toContain(signature)
    const [row] = await server.database.db.query<{ all: string }>(
      sql`select string_agg(s::text, ${','}) as all from "_Session" s`,
    )
    expect(row?.all).not.toContain(signature)
    expect(row?.all).not.toContain(Buffer.from(signature).toString('hex'))
  })
})

describe('whole messages', () => {
  const ask = async (key: Key, parameters: object = {}, options = installation()) => {
    const { body } = await server.call(
      'POST',
      '/functions/requestMessage',
      { address: key.address, chain: 1, networkType: 'evm', ...parameters },
      options,
    )
    return (body.result as { message: string }).message
  }

  test('requestMessage gives an EIP-4361 text; the next time is null, so that the client signs it as it is', async () => {
    const key = newAccount()
    const message = await ask(key)
    expect(message).toMatch(/^localhost:\d+ wants you to sign in with your Ethereum account:\n0x/)
    const time = await server.call('POST', '/functions/getServerTime', {}, installation())
    expect(time.body).toEqual({ result: null })
    expect(await getTime()).toMatch(/ Nonce: [0-9a-f]{32}$/)
    const answer = await server.call('POST', '/users', await proof(key, message), installation())
    expect([answer.status, answer.body.ethAddress]).toEqual([201, key.address.toLowerCase()])
    const repeated = await server.call('POST', '/users', await proof(key, message), installation())
    expect([repeated.status, repeated.body.code]).toEqual([404, 101])
  })

  test('another installation does not get null, and cannot use the message', async () => {
    const key = newAccount()
    const message = await ask(key)
    expect(await getTime(installation('other'))).toMatch(/ at /)
    expect((await server.call('POST', '/users', await proof(key, message), installation('other'))).body.code).toBe(119)
    await server.call('POST', '/functions/getServerTime', {}, installation())
  })

  test('S9: a message for one address does not sign another one in, whatever the id says', async () => {
    const [key, victim] = [newAccount(), newAccount()]
    const message = await ask(key)
    const { status, body } = await server.call(
      'POST',
      '/users',
      await proof(key, message, victim.address.toLowerCase()),
      installation(),
    )
    expect([status, body.code]).toEqual([404, 101])
    await server.call('POST', '/functions/getServerTime', {}, installation())
  })

  test.each([
    [{ address: 'nonsense' }, 162],
    [{ chain: 999_999_999 }, 162],
    [{ networkType: 'dot' }, 162],
    [{ address: null }, 162],
    [{ purpose: 'link' }, 209],
  ])('refuses %j', async (parameters, code) => {
    const input = { address: newAccount().address, chain: 1, networkType: 'evm', ...parameters }
    expect((await server.call('POST', '/functions/requestMessage', input, installation())).body.code).toBe(code)
  })
})

describe('linking', () => {
  test('a second wallet is linked by its signature, and either signs in', async () => {
    const user = await signIn()
    const second = newAccount()
    const { status, body } = await link(user, second)
    expect([status, body.authData]).toEqual([200, { moralisEth: { id: user.address } }])
    const saved = await server.call(
      'PUT',
      `/classes/_User/${user.objectId}`,
      {
        accounts: { __op: 'AddUnique', objects: [second.address.toLowerCase()] },
        ethAddress: second.address.toLowerCase(),
      },
      withToken(user),
    )
    expect(saved.body).toMatchObject({
      accounts: [user.address, second.address.toLowerCase()],
      ethAddress: user.address,
    })
    expect((await signIn(second)).objectId).toBe(user.objectId)
    expect((await signIn(user.key)).objectId).toBe(user.objectId)
  })

  test('a password user links a wallet', async () => {
    const { objectId, token } = await server.signUp('with-password')
    const key = newAccount()
    const data = textOf(await getTime({ ...installation(), token }))
    expect(data).toContain(` to the account with-password (${objectId}). Nonce: `)
    expect(
      (await server.call('PUT', `/users/${objectId}`, await proof(key, data), { ...installation(), token })).status,
    ).toBe(200)
    expect((await signIn(key)).objectId).toBe(objectId)
  })

  test('D6: an address of somebody else is refused with 208, and stays theirs', async () => {
    const [owner, thief] = [await signIn(), await signIn()]
    const { body } = await link(thief, owner.key)
    expect(body).toMatchObject({ code: 208, error: 'this auth is already used' })
    expect((await signIn(owner.key)).objectId).toBe(owner.objectId)
  })

  test('D6: addresses that a client writes change nothing, and the answer tells the truth', async () => {
    const [user, victim] = [await signIn(), await signIn()]
    const forged: object[] = [
      { accounts: { __op: 'AddUnique', objects: [victim.address] }, ethAddress: victim.address },
      { accounts: [victim.address], ethAddress: { __op: 'Delete' }, solAddress: 'x', solAccounts: ['x'] },
      { 'accounts.0': victim.address },
    ]
    for (const change of forged) {
      const { status, body } = await server.call('PUT', `/users/${user.objectId}`, change, withToken(user))
      expect([status, body.accounts]).toEqual([200, [user.address]])
      if ('ethAddress' in change) expect(body.ethAddress).toBe(user.address)
      if ('solAddress' in change) expect([body.solAddress, body.solAccounts]).toEqual([null, null])
    }
    const me = await server.call('GET', '/users/me', undefined, withToken(user))
    expect([me.body.accounts, me.body.ethAddress, me.body.solAddress]).toEqual([
      [user.address],
      user.address,
      undefined,
    ])
  })

  test('S17: a sign-in text links nothing, a link text signs nobody in, and each is for its account', async () => {
    const [user, other] = [await signIn(), await signIn()]
    const key = newAccount()
    const path = `/users/${user.objectId}`
    const forSignIn = await proof(key, textOf(await getTime()))
    expect((await server.call('PUT', path, forSignIn, withToken(user))).body).toMatchObject({
      code: 101,
      reason: 'challengeOfOtherPurpose',
    })
    const forLink = await proof(key, textOf(await getTime(withToken(user))))
    expect((await server.call('POST', '/users', forLink, installation())).body).toMatchObject({
      code: 101,
      reason: 'challengeOfOtherPurpose',
    })
    const forOther = await proof(key, textOf(await getTime(withToken(other))))
    expect((await server.call('PUT', path, forOther, withToken(user))).body).toMatchObject({
      code: 101,
      reason: 'challengeOfOtherAccount',
    })
    expect((await signIn(key)).answer.status).toBe(201)
  })

  test('guests, other users and the master key link nothing to an account', async () => {
    const [user, other] = [await signIn(), await signIn()]
    const key = newAccount()
    for (const options of [installation(), withToken(other), { ...installation(), master: true }]) {
      const body = await proof(key, textOf(await getTime(withToken(user))))
      expect((await server.call('PUT', `/users/${user.objectId}`, body, options)).body.code).toBe(206)
    }
    expect((await server.call('GET', '/users/me', undefined, withToken(user))).body.accounts).toEqual([user.address])
  })

  test('what the older client sends back is harmless: known sign-in methods, or empty', async () => {
    const user = await signIn()
    const known = await proof(user.key, 'an old text')
    for (const authData of [
      known.authData,
      { moralisEth: { id: user.address } },
      {},
      null,
      { moralisEth: null },
      { __op: 'Delete' },
    ]) {
      const { status, body } = await server.call(
        'PUT',
        `/users/${user.objectId}`,
        { authData, note: 'kept' },
        withToken(user),
      )
      expect([authData, status, body.authData]).toEqual([authData, 200, { moralisEth: { id: user.address } }])
    }
    expect((await signIn(user.key)).objectId).toBe(user.objectId)
  })
})

describe('the class of addresses', () => {
  const find = (address: string, options: CallOptions = {}) =>
    server.call('POST', '/classes/_EthAddress', { _method: 'GET', where: { objectId: address }, limit: 1 }, options)

  test('a row is seen by its owner alone', async () => {
    const [owner, other] = [await signIn(), await signIn()]
    const own = await find(owner.address, withToken(owner))
    expect(own.body).toEqual({
      results: [
        {
          objectId: owner.address,
          createdAt: expect.any(String),
          updatedAt: expect.any(String),
          user: { __type: 'Pointer', className: '_User', objectId: owner.objectId },
          ACL: { [owner.objectId]: { read: true, write: true } },
        },
      ],
    })
    for (const options of [{}, withToken(other)]) {
      expect((await find(owner.address, options)).body).toEqual({ results: [] })
      expect((await server.call('GET', `/classes/_EthAddress/${owner.address}`, undefined, options)).body.code).toBe(
        101,
      )
      expect(listOf(await server.call('GET', '/classes/_EthAddress', undefined, options))).not.toContain(owner.address)
      expect(
        (await server.call('DELETE', `/classes/_EthAddress/${owner.address}`, undefined, options)).status,
      ).toBeGreaterThanOrEqual(400)
    }
    expect(
      (await server.call('GET', `/classes/_EthAddress/${owner.key.address}`, undefined, withToken(owner))).body
        .objectId,
    ).toBe(owner.address)
    expect(listOf(await find(owner.address, { master: true }))).toEqual([owner.address])
    expect((await signIn(owner.key)).objectId).toBe(owner.objectId)
  })

  test('nothing is written there, and other questions are refused rather than half answered', async () => {
    const user = await signIn()
    const address = newAccount().address.toLowerCase()
    expect((await server.call('POST', '/classes/_EthAddress', { objectId: address }, withToken(user))).body.code).toBe(
      119,
    )
    expect(
      (await server.call('PUT', `/classes/_EthAddress/${user.address}`, { user: 'x' }, withToken(user))).body.code,
    ).toBe(119)
    for (const where of [{ user: 'x' }, { objectId: { $regex: '.*' } }, { objectId: { $in: [{}] } }, { $or: [] }, 5]) {
      expect(
        (await server.call('POST', '/classes/_EthAddress', { _method: 'GET', where }, withToken(user))).body.code,
      ).toBe(102)
    }
  })

  test('unlinking in the order of the older client leaves the other wallet as a sign-in method', async () => {
    const user = await signIn()
    const second = newAccount()
    const secondAddress = second.address.toLowerCase()
    await link(user, second)
    expect(
      (await server.call('DELETE', `/classes/_EthAddress/${user.address}`, undefined, withToken(user))).body,
    ).toEqual({})
    const path = `/classes/_User/${user.objectId}`
    const first = await server.call(
      'PUT',
      path,
      { authData: { moralisEth: null }, accounts: [secondAddress], ethAddress: secondAddress },
      withToken(user),
    )
    expect(first.body).toMatchObject({ accounts: [secondAddress], ethAddress: secondAddress })
    expect((await server.call('PUT', path, { authData: {} }, withToken(user))).status).toBe(200)
    expect((await find(user.address, withToken(user))).body).toEqual({ results: [] })
    expect((await signIn(second)).objectId).toBe(user.objectId)
    const returned = await signIn(user.key)
    expect(returned.answer.status).toBe(201)
  })

  test('S20: the last sign-in method stays, and a session left open takes none away', async () => {
    const user = await signIn()
    const last = await server.call('DELETE', `/classes/_EthAddress/${user.address}`, undefined, withToken(user))
    expect(last.body).toMatchObject({ code: 119, error: expect.stringContaining('only sign-in method') })
    await link(user, newAccount())
    server.clock.forward(16 * 60_000)
    const stale = await server.call('DELETE', `/classes/_EthAddress/${user.address}`, undefined, withToken(user))
    expect(stale.body).toMatchObject({ code: 119, error: expect.stringContaining('Confirm') })
    expect((await signIn(user.key)).objectId).toBe(user.objectId)
  })
})

describe('Solana', () => {
  function newSolanaKey() {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519')
    const id = binToBase58(publicKey.export({ format: 'der', type: 'spki' }).subarray(-32))
    return {
      id,
      prove: (data: string) => ({
        moralisSol: { id, signature: sign(null, Buffer.from(data), privateKey).toString('base64'), data },
      }),
    }
  }
  type SolanaKey = ReturnType<typeof newSolanaKey>
  const enter = async (key: SolanaKey) =>
    server.call('POST', '/users', { authData: key.prove(textOf(await getTime())) }, installation())

  test('R19: signs up and in, links and unlinks', async () => {
    const key = newSolanaKey()
    const made = await enter(key)
    expect([made.status, made.body]).toMatchObject([
      201,
      { solAddress: key.id, solAccounts: [key.id], authData: { moralisSol: { id: key.id } } },
    ])
    expect(made.body).not.toHaveProperty('ethAddress')
    const again = await enter(key)
    expect([again.status, again.body.objectId]).toEqual([200, made.body.objectId])
    const options = { ...installation(), token: again.body.sessionToken as string }
    const session = await server.call('GET', '/sessions/me', undefined, options)
    expect(session.body.createdWith).toEqual({ action: 'login', authProvider: 'moralisSol' })

    const second = newSolanaKey()
    const path = `/users/${made.body.objectId}`
    const both = { moralisEth: null, ...second.prove(textOf(await getTime(options))) }
    expect((await server.call('PUT', path, { authData: both }, options)).status).toBe(200)
    expect(listOf(await server.call('GET', '/classes/_SolAddress', undefined, options))).toEqual([key.id, second.id])
    expect((await server.call('DELETE', `/classes/_SolAddress/${key.id}`, undefined, options)).body).toEqual({})
    expect((await server.call('GET', '/users/me', undefined, options)).body.solAccounts).toEqual([second.id])
  })

  test('S28: a text that could be a transaction is refused', async () => {
    const key = newSolanaKey()
    const data = `\u0001\u0001\u0002${textOf(await getTime())}`
    const { status, body } = await server.call('POST', '/users', { authData: key.prove(data) }, installation())
    expect([status, body.code]).toEqual([404, 101])
  })

  test('a signature of another key, or none, is refused', async () => {
    const [key, other] = [newSolanaKey(), newSolanaKey()]
    for (const change of [{ id: other.id }, { signature: 'AAAA' }, { id: 'not base58 0OIl' }]) {
      const { moralisSol } = key.prove(textOf(await getTime()))
      const { status, body } = await server.call(
        'POST',
        '/users',
        { authData: { moralisSol: { ...moralisSol, ...change } } },
        installation(),
      )
      expect([status, body.code]).toEqual([404, 101])
    }
  })
})

describe('settings', () => {
  test('SEC-10: the operator names the words, and other clients sign in with those alone', async () => {
    const other = await createTestServer({ olderSignIn: { messages: ['Välkommen till Acme 👋', 'Acme\nversion 2'] } })
    try {
      const enter = async (words: string) => {
        const { body } = await other.call('POST', '/functions/getServerTime', {}, installation())
        const { dateTime } = body.result as { dateTime: string }
        const data = `${words}\n\nId: ${other.appId}:${dateTime}`
        return (await other.call('POST', '/users', await proof(newAccount(), data), installation())).status
      }
      expect(await enter('Välkommen till Acme 👋')).toBe(201)
      expect(await enter('Acme\nversion 2')).toBe(201)
      expect(await enter('Moralis Authentication')).toBe(404)
    } finally {
      await other.stop()
    }
  })

  test('SEC-10: one setting turns the older text off; whole messages still sign in', async () => {
    const other = await createTestServer({ olderSignIn: { enabled: false } })
    try {
      const time = () => other.call('POST', '/functions/getServerTime', {}, installation())
      const refusal = { code: 119, error: expect.stringContaining('disabled') }
      expect(await time()).toMatchObject({ status: 400, body: refusal })
      const key = newAccount()
      const bare = await other.call('POST', '/users', await proof(key, 'Moralis Authentication'), installation())
      expect(bare).toMatchObject({ status: 400, body: refusal })

      const asked = { address: key.address, chain: 1, networkType: 'evm' }
      const { body } = await other.call('POST', '/functions/requestMessage', asked, installation())
      // The client asks for the time at once; without one it signs the message as it is.
      expect((await time()).body).toEqual({ result: null })
      expect((await time()).body.code).toBe(119)
      const { message } = body.result as { message: string }
      expect((await other.call('POST', '/users', await proof(key, message), installation())).status).toBe(201)
    } finally {
      await other.stop()
    }
  })
})
