import { randomUUID } from 'node:crypto'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { sql } from '../../db/sql.ts'
import { keepPasskey } from '../../testing/accounts/keepPasskey.ts'
import { answerChallenge, installation } from '../../testing/answerChallenge.ts'
import { createWalletUser } from '../../testing/createWalletUser.ts'
import { listMails, type Mail, readMailToken } from '../../testing/readMails.ts'
import { serveTests } from '../../testing/serveTests.ts'

const server = serveTests()

const day = 24 * 3600_000
const newAddress = () => `${randomUUID()}@example.com`
const mailsTo = (address: string, page = '/undo-email') => listMails(server, address, page)

const tokenFor = (address: string, page = '/undo-email') => readMailToken(server, address, page)

/** Somebody with a verified address. */
async function createOwner() {
  const username = `owner-${randomUUID()}`
  const email = newAddress()
  const user = await server.signUp(username, { email })
  await verify(email, user.token)
  return { ...user, username, email, password: `${username} password` }
}

async function verify(email: string, token?: string) {
  const answer = await server.call('POST', '/verifyEmail', { token: await tokenFor(email, '/verify-email') }, { token })
  expect(answer.status, answer.text).toBe(200)
}

const change = ({ objectId, token }: { objectId: string; token: string }, email: string | null) =>
  server.call('PUT', `/users/${objectId}`, { email }, { token })
const undo = (token: string) => server.call('POST', '/undoEmailChange', { token })
const getUser = async (objectId: string) =>
  (await server.call('GET', `/users/${objectId}`, undefined, { master: true })).body

async function linkWallet(token: string, account = privateKeyToAccount(generatePrivateKey())) {
  const proof = await answerChallenge(server, account, 'link', { token })
  const answer = await server.call('POST', '/auth/wallets', proof, { token, headers: installation })
  expect(answer.status, answer.text).toBe(201)
  return account
}

test('SEC-3: a stale session changes and removes no address', async () => {
  const owner = await createOwner()
  const wallet = await createWalletUser(server)
  server.clock.forward(16 * 60_000)
  expect((await change(owner, newAddress())).body.code).toBe(119)
  expect((await change(owner, null)).body.code).toBe(119)
  expect((await change(wallet, newAddress())).body.code).toBe(119)
  expect(await getUser(owner.objectId)).toMatchObject({ email: owner.email, emailVerified: true })
})

test('SEC-3: the former address is notified at once, and its link takes the account back from a thief', async () => {
  const owner = await createOwner()
  const kept = await linkWallet(owner.token)
  // Long before: what was added in the window of the undo goes.
  server.clock.forward(15 * day)
  const { username, password } = owner
  owner.token = String((await server.call('POST', '/login', { username, password })).body.sessionToken)
  // A thief with the session and a recent proof makes the account his own in every way there is.
  const thiefs = newAddress()
  expect((await change(owner, thiefs)).status).toBe(200)
  const [mail] = await mailsTo(owner.email)
  expect(mail?.subject).toContain('This email address was removed from your')
  expect(mail?.text).not.toContain(thiefs)
  await verify(thiefs, owner.token)
  const added = await linkWallet(owner.token)
  await keepPasskey(server, owner.objectId)
  const merged = await createWalletUser(server)
  const proof = await answerChallenge(server, merged.account, 'merge', { token: owner.token })
  const preview = await server.call('POST', '/auth/merges', proof, { token: owner.token, headers: installation })
  await server.call('POST', `/auth/merges/${preview.body.objectId}`, {}, { token: owner.token })
  const codes = (await server.call('POST', '/auth/recoveryCodes', {}, { token: owner.token })).body.codes as string[]
  const changed = await server.call(
    'POST',
    '/changePassword',
    { currentPassword: owner.password, newPassword: 'the thief’s' },
    { token: owner.token },
  )
  await server.call('POST', '/requestPasswordReset', { email: thiefs })
  const pending = await tokenFor(thiefs, '/reset')

  server.clock.forward(6 * day)
  const taken = await undo(await tokenFor(owner.email))
  expect([taken.status, Object.keys(taken.body)]).toEqual([200, ['resetToken']])
  expect(await getUser(owner.objectId)).toMatchObject({ email: owner.email, emailVerified: true })
  const session = await server.call('GET', '/users/me', undefined, { token: String(changed.body.sessionToken) })
  expect(session.body.code).toBe(209)
  for (const password of [owner.password, 'the thief’s']) {
    expect((await server.call('POST', '/login', { username: owner.username, password })).status).toBe(404)
  }
  expect((await createWalletUser(server, added)).objectId).not.toBe(owner.objectId)
  // The wallet of the merged account opens that account alone, by taking the merge back.
  const own = await answerChallenge(server, merged.account, 'signIn')
  const refused = await server.call('POST', '/auth/signInWithWallet', own, { headers: installation })
  expect([refused.status, refused.body.reason]).toEqual([403, 'accountMerged'])
  const byCode = { username: owner.username, code: codes[0] }
  expect((await server.call('POST', '/auth/signInWithRecoveryCode', byCode)).status).toBe(401)
  expect((await server.call('POST', '/resetPassword', { token: pending, password: 'x' })).body.code).toBe(-1)
  const left = await server.context.db.query(sql`select from countersign.passkeys where "user" = ${owner.objectId}`)
  expect(left).toHaveLength(0)
  expect((await createWalletUser(server, kept)).objectId).toBe(owner.objectId)
  expect((await getUser(owner.objectId)).accounts).toEqual([kept.address.toLowerCase()])

  const token = taken.body.resetToken
  expect((await server.call('POST', '/resetPassword', { token, password: 'mine again' })).status).toBe(200)
  const login = await server.call('POST', '/login', { username: owner.email, password: 'mine again' })
  expect(login.body.objectId).toBe(owner.objectId)
})

test('SEC-3: a removed address is brought back as well; the link works once and for seven days', async () => {
  const owner = await createOwner()
  await change(owner, null)
  const token = await tokenFor(owner.email)
  const uses = await Promise.all(Array.from({ length: 10 }, () => undo(token)))
  expect(uses.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(400)])
  expect(await getUser(owner.objectId)).toMatchObject({ email: owner.email, emailVerified: true })

  const late = await createOwner()
  await change(late, newAddress())
  const old = await tokenFor(late.email)
  server.clock.forward(7 * day + 1_000)
  expect((await undo(old)).body.code).toBe(-1)
  for (const guess of ['', 'x', { $ne: null }, undefined])
    expect((await server.call('POST', '/undoEmailChange', { token: guess })).body.code).toBe(-1)
})

test('SEC-3: of several changes the first owner wins; a later link does not undo an earlier one', async () => {
  const owner = await createOwner()
  const second = newAddress()
  await change(owner, second)
  const first = await tokenFor(owner.email)
  await verify(second, owner.token)
  server.clock.forward(1_000)
  await change(owner, newAddress())
  const later = await tokenFor(second)
  expect((await undo(first)).status).toBe(200)
  expect((await undo(later)).body.code).toBe(-1)
  expect((await getUser(owner.objectId)).email).toBe(owner.email)
})

test('SEC-3: an address that was never verified gets no mail; one of the same spelling is no change', async () => {
  const email = newAddress()
  const user = await server.signUp(`never-${randomUUID()}`, { email })
  await change(user, newAddress())
  expect(await mailsTo(email)).toEqual([])
  const owner = await createOwner()
  await change(owner, owner.email.toUpperCase())
  expect(await mailsTo(owner.email)).toEqual([])
  expect((await getUser(owner.objectId)).emailVerified).toBe(true)
})

test('SEC-3: taking the address in between does not block its return, unless it was verified there', async () => {
  const owner = await createOwner()
  await change(owner, null)
  const squatter = await server.signUp(`squatter-${randomUUID()}`, { email: owner.email })
  expect((await undo(await tokenFor(owner.email))).status).toBe(200)
  expect((await getUser(owner.objectId)).email).toBe(owner.email)
  expect((await getUser(squatter.objectId)).email ?? null).toBeNull()

  const mover = await createOwner()
  await change(mover, null)
  const second = await server.signUp(`second-${randomUUID()}`, { email: mover.email })
  await verify(mover.email, second.token)
  const token = await tokenFor(mover.email)
  expect(await undo(token)).toMatchObject({ status: 409, body: { code: 203 } })
  await change(second, null)
  expect((await undo(token)).status).toBe(200)
})

test('SEC-3: a name equal to the address changes and returns with it', async () => {
  const email = newAddress()
  const user = await server.signUp(email, { email })
  await verify(email, user.token)
  await change(user, newAddress())
  expect((await getUser(user.objectId)).username).not.toBe(email)
  const squatter = await server.signUp(email, { email })
  expect((await undo(await tokenFor(email))).status).toBe(200)
  expect(await getUser(user.objectId)).toMatchObject({ username: email, email })
  expect((await getUser(squatter.objectId)).username).not.toBe(email)
})

test('SEC-3: a mistyped address beside a wallet is notified without a link that would give the account away', async () => {
  const user = await createWalletUser(server)
  const mistyped = newAddress()
  await change(user, mistyped)
  await verify(mistyped)
  await change(user, newAddress())
  expect(await mailsTo(mistyped)).toEqual([])
  const { body } = await server.call('GET', '/outbox', undefined, { master: true })
  const notices = (body.results as Mail[]).filter(({ to, text }) => to === mistyped && text.includes('was removed'))
  expect(notices).toHaveLength(1)
})

test('SEC-3: ten changes may wait for their undo; the first links are never pushed out', async () => {
  const owner = await createOwner()
  await change(owner, newAddress())
  const first = await tokenFor(owner.email)
  const answers = []
  for (let i = 0; i < 11; i++) {
    await server.call('PUT', `/users/${owner.objectId}`, { emailVerified: true }, { master: true })
    answers.push((await change(owner, newAddress())).status)
  }
  expect(answers).toEqual([...Array(9).fill(200), 403, 403])
  expect((await undo(first)).status).toBe(200)
})
