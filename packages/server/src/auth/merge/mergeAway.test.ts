import { randomUUID } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { describe, expect, test } from 'vitest'
import { addTotp } from '../../testing/accounts/addTotp.ts'
import { createOwners, newKey } from '../../testing/accounts/createOwners.ts'
import { newAddress } from '../../testing/accounts/createPerson.ts'
import { answerChallenge } from '../../testing/answerChallenge.ts'
import { serveTests } from '../../testing/serveTests.ts'

const server = serveTests({ rateLimit: [], emailCode: { enabled: true } })

const { call, tokenFor, createOwner, logIn, signInByWallet, linkWallet, mergeAway } = createOwners(server)
const day = 24 * 3_600_000

const thiefSession = async () => (await server.signUp(`thief-${randomUUID()}`)).token

describe('SEC-37: an account that a thief merged away', () => {
  test('is restored by the mailed link, without what the thief added', async () => {
    const owner = await createOwner()
    server.clock.forward(20 * day)
    const token = String((await logIn(owner.username, owner.password)).body.sessionToken)
    const added = await linkWallet(token)
    await addTotp(server, token)
    const into = await thiefSession()
    await addTotp(server, into)
    await mergeAway(token, into)
    const link = await tokenFor(owner.email, '/undo-email/merge')
    server.clock.forward(5 * day)
    const undone = await call('POST', '/undoMerge', { token: link })
    expect(undone.status, undone.text).toBe(200)
    expect((await call('POST', '/undoMerge', { token: link })).body.reason).toBe('linkExpired')
    const reset = { token: undone.body.resetToken, password: 'mine again' }
    expect((await call('POST', '/resetPassword', reset)).status).toBe(200)
    const mine = await logIn(owner.email, 'mine again')
    expect([mine.status, mine.body.objectId]).toEqual([200, owner.objectId])
    expect((await signInByWallet(added.wallet)).body.objectId).not.toBe(owner.objectId)
    expect((await logIn(owner.username, owner.password)).status).toBe(404)
    expect((await call('GET', '/users/me', undefined, into)).body.code).toBe(209)
  })

  test('is restored by the undo link of an email change before the merge', async () => {
    const owner = await createOwner()
    const thiefs = newAddress()
    await call('PUT', `/users/${owner.objectId}`, { email: thiefs }, owner.token)
    const link = await tokenFor(owner.email, '/undo-email')
    await server.call(
      'POST',
      '/verifyEmail',
      { token: await tokenFor(thiefs, '/verify-email') },
      { token: owner.token },
    )
    await mergeAway(owner.token, await thiefSession())
    const undone = await call('POST', '/undoEmailChange', { token: link })
    expect(undone.status, undone.text).toBe(200)
    await call('POST', '/resetPassword', { token: undone.body.resetToken, password: 'mine again' })
    expect((await logIn(owner.email, 'mine again')).body.objectId).toBe(owner.objectId)
  })

  test('keeps its name and address, so that nobody can block the undo', async () => {
    const owner = await createOwner()
    await mergeAway(owner.token, await thiefSession())
    const taken = await call('POST', '/users', { username: owner.username.toUpperCase(), password: 'x' })
    expect([taken.status, taken.body.reason]).toEqual([400, 'usernameTaken'])
    const address = await call('POST', '/users', { username: randomUUID(), password: 'x', email: owner.email })
    expect(address.body.reason).toBe('emailTaken')
    const other = await server.signUp(`other-${randomUUID()}`)
    const renamed = await call('PUT', `/users/${other.objectId}`, { username: owner.username }, other.token)
    expect(renamed.body.reason).toBe('usernameTaken')
    const undone = await call('POST', '/undoMerge', { token: await tokenFor(owner.email, '/undo-email') })
    expect(undone.status, undone.text).toBe(200)
    const { body } = await server.call('GET', `/users/${owner.objectId}`, undefined, { master: true })
    expect(body).toMatchObject({ username: owner.username, email: owner.email })
    // Free again for its owner, and after the owner for others.
    expect((await call('PUT', `/users/${owner.objectId}`, { username: randomUUID() }, owner.token)).status).toBe(400)
  })

  test('is restored by its password, for an owner without another method', async () => {
    const username = `alone-${randomUUID()}`
    const owner = await server.signUp(username)
    await mergeAway(owner.token, await thiefSession())
    expect((await logIn(username, 'wrong')).body.reason).toBe('invalidCredentials')
    const told = await logIn(username, `${username} password`)
    expect([told.status, told.body.reason]).toEqual([403, 'accountMerged'])
    const back = await logIn(username, `${username} password`, { restoreAccount: true })
    expect([back.status, back.body.objectId]).toEqual([200, owner.objectId])
  })

  test('is restored by its wallet, also if the thief’s account has a second factor or has removed the wallet', async () => {
    for (const isRemoved of [false, true]) {
      const wallet = newKey()
      const first = await signInByWallet(wallet)
      const into = await thiefSession()
      await mergeAway(String(first.body.sessionToken), into)
      if (isRemoved) {
        const { body } = await call('GET', '/auth/wallets', undefined, into)
        const [moved] = body.results as { objectId: string }[]
        const gone = await call('DELETE', `/auth/wallets/${moved?.objectId}`, undefined, into)
        expect(gone.status, gone.text).toBe(200)
        expect((await signInByWallet(wallet)).body.reason).toBe('accountMerged')
      } else {
        await addTotp(server, into)
        expect((await signInByWallet(wallet)).body.reason).toBe('secondFactorRequired')
      }
      const back = await signInByWallet(wallet, { restoreAccount: true })
      expect([isRemoved, back.status, back.body.objectId]).toEqual([isRemoved, 200, first.body.objectId])
    }
  })

  test('is restored from a chain of merges', async () => {
    const owner = await createOwner()
    const [second, third] = [await thiefSession(), await thiefSession()]
    await mergeAway(owner.token, second)
    await mergeAway(second, third)
    const undone = await call('POST', '/undoMerge', { token: await tokenFor(owner.email, '/undo-email') })
    expect(undone.status, undone.text).toBe(200)
    await call('POST', '/resetPassword', { token: undone.body.resetToken, password: 'mine again' })
    expect((await logIn(owner.email, 'mine again')).body.objectId).toBe(owner.objectId)
  })
})

describe('SEC-38: a wallet that was unlinked', () => {
  test('restores its account by its signature: the thief’s additions end', async () => {
    const wallet = newKey()
    const first = await signInByWallet(wallet)
    const objectId = String(first.body.objectId)
    server.clock.forward(30 * day)
    const token = String((await signInByWallet(wallet)).body.sessionToken)
    const thiefs = await linkWallet(token)
    await addTotp(server, token)
    await call('PUT', `/users/${objectId}`, { email: newAddress() }, token)
    const { body } = await call('GET', '/auth/wallets', undefined, token)
    const own = (body.results as { objectId: string; address: string }[]).find(
      ({ address }) => address === wallet.address,
    )
    expect((await call('DELETE', `/auth/wallets/${own?.objectId}`, undefined, token)).status).toBe(200)

    server.clock.forward(5 * day)
    const told = await signInByWallet(wallet)
    expect([told.status, told.body.reason]).toEqual([403, 'walletUnlinked'])
    const back = await signInByWallet(wallet, { restoreAccount: true })
    expect([back.status, back.body.objectId]).toEqual([200, objectId])
    expect(back.body.accounts).toEqual([wallet.address.toLowerCase()])
    expect(back.body.email ?? null).toBeNull()
    expect((await call('GET', '/users/me', undefined, token)).body.code).toBe(209)
    expect((await signInByWallet(thiefs.wallet)).body.objectId).not.toBe(objectId)
  })

  test('opens a new account where its holder wants that', async () => {
    const wallet = newKey()
    const first = await signInByWallet(wallet)
    const token = String(first.body.sessionToken)
    await linkWallet(token)
    const { body } = await call('GET', '/auth/wallets', undefined, token)
    const own = (body.results as { objectId: string; address: string }[]).find(
      ({ address }) => address === wallet.address,
    )
    await call('DELETE', `/auth/wallets/${own?.objectId}`, undefined, token)
    const made = await signInByWallet(wallet, { newAccount: true })
    expect(made.status, made.text).toBe(201)
    expect(made.body.objectId).not.toBe(first.body.objectId)
  })

  test('does not return if the account has methods older than the window: its key may have leaked', async () => {
    const owner = await createOwner()
    const { wallet, objectId } = await linkWallet(owner.token)
    server.clock.forward(20 * day)
    const token = String((await logIn(owner.username, owner.password)).body.sessionToken)
    await call('DELETE', `/auth/wallets/${objectId}`, undefined, token)
    const answer = await signInByWallet(wallet, { restoreAccount: true })
    expect(answer.status, answer.text).toBeLessThan(300)
    expect(answer.body.objectId).not.toBe(owner.objectId)
  })

  test('does not pass a second factor that the account has had for long', async () => {
    const wallet = newKey()
    const first = await signInByWallet(wallet)
    const token = String(first.body.sessionToken)
    const { body } = await call('POST', '/auth/totp', {}, token)
    const codeNow = () =>
      new TOTP({ secret: Secret.fromBase32(String(body.secret)) }).generate({ timestamp: server.clock.ms() })
    await call('POST', '/auth/totp/confirm', { code: codeNow() }, token)
    server.clock.forward(20 * day)
    const from = randomUUID()
    const headers = { 'X-Parse-Installation-Id': from }
    const enter = async (more: object = {}) => {
      const proof = await answerChallenge(server, wallet, 'signIn', { token: '', headers })
      const step = await call('POST', '/auth/signInWithWallet', { ...proof, ...more }, undefined, from)
      expect(step.body.reason).toBe('secondFactorRequired')
      const { ticket } = step.body.params as { ticket: string }
      server.clock.forward(60_000)
      return call('POST', '/auth/signInWithSecondFactor', { ticket, code: codeNow() }, undefined, from)
    }
    const session = String((await enter()).body.sessionToken)
    await linkWallet(session)
    const list = await call('GET', '/auth/wallets', undefined, session)
    const own = (list.body.results as { objectId: string; address: string }[]).find(
      ({ address }) => address === wallet.address,
    )
    await call('DELETE', `/auth/wallets/${own?.objectId}`, undefined, session)
    const back = await enter({ restoreAccount: true })
    expect([back.status, back.body.objectId]).toEqual([200, first.body.objectId])
  })
})
