import { describe, expect, test } from 'vitest'
import { sql } from '../../db/sql.ts'
import {
  createOlderClient,
  installation,
  newAccount,
  proof,
  withToken,
} from '../../testing/accounts/createOlderClient.ts'
import { type CallOptions, createTestServer } from '../../testing/createTestServer.ts'
import { serveTests } from '../../testing/serveTests.ts'

const server = serveTests()

const { getTime, signIn, textOf, countSessions } = createOlderClient(() => server)

describe('functions', () => {
  test('functions that the older client calls automatically exist, even with an ended session', async () => {
    const options = { ...installation(), token: 'r:gone' }
    expect((await server.call('POST', '/functions/getPluginSpecs', {}, options)).body).toEqual({ result: [] })
    expect((await server.call('POST', '/functions/getServerTime', {}, options)).status).toBe(200)
  })

  test('the time contains the time, the page and a new nonce', async () => {
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

  test('a time requires an installation', async () => {
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

  test('S3: rejects a time of another installation or for another page', async () => {
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

  test('S4: rejects other texts and other times', async () => {
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
    // No attempt used up the valid time; a changed one does.
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

  test('S34: signed texts are in no log, and encrypted in the database', async () => {
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
