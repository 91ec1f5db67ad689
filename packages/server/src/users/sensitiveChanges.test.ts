import { describe, expect, test } from 'vitest'
import { sql } from '../db/sql.ts'
import { createWallet } from '../testing/chain/createWallet.ts'
import { createWalletUser, type WalletUser } from '../testing/createWalletUser.ts'
import { serveTests } from '../testing/serveTests.ts'

const server = serveTests()

const headers = { 'X-Parse-Installation-Id': 'old-browser' }
const reauthenticate = 'Confirm it’s you to continue.'
let count = 0

/** Signs a wallet's text the way that the older clients do: for a link, in the session that asks. */
async function authData(key = createWallet(), token?: string) {
  const time = await server.call('POST', '/functions/getServerTime', {}, { headers, ...(token && { token }) })
  const { dateTime } = time.body.result as { dateTime: string }
  const data = `Moralis Authentication\n\nId: ${server.appId}:${dateTime}`
  const id = key.address.toLowerCase()
  return { authData: { moralisEth: { id, signature: await key.signMessage({ message: data }), data } } }
}

async function makeStale(): Promise<{ objectId: string; token: string; username: string; password: string }> {
  const username = `stale${++count}`
  const user = await server.signUp(username, { email: `${username}@example.com` })
  server.clock.forward(901_000)
  return { ...user, username, password: `${username} password` }
}

const wallets = async ({ objectId }: { objectId: string }) =>
  (await server.context.db.query(sql`select 1 from countersign.wallets where "user" = ${objectId}`)).length

const sessions = async ({ objectId }: { objectId: string }) =>
  (await server.context.db.query(sql`select 1 from "_Session" where "user" = ${objectId}`)).length

describe('a session that was confirmed long ago', () => {
  test.each(['/users', '/classes/_User'])('SEC-2: links no wallet by PUT %s/:id { authData }', async (path) => {
    const user = await makeStale()
    const body = await authData(createWallet(), user.token)
    const answer = await server.call('PUT', `${path}/${user.objectId}`, body, { token: user.token, headers })
    expect([answer.status, answer.body.code, answer.body.error]).toEqual([403, 119, reauthenticate])
    expect(await wallets(user)).toBe(0)
  })

  test('SEC-2: nor in a batch, nor by POST with _method, while a fresh one links it', async () => {
    const user = await makeStale()
    const path = `/users/${user.objectId}`
    const inBatch = await server.call(
      'POST',
      '/batch',
      {
        requests: [{ method: 'PUT', path: `/server${path}`, body: await authData(createWallet(), user.token) }],
      },
      { token: user.token, headers },
    )
    expect(inBatch.body).toMatchObject([{ error: { code: 119 } }])
    const overridden = await server.call(
      'POST',
      path,
      { _method: 'PUT', ...(await authData(createWallet(), user.token)) },
      { token: user.token, headers },
    )
    expect(overridden.body.code).toBe(119)
    expect(await wallets(user)).toBe(0)

    const again = await server.call('POST', '/auth/reauthenticate', { password: user.password }, { token: user.token })
    const token = again.body.sessionToken as string
    const body = await authData(createWallet(), token)
    expect((await server.call('PUT', path, body, { token, headers })).status).toBe(200)
    expect(await wallets(user)).toBe(1)
  })

  test('SEC-2: does not take the id of a guest off', async () => {
    const id = `6ba7b810-9dad-11d1-80b4-00c04fd430${count++ + 10}`
    const guest = await server.call('POST', '/users', { authData: { anonymous: { id } } }, { headers })
    const [token, objectId] = [guest.body.sessionToken as string, guest.body.objectId as string]
    const link = await authData(createWallet(), token)
    expect((await server.call('PUT', `/users/${objectId}`, link, { token, headers })).status).toBe(200)
    server.clock.forward(901_000)
    const unlink = await server.call('PUT', `/users/${objectId}`, { authData: { anonymous: null } }, { token, headers })
    expect([unlink.status, unlink.body.code]).toEqual([403, 119])
    const signedIn = await server.call('POST', '/users', { authData: { anonymous: { id } } }, { headers })
    expect(signedIn.body.objectId).toBe(objectId)
  })

  test('a guest, who has nothing to confirm with, sets a first sign-in method at any time and a second one not', async () => {
    const guest = await server.call(
      'POST',
      '/users',
      { authData: { anonymous: { id: '6ba7b810-9dad-11d1-80b4-00c04fd43001' } } },
      { headers },
    )
    const [token, objectId] = [guest.body.sessionToken as string, guest.body.objectId as string]
    server.clock.forward(901_000)
    const first = await authData(createWallet(), token)
    expect((await server.call('PUT', `/users/${objectId}`, first, { token, headers })).status).toBe(200)
    const second = await authData(createWallet(), token)
    expect((await server.call('PUT', `/users/${objectId}`, second, { token, headers })).body.code).toBe(119)
    expect(await wallets({ objectId })).toBe(1)
  })

  test('SEC-3: changes no e-mail address, and one that is sent back as it is asks for nothing', async () => {
    const user = await makeStale()
    const path = `/users/${user.objectId}`
    for (const email of ['thief@example.com', `${user.username.toUpperCase()}@example.com`, null, { __op: 'Delete' }]) {
      const answer = await server.call('PUT', path, { email }, { token: user.token })
      expect([answer.status, answer.body.code, answer.body.error]).toEqual([403, 119, reauthenticate])
    }
    const same = { email: `${user.username}@example.com`, username: user.username, note: 'kept' }
    expect((await server.call('PUT', path, same, { token: user.token })).status).toBe(200)
    const { body } = await server.call('GET', path, undefined, { token: user.token })
    expect(body).toMatchObject(same)
  })

  test('changes no name that signs in; the name of a wallet user does not sign in and may change', async () => {
    const user = await makeStale()
    const renamed = await server.call('PUT', `/users/${user.objectId}`, { username: 'other' }, { token: user.token })
    expect([renamed.status, renamed.body.code]).toEqual([403, 119])
    const wallet: WalletUser = await createWalletUser(server)
    server.clock.forward(901_000)
    const path = `/users/${wallet.objectId}`
    expect((await server.call('PUT', path, { username: `new${++count}` }, { token: wallet.token })).status).toBe(200)
  })

  test.each(['/users', '/classes/_User'])('SEC-13: does not delete the account by DELETE %s/:id', async (path) => {
    const user = await makeStale()
    const one = `${path}/${user.objectId}`
    const answer = await server.call('DELETE', one, undefined, { token: user.token })
    expect([answer.status, answer.body.code, answer.body.error]).toEqual([403, 119, reauthenticate])
    const batch = { requests: [{ method: 'DELETE', path: `/server${one}` }] }
    const inBatch = await server.call('POST', '/batch', batch, { token: user.token })
    expect(inBatch.body).toMatchObject([{ error: { code: 119 } }])
    expect((await server.call('POST', one, { _method: 'DELETE' }, { token: user.token })).body.code).toBe(119)
    expect((await server.call('GET', '/users/me', undefined, { token: user.token })).status).toBe(200)
  })

  test.each(['/sessions', '/classes/_Session'])('SEC-19: makes no session by POST %s', async (path) => {
    const user = await makeStale()
    const answer = await server.call('POST', path, {}, { token: user.token })
    expect([answer.status, answer.body.code, answer.body.error]).toEqual([403, 119, reauthenticate])
    expect(await sessions(user)).toBe(1)
  })
})

test('SEC-19: no session created while all others are ended is left', async () => {
  for (let round = 0; round < 5; round++) {
    const username = `racer${++count}`
    const user = await server.signUp(username)
    const { body } = await server.call('POST', '/login', { username, password: `${username} password` })
    const stolen = { token: user.token }
    const made = Array.from({ length: 8 }, () => server.call('POST', '/sessions', {}, stolen))
    await server.call('POST', '/revokeOtherSessions', {}, { token: body.sessionToken as string })
    await Promise.all(made)
    expect(await sessions(user)).toBe(1)
  }
})

test('SEC-19: a session made by another lives no longer than it, with any body', async () => {
  const user = await server.signUp(`maker${++count}`)
  const year = server.context.config.sessionLength * 1000
  server.clock.forward(600_000)
  const far = { __type: 'Date', iso: '2999-01-01T00:00:00.000Z' }
  const made = await server.call('POST', '/sessions', { expiresAt: far }, { token: user.token })
  expect(made.status).toBe(201)
  const expiresAt = Date.parse((made.body.expiresAt as { iso: string }).iso)
  expect(expiresAt).toBeLessThanOrEqual(server.clock.now().getTime() - 600_000 + year)
})

test('SEC-19: a session that the master key opens for a user counts as no proof of that user', async () => {
  const user = await server.signUp(`visited${++count}`)
  const { body } = await server.call('POST', '/loginAs', { userId: user.objectId }, { master: true })
  const token = body.sessionToken as string
  const made = await server.call('POST', '/sessions', {}, { token })
  expect([made.status, made.body.code]).toEqual([403, 119])
  const changed = await server.call('PUT', `/users/${user.objectId}`, { password: 'by a visitor' }, { token })
  expect([changed.status, changed.body.code]).toEqual([403, 119])
})
