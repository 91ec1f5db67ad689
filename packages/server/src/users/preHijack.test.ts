import { randomUUID } from 'node:crypto'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { sql } from '../db/sql.ts'
import {
  type Authenticator,
  type ChallengeOptions,
  createAuthenticator,
  type RegistrationOptions,
} from '../testing/accounts/createAuthenticator.ts'
import { answerChallenge, installation } from '../testing/answerChallenge.ts'
import { type Answer, createTestServer } from '../testing/createTestServer.ts'
import { createWalletUser } from '../testing/createWalletUser.ts'
import { listMails, readMailToken } from '../testing/readMails.ts'
import { serveTests } from '../testing/serveTests.ts'

const server = serveTests()

const newAddress = () => `${randomUUID()}@example.com`

const mailsTo = (address: string, page = '/reset') => listMails(server, address, page)

const tokenFor = (address: string, page: string) => readMailToken(server, address, page)

async function verify(email: string, token?: string) {
  const answer = await server.call('POST', '/verifyEmail', { token: await tokenFor(email, '/verify-email') }, { token })
  expect(answer.status, answer.text).toBe(200)
}

async function reset(email: string, password: string) {
  await server.call('POST', '/requestPasswordReset', { email })
  const token = await tokenFor(email, '/reset')
  const answer = await server.call('POST', '/resetPassword', { token, password })
  expect(answer.status, answer.text).toBe(200)
}

const makeCodes = async (token: string) =>
  (await server.call('POST', '/auth/recoveryCodes', {}, { token })).body.codes as string[]

async function linkWallet(token: string) {
  const account = privateKeyToAccount(generatePrivateKey())
  const proof = await answerChallenge(server, account, 'link', { token })
  const answer = await server.call('POST', '/auth/wallets', proof, { token, headers: installation })
  expect(answer.status, answer.text).toBe(201)
  return account
}

test('SEC-8: codes that a stranger made under my address open nothing after my reset by mail', async () => {
  const email = newAddress()
  const stranger = await server.signUp(`stranger-${email}`.replace('@', '-'), { email })
  const codes = await makeCodes(stranger.token)
  await reset(email, 'mine')
  const by = (code?: string) => server.call('POST', '/auth/signInWithRecoveryCode', { username: email, code })
  expect((await by(codes[0])).status).toBe(401)
  const mine = await server.call('POST', '/login', { username: email, password: 'mine' })
  expect(mine.body).toMatchObject({ objectId: stranger.objectId, emailVerified: true })
})

test('SEC-8: a click on the verification mail of a stranger’s sign-up leaves the stranger nothing after my reset', async () => {
  const email = newAddress()
  const stranger = await server.signUp(`waits-${randomUUID()}`, { email })
  const codes = await makeCodes(stranger.token)
  const wallet = await linkWallet(stranger.token)
  // Opened by the attacker, without a session of that account.
  await verify(email)
  await reset(email, 'mine')
  const mails = await mailsTo(email)
  expect(mails[0]?.text).toContain('wallets, passkeys and recovery codes will be removed')
  const me = await server.call('GET', '/users/me', undefined, { token: stranger.token })
  expect(me.body.code).toBe(209)
  const byCode = await server.call('POST', '/auth/signInWithRecoveryCode', { username: email, code: codes[0] })
  expect(byCode.status).toBe(401)
  expect((await createWalletUser(server, wallet)).objectId).not.toBe(stranger.objectId)
  const mine = await server.call('POST', '/login', { username: email, password: 'mine' })
  expect(mine.body).toMatchObject({ objectId: stranger.objectId, emailVerified: true })
  expect(mine.body.ethAddress ?? null).toBeNull()
})

test('SEC-8: additions to an account with a verified address survive a reset, codes excepted', async () => {
  const email = newAddress()
  const holder = await server.signUp(`holds-${randomUUID()}`, { email })
  const wallet = await linkWallet(holder.token)
  await verify(email, holder.token)
  const codes = await makeCodes(holder.token)
  await reset(email, 'another')
  expect((await createWalletUser(server, wallet)).objectId).toBe(holder.objectId)
  const byCode = await server.call('POST', '/auth/signInWithRecoveryCode', { username: email, code: codes[0] })
  expect(byCode.status).toBe(401)
})

test('SEC-8: an address that the operator verified counts as verified by the holder', async () => {
  const email = newAddress()
  const holder = await server.signUp(`vouched-${randomUUID()}`, { email })
  await verify(email)
  await server.call('PUT', `/users/${holder.objectId}`, { emailVerified: true }, { master: true })
  const wallet = await linkWallet(holder.token)
  await reset(email, 'another')
  expect((await createWalletUser(server, wallet)).objectId).toBe(holder.objectId)
})

test('SEC-8: a reset removes the stranger’s additions while the link is pending, with any session settings', async () => {
  const lenient = await createTestServer({ revokeSessionOnPasswordReset: false }, server.database)
  try {
    const email = newAddress()
    const stranger = await lenient.signUp(`quick-${randomUUID()}`, { email })
    await lenient.call('POST', '/requestPasswordReset', { email })
    await lenient.context.background.settle()
    const token = await tokenFor(email, '/reset')
    const wallet = await linkWallet(stranger.token)
    expect((await lenient.call('POST', '/resetPassword', { token, password: 'mine' })).status).toBe(200)
    expect((await lenient.call('GET', '/users/me', undefined, { token: stranger.token })).body.code).toBe(209)
    expect((await createWalletUser(server, wallet)).objectId).not.toBe(stranger.objectId)
  } finally {
    await lenient.stop()
  }
})

test('SEC-3: an address that was added later opens nothing before it is verified', async () => {
  const username = `adds-${randomUUID()}`
  const { objectId, token } = await server.signUp(username)
  const email = newAddress()
  const put = await server.call('PUT', `/users/${objectId}`, { email }, { token })
  expect(put.status, put.text).toBe(200)
  await server.call('POST', '/requestPasswordReset', { email })
  expect(await mailsTo(email)).toEqual([])
  const password = `${username} password`
  const byAddress = () => server.call('POST', '/login', { username: email, password })
  expect((await byAddress()).body.code).toBe(101)
  expect((await server.call('POST', '/login', { username, password })).status).toBe(200)
  await verify(email, token)
  expect((await byAddress()).body.objectId).toBe(objectId)
  await server.call('POST', '/requestPasswordReset', { email })
  expect(await mailsTo(email)).toHaveLength(1)
})

test('SEC-3: beside a wallet, an address that its reader verified outside the account resets nothing', async () => {
  const { objectId, token } = await createWalletUser(server)
  const email = newAddress()
  await server.call('PUT', `/users/${objectId}`, { email }, { token })
  await verify(email)
  await server.call('POST', '/requestPasswordReset', { email })
  expect(await mailsTo(email)).toEqual([])
})

test('SEC-3: without verification of addresses, one that was added later still serves for a reset', async () => {
  const plain = await createTestServer({ verifyUserEmails: false }, server.database)
  try {
    const { objectId, token } = await plain.signUp(`plain-${randomUUID()}`)
    const email = newAddress()
    await plain.call('PUT', `/users/${objectId}`, { email }, { token })
    await plain.call('POST', '/requestPasswordReset', { email })
    await plain.context.background.settle()
    expect(await mailsTo(email)).toHaveLength(1)
  } finally {
    await plain.stop()
  }
})

describe('SEC-19: a sign-in that was proven before a reset by mail opens no session after it', () => {
  const here = { 'X-Parse-Installation-Id': 'a-slow-browser' }
  type Stranger = { username: string; password: string; code: string; passkey: Authenticator; guestId: string }
  const ways: Record<string, (stranger: Stranger) => Promise<Answer>> = {
    password: ({ username, password }) => server.call('POST', '/login', { username, password }),
    'recovery code': ({ username, code }) => server.call('POST', '/auth/signInWithRecoveryCode', { username, code }),
    'guest id': ({ guestId }) => server.call('POST', '/users', { authData: { anonymous: { id: guestId } } }),
    passkey: async ({ passkey }) => {
      const asked = await server.call('POST', '/auth/passkeys/challenge', { purpose: 'signIn' }, { headers: here })
      const credential = passkey.assert(asked.body.options as ChallengeOptions)
      return server.call('POST', '/auth/signInWithPasskey', { credential }, { headers: here })
    },
  }

  test.each(Object.keys(ways))('%s', async (way) => {
    const email = newAddress()
    const username = `racing-${randomUUID()}`
    const { objectId, token } = await server.signUp(username, { email })
    await server.call('POST', '/requestPasswordReset', { email })
    const resetToken = await tokenFor(email, '/reset')
    const [code = ''] = await makeCodes(token)
    const guestId = randomUUID()
    await server.call('PUT', `/users/${objectId}`, { authData: { anonymous: { id: guestId } } }, { token })
    const passkey = createAuthenticator(server.context.publicUrl)
    const asked = await server.call('POST', '/auth/passkeys/registration', {}, { token, headers: here })
    const credential = passkey.register(asked.body.options as RegistrationOptions)
    const added = await server.call('POST', '/auth/passkeys', { credential }, { token, headers: here })
    expect(added.status, added.text).toBe(201)

    // The hook runs after the proof and before the session.
    const { hooks } = server.context.registry
    hooks.set('beforeSignIn _User', [
      async () => {
        hooks.clear()
        await server.call('POST', '/resetPassword', { token: resetToken, password: 'mine' })
        return undefined
      },
    ])
    const signIn = ways[way] as (stranger: Stranger) => Promise<Answer>
    const answer = await signIn({ username, password: `${username} password`, code, passkey, guestId })
    expect([answer.status >= 400, answer.body.sessionToken]).toEqual([true, undefined])
    const sessions = await server.context.db.query(sql`select from "_Session" where "user" = ${objectId}`)
    expect(sessions).toHaveLength(0)
    expect((await server.call('POST', '/login', { username, password: 'mine' })).status).toBe(200)
  })
})
