import { generateKeyPairSync, sign } from 'node:crypto'
import { binToBase58 } from '@bitauth/libauth'
import { describe, expect, test } from 'vitest'
import {
  createOlderClient,
  installation,
  listOf,
  newAccount,
  proof,
  withToken,
} from '../../testing/accounts/createOlderClient.ts'
import type { CallOptions } from '../../testing/createTestServer.ts'
import { serveTests } from '../../testing/serveTests.ts'

const server = serveTests()

const { signIn, link, page, textOf, getTime } = createOlderClient(() => server)

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

  test('D6: addresses written by a client change nothing, and the response shows the stored ones', async () => {
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

  test('S17: a sign-in text links nothing, a link text does not sign in, and each is for its account', async () => {
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

  test('data that the older client sends back is harmless: known sign-in methods, or empty', async () => {
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

  test('writes are rejected, and other queries are rejected instead of half served', async () => {
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
    server.call('POST', '/users', { authData: key.prove(textOf(await getTime(page()))) }, page())

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
