import { randomUUID } from 'node:crypto'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { sql } from '../../db/sql.ts'
import { keepPasskey } from '../../testing/accounts/keepPasskey.ts'
import { answerChallenge, installation } from '../../testing/answerChallenge.ts'
import { createWalletUser, type WalletUser } from '../../testing/createWalletUser.ts'
import { serveTests } from '../../testing/serveTests.ts'

const server = serveTests()

const minute = 60_000

const hour = 60 * minute

const as = (token: string) => ({ token, headers: installation })

const me = (token: string) => server.call('GET', '/users/me', undefined, { token })

const signInMethods = async (token: string) =>
  (await server.call('GET', '/auth/signInMethods', undefined, { token })).body as {
    password: boolean
    wallets: { objectId: string; address: string; primary: boolean }[]
    passkeys: { objectId: string }[]
  }

const update = (user: WalletUser, body: object) =>
  server.call('PUT', `/users/${user.objectId}`, body, { token: user.token })

const getUser = (objectId: string) => server.call('GET', `/users/${objectId}`, undefined, { master: true })

async function preview(token: string, account: PrivateKeyAccount) {
  const proof = await answerChallenge(server, account, 'merge', { token })
  return server.call('POST', '/auth/merges', proof, as(token))
}

async function planned(token: string, account: PrivateKeyAccount): Promise<string> {
  const { status, body } = await preview(token, account)
  if (status !== 201) throw new Error(`no preview: ${JSON.stringify(body)}`)
  return body.objectId as string
}

const carryOut = (id: string, token?: string) => server.call('POST', `/auth/merges/${id}`, {}, token ? { token } : {})

const undo = (id: string, token?: string) =>
  server.call('DELETE', `/auth/merges/${id}`, undefined, token ? { token } : {})

/** Confirms the session by a signature; the new token. */
async function confirmed({ token, account }: WalletUser): Promise<string> {
  const proof = await answerChallenge(server, account, 'reauthenticate', { token })
  return (await server.call('POST', '/auth/reauthenticate', proof, as(token))).body.sessionToken as string
}

async function person(fields: object = {}): Promise<WalletUser> {
  const user = await createWalletUser(server)
  if (Object.keys(fields).length > 0) await update(user, fields)
  return user
}

describe('merge', () => {
  test('a preview lists what would move and moves nothing; the merge moves exactly that', async () => {
    const mine = await person({ city: 'Lyon', score: 5, cleared: null })
    const other = await person({
      city: 'Oslo',
      motto: 'fair winds',
      place: { __type: 'GeoPoint', latitude: 1.5, longitude: 2 },
      tags: ['a'],
      cleared: 'x',
      email: `${randomUUID()}@example.com`,
    })
    const passkey = await keepPasskey(server, other.objectId)
    const seen = await preview(mine.token, other.account)
    expect(seen.status).toBe(201)
    expect(seen.body).toMatchObject({
      from: { objectId: other.objectId, username: other.username },
      into: { objectId: mine.objectId, username: mine.username },
      wallets: [{ address: other.account.address, primary: true }],
      passkeys: [{ objectId: passkey, name: 'Key' }],
      sessionsEnded: 1,
    })
    expect((seen.body.fields as string[]).sort()).toEqual(['motto', 'place', 'tags'])
    expect((seen.body.kept as string[]).sort()).toEqual(['city', 'cleared'])
    expect((await me(other.token)).status).toBe(200)
    expect((await signInMethods(mine.token)).wallets).toHaveLength(1)

    const done = await carryOut(seen.body.objectId as string, mine.token)
    expect([done.status, Object.keys(done.body)]).toEqual([200, ['undoUntil']])
    const { body } = await me(mine.token)
    expect(body).toMatchObject({
      username: mine.username,
      city: 'Lyon',
      score: 5,
      cleared: null,
      motto: 'fair winds',
      place: { latitude: 1.5, longitude: 2 },
      tags: ['a'],
      ethAddress: mine.account.address.toLowerCase(),
      accounts: [mine.account.address, other.account.address].map((address) => address.toLowerCase()),
      ACL: { [mine.objectId]: { read: true, write: true } },
    })
    expect(body).not.toHaveProperty('email')
    expect((await signInMethods(mine.token)).passkeys.map(({ objectId }) => objectId)).toEqual([passkey])
    expect((await me(other.token)).body.code).toBe(209)
    expect((await getUser(other.objectId)).status).toBe(404)
    expect((await createWalletUser(server, other.account)).objectId).toBe(mine.objectId)
    const again = await createWalletUser(server, mine.account)
    const { body: activity } = await server.call('GET', '/auth/activity', undefined, { token: again.token })
    expect((activity.results as { action: string }[]).map(({ action }) => action)).toContain('merge')
    const [gone] = await server.context.db.query(
      sql`select details from countersign.activity where "user" = ${other.objectId} and action = 'mergedInto'`,
    )
    expect(gone).toMatchObject({ details: { into: mine.objectId } })
  })

  test('S34: data for the undo is encrypted in the database', async () => {
    const mine = await person()
    const other = await person({ motto: 'not for strangers' })
    const id = await planned(mine.token, other.account)
    await carryOut(id, mine.token)
    const rows = await server.context.db.query<{ undo: Buffer }>(
      sql`select undo from countersign.merges where "objectId" = ${id}`,
    )
    expect(rows[0]?.undo.length).toBeGreaterThan(100)
    expect(rows[0]?.undo.toString('latin1')).not.toContain('strangers')
  })

  test('a user with a password merges a wallet account; its own password stays the one that works', async () => {
    const mine = await server.signUp('merger')
    const other = await person()
    await server.call('POST', '/changePassword', { newPassword: 'of the other' }, { token: other.token })
    expect((await carryOut(await planned(mine.token, other.account), mine.token)).status).toBe(200)
    expect((await server.call('POST', '/login', { username: 'merger', password: 'merger password' })).status).toBe(200)
    expect(
      (await server.call('POST', '/login', { username: other.username, password: 'of the other' })).body.reason,
    ).toBe('accountMerged')
    expect((await server.call('POST', '/login', { username: 'merger', password: 'of the other' })).status).toBe(404)
    expect((await me(mine.token)).body.ethAddress).toBe(other.account.address.toLowerCase())
  })
})

describe('S21: half a proof merges nothing', () => {
  test('the own session must have been confirmed within five minutes, for the preview and for the merge', async () => {
    const mine = await person()
    const other = await person()
    server.clock.forward(5 * minute + 1000)
    const early = await preview(mine.token, other.account)
    expect([early.status, early.body.code, early.body.reason]).toEqual([403, 119, 'reauthenticationRequired'])
    const token = await confirmed(mine)
    server.clock.forward(4 * minute)
    const id = await planned(token, other.account)
    server.clock.forward(2 * minute)
    // The other side's proof is two minutes old by now, the own one six.
    const late = await carryOut(id, token)
    expect([late.status, late.body.reason]).toEqual([403, 'reauthenticationRequired'])
    const renewed = await confirmed({ ...mine, token })
    expect((await carryOut(id, renewed)).status).toBe(200)
  })

  test("the other side's proof must be no older than five minutes", async () => {
    const mine = await person()
    const other = await person()
    const id = await planned(mine.token, other.account)
    server.clock.forward(5 * minute + 1000)
    const token = await confirmed(mine)
    const late = await carryOut(id, token)
    expect([late.status, late.body.code]).toEqual([403, 119])
    expect((await getUser(other.objectId)).status).toBe(200)
  })

  test('rejects a signature for another purpose or another account', async () => {
    const mine = await person()
    const other = await person()
    for (const purpose of ['signIn', 'link', 'reauthenticate'] as const) {
      const proof = await answerChallenge(server, other.account, purpose, { token: mine.token })
      const answer = await server.call('POST', '/auth/merges', proof, as(mine.token))
      expect([answer.status, answer.body.code, purpose]).toEqual([401, 101, purpose])
    }
    // Signed for the account of somebody else, presented by another.
    const forMine = await answerChallenge(server, other.account, 'merge', { token: mine.token })
    const thief = await person()
    expect((await server.call('POST', '/auth/merges', forMine, as(thief.token))).status).toBe(401)
    const forged = await answerChallenge(server, thief.account, 'merge', { token: mine.token })
    const message = forged.message.replace(thief.account.address, other.account.address)
    expect((await server.call('POST', '/auth/merges', { ...forged, message }, as(mine.token))).status).toBe(401)
  })

  test('an unlinked wallet, and one of the own account, merge nothing', async () => {
    const mine = await person()
    expect((await preview(mine.token, privateKeyToAccount(generatePrivateKey()))).body.code).toBe(101)
    expect((await preview(mine.token, mine.account)).body.code).toBe(162)
  })

  test('a wallet that was unlinked after it proved its account proves it no more', async () => {
    const mine = await person()
    const other = await person()
    const second = privateKeyToAccount(generatePrivateKey())
    const linked = await server.call(
      'POST',
      '/auth/wallets',
      await answerChallenge(server, second, 'link', { token: other.token }),
      as(other.token),
    )
    const id = await planned(mine.token, second)
    await server.call('DELETE', `/auth/wallets/${linked.body.objectId}`, undefined, { token: other.token })
    expect((await carryOut(id, mine.token)).status).toBe(403)
    expect((await getUser(other.objectId)).status).toBe(200)
  })

  test('S33: an account that the operator locked does not come in through another', async () => {
    const mine = await person()
    const other = await person()
    const id = await planned(mine.token, other.account)
    await server.call('PUT', `/users/${other.objectId}`, { ACL: {} }, { master: true })
    expect((await carryOut(id, mine.token)).status).toBe(403)
    expect((await preview(mine.token, other.account)).status).toBe(403)
    expect((await getUser(other.objectId)).status).toBe(200)
  })

  test('S33: a session that was revoked after the preview merges nothing', async () => {
    const mine = await person()
    const other = await person()
    const id = await planned(mine.token, other.account)
    await server.call('POST', '/logout', {}, { token: mine.token })
    expect((await carryOut(id, mine.token)).body.code).toBe(209)
    expect((await getUser(other.objectId)).status).toBe(200)
  })
})

test('S21: permission to merge and undo: guest, another user, the merged account, the owner', async () => {
  const mine = await person()
  const other = await person()
  const stranger = await person()
  expect((await server.call('POST', '/auth/merges', { message: 'm', signature: 's' })).body.code).toBe(209)
  const id = await planned(mine.token, other.account)
  const table: [who: string, token: string | undefined, status: number][] = [
    ['guest', undefined, 400],
    ['another user', stranger.token, 404],
    ['the account to be merged', other.token, 404],
  ]
  for (const [who, token, status] of table)
    expect([who, (await carryOut(id, token)).status, (await undo(id, token)).status]).toEqual([who, status, status])
  expect((await undo(id, mine.token)).status).toBe(404)
  expect((await carryOut(id, mine.token)).status).toBe(200)
  for (const [who, token] of table.slice(0, 2))
    expect([who, (await undo(id, token)).status]).toEqual([who, token ? 404 : 400])
  expect((await undo(id, mine.token)).status).toBe(200)
  // One proof, one merge: what was undone is not done again by the same one.
  expect((await carryOut(id, mine.token)).status).toBe(403)
  expect((await getUser(other.objectId)).status).toBe(200)
})

describe('merges at once', () => {
  test('S21: the same one twice: it happens once', async () => {
    for (let round = 0; round < 3; round++) {
      const mine = await person()
      const other = await person()
      const id = await planned(mine.token, other.account)
      const answers = await Promise.all([1, 2, 3, 4].map(() => carryOut(id, mine.token)))
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 403, 403, 403])
      expect((await signInMethods(mine.token)).wallets).toHaveLength(2)
    }
  })

  test('S21: one account into two others: one of them gets it', async () => {
    for (let round = 0; round < 3; round++) {
      const [first, second, other] = [await person(), await person(), await person()]
      const plans = [await planned(first.token, other.account), await planned(second.token, other.account)] as const
      const answers = await Promise.all([carryOut(plans[0], first.token), carryOut(plans[1], second.token)])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 403])
      const counts = [
        (await signInMethods(first.token)).wallets.length,
        (await signInMethods(second.token)).wallets.length,
      ]
      expect(counts).toEqual(answers[0]?.status === 200 ? [2, 1] : [1, 2])
    }
  })

  test('S21: two accounts into each other: one is left, with both wallets', async () => {
    for (let round = 0; round < 3; round++) {
      const [first, second] = [await person(), await person()]
      const plans = [await planned(first.token, second.account), await planned(second.token, first.account)] as const
      const answers = await Promise.all([carryOut(plans[0], first.token), carryOut(plans[1], second.token)])
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      expect(answers.every(({ status }) => status < 500)).toBe(true)
      const owner = await createWalletUser(server, first.account)
      expect((await signInMethods(owner.token)).wallets).toHaveLength(2)
    }
  })
})

describe('undo', () => {
  test('brings the other account back as it was, and takes its things out of this one', async () => {
    const email = `${randomUUID()}@example.com`
    const mine = await person({ city: 'Lyon' })
    const other = await person({
      email,
      motto: 'fair winds',
      nick: 'ot',
      place: { __type: 'GeoPoint', latitude: 1.5, longitude: 2 },
      born: { __type: 'Date', iso: '2001-02-03T04:05:06.007Z' },
      blob: { __type: 'Bytes', base64: 'AAEC/w==' },
      height: 1.1e-7,
      nothing: null,
    })
    const { body: kept } = await server.call(
      'POST',
      '/changePassword',
      { newPassword: 'kept hash' },
      { token: other.token },
    )
    const passkey = await keepPasskey(server, other.objectId)
    const before = (await me(kept.sessionToken as string)).body
    const id = await planned(mine.token, other.account)
    await carryOut(id, mine.token)
    expect((await update(mine, { nick: 'changed since' })).status).toBe(200)
    server.clock.forward(23 * hour)
    const token = await confirmed(mine)
    const answer = await undo(id, token)
    expect([answer.status, answer.body]).toEqual([200, {}])

    const back = await server.call('POST', '/login', { username: other.username, password: 'kept hash' })
    const { sessionToken: _old, updatedAt: _then, ...then } = before
    const { sessionToken, updatedAt, ...now } = (await me(back.body.sessionToken as string)).body
    expect(now).toEqual(then)
    expect(now.objectId).toBe(other.objectId)
    expect((await signInMethods(sessionToken as string)).passkeys.map(({ objectId }) => objectId)).toEqual([passkey])
    expect((await createWalletUser(server, other.account)).objectId).toBe(other.objectId)
    const own = (await me(token)).body
    expect(own).toMatchObject({ city: 'Lyon', nick: 'changed since', accounts: [mine.account.address.toLowerCase()] })
    for (const field of ['motto', 'place', 'born', 'blob', 'height']) expect(own).not.toHaveProperty(field)
    expect((await undo(id, token)).status).toBe(403)
  })

  test('not without a recent proof, and not after seven days', async () => {
    const mine = await person()
    const other = await person()
    const id = await planned(mine.token, other.account)
    await carryOut(id, mine.token)
    server.clock.forward(16 * minute)
    const unproven = await undo(id, mine.token)
    expect([unproven.status, unproven.body.reason]).toEqual([403, 'reauthenticationRequired'])
    server.clock.forward(7 * 24 * hour)
    const late = await undo(id, await confirmed(mine))
    expect([late.status, late.body.code, late.body.reason]).toEqual([403, 119, 'mergeUndoExpired'])
    expect((await getUser(other.objectId)).status).toBe(404)
  })

  test('the name stays reserved, and the undo succeeds', async () => {
    const mine = await person()
    const other = await person({ motto: 'stays' })
    const id = await planned(mine.token, other.account)
    await carryOut(id, mine.token)
    const refused = await server.call(
      'PUT',
      `/users/${mine.objectId}`,
      { username: other.username.toUpperCase() },
      { token: mine.token },
    )
    expect([refused.status, refused.body.code]).toEqual([400, 202])
    expect((await me(mine.token)).body).toMatchObject({
      motto: 'stays',
      accounts: [expect.any(String), expect.any(String)],
    })
    expect((await undo(id, mine.token)).status).toBe(200)
  })

  test('an email address taken in between stays with its new owner', async () => {
    const email = `${randomUUID()}@example.com`
    const mine = await person()
    const other = await person({ email })
    const id = await planned(mine.token, other.account)
    await carryOut(id, mine.token)
    await update(mine, { email })
    expect((await undo(id, mine.token)).status).toBe(200)
    expect((await me(mine.token)).body.email).toBe(email)
    expect((await getUser(other.objectId)).body).not.toHaveProperty('email')
  })

  test('S20: never leaves either account without a sign-in method', async () => {
    const mine = await person()
    const other = await person()
    const id = await planned(mine.token, other.account)
    await carryOut(id, mine.token)
    const wallets = (await signInMethods(mine.token)).wallets
    const own = wallets.find(({ address }) => address === mine.account.address)
    const theirs = wallets.find(({ address }) => address === other.account.address)
    const unlink = (objectId?: string) =>
      server.call('DELETE', `/auth/wallets/${objectId}`, undefined, { token: mine.token })
    expect((await unlink(own?.objectId)).status).toBe(200)
    expect((await undo(id, mine.token)).status).toBe(403)
    expect((await getUser(other.objectId)).status).toBe(404)
    await server.call('POST', `/auth/wallets/${own?.objectId}/restore`, {}, { token: mine.token })
    expect((await unlink(theirs?.objectId)).status).toBe(200)
    expect((await undo(id, mine.token)).status).toBe(403)
    expect((await getUser(other.objectId)).status).toBe(404)
    await server.call('POST', `/auth/wallets/${theirs?.objectId}/restore`, {}, { token: mine.token })
    expect((await undo(id, mine.token)).status).toBe(200)
  })

  test('S21: sessions opened by the returned wallet end', async () => {
    const mine = await person()
    const other = await person()
    const id = await planned(mine.token, other.account)
    await carryOut(id, mine.token)
    const proof = await answerChallenge(server, other.account, 'signIn', {
      headers: { 'X-Parse-Installation-Id': 'elsewhere' },
    })
    const { body } = await server.call('POST', '/auth/signInWithWallet', proof, {
      headers: { 'X-Parse-Installation-Id': 'elsewhere' },
    })
    expect(body.objectId).toBe(mine.objectId)
    expect((await undo(id, mine.token)).status).toBe(200)
    expect((await me(body.sessionToken as string)).body.code).toBe(209)
    expect((await me(mine.token)).status).toBe(200)
  })

  test('S21: twice at once: it happens once', async () => {
    const mine = await person()
    const other = await person()
    const id = await planned(mine.token, other.account)
    await carryOut(id, mine.token)
    const answers = await Promise.all([undo(id, mine.token), undo(id, mine.token), undo(id, mine.token)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403, 403])
    expect((await signInMethods(mine.token)).wallets).toHaveLength(1)
  })

  test('a merge into an account that was merged itself can be undone once that is undone', async () => {
    const [first, second, third] = [await person(), await person(), await person()]
    const inner = await planned(second.token, first.account)
    await carryOut(inner, second.token)
    const outer = await planned(third.token, second.account)
    await carryOut(outer, third.token)
    expect((await signInMethods(third.token)).wallets).toHaveLength(3)
    expect((await undo(outer, third.token)).status).toBe(200)
    const back = await createWalletUser(server, second.account)
    expect(back.objectId).toBe(second.objectId)
    expect((await undo(inner, back.token)).status).toBe(200)
    for (const user of [first, second, third]) {
      const { objectId, token } = await createWalletUser(server, user.account)
      expect([objectId, (await signInMethods(token)).wallets.length]).toEqual([user.objectId, 1])
    }
  })
})
