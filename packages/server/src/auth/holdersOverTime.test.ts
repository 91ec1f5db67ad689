import { randomUUID } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import type { PrivateKeyAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { sql } from '../db/sql.ts'
import { addTotp } from '../testing/accounts/addTotp.ts'
import { createOwners, newKey } from '../testing/accounts/createOwners.ts'
import { newAddress } from '../testing/accounts/createPerson.ts'
import { serveTests } from '../testing/serveTests.ts'

const server = serveTests({ rateLimit: [], emailCode: { enabled: true } })

const { call, tokenFor, createOwner, logIn, signInByWallet, linkWallet, mergeAway } = createOwners(server)
const day = 24 * 3_600_000

/** An account of a wallet alone, a month old, whose session a thief uses to link another wallet and unlink that one. */
async function createRobbed() {
  const wallet = newKey()
  const { body } = await signInByWallet(wallet)
  server.clock.forward(30 * day)
  const token = String((await signInByWallet(wallet)).body.sessionToken)
  const { wallet: added } = await linkWallet(token)
  await unlink(token, wallet)
  return { wallet, added, objectId: String(body.objectId), token }
}

async function unlink(token: string, wallet: PrivateKeyAccount): Promise<void> {
  const { body } = await call('GET', '/auth/wallets', undefined, token)
  const own = (body.results as { objectId: string; address: string }[]).find(
    ({ address }) => address === wallet.address,
  )
  const gone = await call('DELETE', `/auth/wallets/${own?.objectId}`, undefined, token)
  expect(gone.status, gone.text).toBe(200)
}

const codeOf = (secret: string) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: server.clock.ms() })

const thiefSession = async () => (await server.signUp(`thief-${randomUUID()}`)).token

describe('SEC-74: a wallet that a thief unlinked', () => {
  test('brings back the account that the thief deleted then', async () => {
    const { wallet, added, objectId, token } = await createRobbed()
    const deleted = await call('DELETE', `/users/${objectId}`, undefined, token)
    expect(deleted.status, deleted.text).toBe(200)
    server.clock.forward(2 * day)
    expect((await signInByWallet(wallet)).body.reason).toBe('walletUnlinked')
    const back = await signInByWallet(wallet, { restoreAccount: true })
    expect([back.status, back.body.objectId], back.text).toEqual([200, objectId])
    expect((await signInByWallet(added)).body.objectId).not.toBe(objectId)
    // Nothing is left of the deletion.
    server.clock.forward(10 * day)
    expect((await signInByWallet(wallet)).body.objectId).toBe(objectId)
  })

  test('does not bring back an account that an operator locked', async () => {
    const { wallet, objectId } = await createRobbed()
    await server.call('PUT', `/users/${objectId}`, { ACL: {} }, { master: true })
    const answer = await signInByWallet(wallet, { restoreAccount: true })
    expect(answer.body.objectId).not.toBe(objectId)
  })

  test('brings back the account that the thief merged away then', async () => {
    const { wallet, added, objectId, token } = await createRobbed()
    const into = await thiefSession()
    await mergeAway(token, into)
    expect((await signInByWallet(wallet)).body.reason).toBe('accountMerged')
    const back = await signInByWallet(wallet, { restoreAccount: true })
    expect([back.status, back.body.objectId], back.text).toEqual([200, objectId])
    expect(back.body.accounts).toEqual([wallet.address.toLowerCase()])
    expect((await signInByWallet(added)).body.objectId).not.toBe(objectId)
  })

  test('opens a new account where its holder wants that, also after a merge', async () => {
    const { wallet, objectId, token } = await createRobbed()
    await mergeAway(token, await thiefSession())
    const made = await signInByWallet(wallet, { newAccount: true })
    expect([made.status, made.body.objectId === objectId], made.text).toEqual([201, false])
    expect((await signInByWallet(wallet)).body.objectId).toBe(made.body.objectId)
  })
})

describe('SEC-78: a wallet that a thief unlinked', () => {
  async function robbed() {
    const wallet = newKey()
    const { body } = await signInByWallet(wallet)
    server.clock.forward(30 * day)
    const token = String((await signInByWallet(wallet)).body.sessionToken)
    return { wallet, objectId: String(body.objectId), token }
  }

  async function setAddress(objectId: string, token: string): Promise<string> {
    const email = newAddress()
    expect((await call('PUT', `/users/${objectId}`, { email }, token)).status).toBe(200)
    const verified = await call('POST', '/verifyEmail', { token: await tokenFor(email, '/verify-email') }, token)
    expect(verified.status, verified.text).toBe(200)
    server.clock.forward(1_000)
    return email
  }

  test.each([
    { order: 'before', isFirst: true },
    { order: 'after', isFirst: false },
  ])(
    'is not kept out by a change of the thief’s own address $order it, nor does its undo bring them back',
    async ({ isFirst }) => {
      const { wallet, objectId, token } = await robbed()
      const address = await setAddress(objectId, token)
      if (isFirst) await setAddress(objectId, token)
      await linkWallet(token)
      await unlink(token, wallet)
      if (!isFirst) await setAddress(objectId, token)
      const undo = await tokenFor(address, '/undo-email')
      expect(undo).not.toBe('')
      const back = await signInByWallet(wallet, { restoreAccount: true })
      expect([back.status, back.body.objectId], back.text).toEqual([200, objectId])
      expect((await call('POST', '/undoEmailChange', { token: undo })).body.reason).toBe('linkExpired')
    },
  )

  test('is not kept out by a password that the thief added', async () => {
    const { wallet, objectId, token } = await robbed()
    const added = await call('POST', '/changePassword', { newPassword: 'of the thief' }, token)
    expect(added.status, added.text).toBe(200)
    await unlink(String(added.body.sessionToken), wallet)
    const back = await signInByWallet(wallet, { restoreAccount: true })
    expect([back.status, back.body.objectId], back.text).toEqual([200, objectId])
  })
})

describe('SEC-74: a chain of merges', () => {
  test('a second factor of the account in the middle does not block the first', async () => {
    const wallet = newKey()
    const first = await signInByWallet(wallet)
    const [second, third] = [await thiefSession(), await thiefSession()]
    await addTotp(server, second)
    await addTotp(server, third)
    await mergeAway(String(first.body.sessionToken), second)
    await mergeAway(second, third)
    expect((await signInByWallet(wallet)).body.reason).toBe('secondFactorRequired')
    const back = await signInByWallet(wallet, { restoreAccount: true })
    expect([back.status, back.body.objectId], back.text).toEqual([200, first.body.objectId])
  })
})

describe('SEC-74: a second factor that a thief turned on', () => {
  test('by the older request, where the owner once began to set one up, ends with the undo', async () => {
    const owner = await createOwner()
    expect((await call('POST', '/auth/totp', {}, owner.token)).status).toBe(200)
    server.clock.forward(60 * day)
    const token = String((await logIn(owner.username, owner.password)).body.sessionToken)
    const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
    const mfa = { secret, token: codeOf(secret) }
    const on = await call('PUT', `/users/${owner.objectId}`, { authData: { mfa } }, token)
    expect(on.status, on.text).toBe(200)
    const changed = await call('PUT', `/users/${owner.objectId}`, { email: newAddress() }, token)
    expect(changed.status, changed.text).toBe(200)
    const undone = await call('POST', '/undoEmailChange', { token: await tokenFor(owner.email, '/undo-email') })
    expect(undone.status, undone.text).toBe(200)
    await call('POST', '/resetPassword', { token: undone.body.resetToken, password: 'mine again' })
    const mine = await logIn(owner.email, 'mine again')
    expect([mine.status, mine.body.objectId], mine.text).toEqual([200, owner.objectId])
  })
})

describe('SEC-74: kept by an undo', () => {
  test('a passkey that was asked for long ago stays the second factor, though an app was added lately', async () => {
    const owner = await createOwner()
    const ago = new Date(server.clock.ms()).toISOString()
    await server.context.db.query(sql`
      insert into countersign.passkeys ("objectId", "user", credential, user_handle, public_key, counter, transports,
        backed_up, name, created, last_used)
      values (${randomUUID()}, ${owner.objectId}, ${randomUUID()}, ${randomUUID()}, ${Buffer.from('key')}, 0, '{}',
        false, 'old', ${ago}, ${ago})`)
    const on = await call('PUT', '/auth/secondFactor', { passkey: true }, owner.token)
    expect(on.status, on.text).toBe(200)
    server.clock.forward(60 * day)
    await server.context.db.query(sql`
      update "_Session" set "_confirmed" = ${server.clock.now()}, "expiresAt" = ${new Date(server.clock.ms() + day)}
      where "user" = ${owner.objectId}`)
    server.context.sessionCache.forgetUser(owner.objectId)
    await addTotp(server, owner.token)
    const changed = await call('PUT', `/users/${owner.objectId}`, { email: newAddress() }, owner.token)
    expect(changed.status, changed.text).toBe(200)
    const undone = await call('POST', '/undoEmailChange', { token: await tokenFor(owner.email, '/undo-email') })
    expect(undone.status, undone.text).toBe(200)
    await call('POST', '/resetPassword', { token: undone.body.resetToken, password: 'by mail alone' })
    const step = await logIn(owner.email, 'by mail alone')
    expect(step.body).toMatchObject({ reason: 'secondFactorRequired', params: { totp: false, passkey: true } })
  })

  test('an account with the address of a merged one continues as before', async () => {
    const former = await createOwner()
    await call('PUT', `/users/${former.objectId}`, { email: newAddress() }, former.token)
    const next = await server.signUp(`next-${randomUUID()}`, { email: former.email })
    await mergeAway(former.token, await thiefSession())
    const renamed = await call('PUT', `/users/${next.objectId}`, { username: `next-${randomUUID()}` }, next.token)
    expect(renamed.status, renamed.text).toBe(200)
  })
})
