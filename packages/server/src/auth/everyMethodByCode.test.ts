import { randomUUID } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { describe, expect, test } from 'vitest'
import { sql } from '../db/sql.ts'
import { installation } from '../testing/answerChallenge.ts'
import { listMails } from '../testing/readMails.ts'
import { serveTests } from '../testing/serveTests.ts'

// Applies the rules of everyMethod.test.ts to the other methods, as far as they fit: code by email, second factor,
// recovery codes and the id of a guest.

const server = serveTests({ rateLimit: [], emailCode: { enabled: true } })

const own = (token: string, path: string, method = 'GET', body?: object) =>
  server.call(method, path, body, { token, headers: installation })
const guest = (path: string, body: object) => server.call('POST', path, body, { headers: installation })

const mailsTo = (address: string) => listMails(server, address)
/** Mails about changes of the account, without new-device alerts. */
const countNotices = async (email: string) =>
  (await mailsTo(email)).filter(({ link }) => !link || link.includes('/recover-account')).length

async function createOwner() {
  const name = `owner-${randomUUID()}`
  const email = `${name}@example.com`
  const user = await server.signUp(name)
  await server.call('PUT', `/users/${user.objectId}`, { email }, { master: true })
  await server.call('PUT', `/users/${user.objectId}`, { emailVerified: true }, { master: true })
  return { ...user, name, email }
}

const takePassword = (objectId: string) =>
  server.context.db.query(sql`update "_User" set "_password_hash" = null where "objectId" = ${objectId}`)

type Listed = { emailCode?: true; anonymous?: true; lastUses?: { method: string; lastUsedAt: string }[] }
const listed = async (token: string) => (await own(token, '/auth/signInMethods')).body as Listed
const lastUse = ({ lastUses }: Listed, method: string) => lastUses?.find((use) => use.method === method)?.lastUsedAt
const actionsOf = async (token: string) =>
  ((await own(token, '/auth/activity')).body.results as { action: string }[]).map(({ action }) => action)
const exported = async (token: string) => JSON.parse((await own(token, '/auth/export')).text)

async function signInByMail(email: string) {
  const { body } = await guest('/auth/emailCode', { email })
  const [mail] = await mailsTo(email)
  const code = /\n\n(\d{6})\n\n/.exec(mail?.text ?? '')?.[1]
  return guest('/auth/signInWithEmailCode', { handle: body.handle, code })
}

describe('a code by e-mail', () => {
  test('comes with the address and goes with it: listed, used, removed, restored by mail, exported', async () => {
    const owner = await createOwner()
    expect(await listed(owner.token)).toMatchObject({ emailCode: true })
    expect(lastUse(await listed(owner.token), 'emailCode')).toBeUndefined()
    server.clock.forward(60_000)
    const signedIn = await signInByMail(owner.email)
    expect(signedIn.body.objectId, signedIn.text).toBe(owner.objectId)
    expect(lastUse(await listed(owner.token), 'emailCode')).toBeTruthy()
    expect((await exported(owner.token)).signInMethods).toEqual(await listed(owner.token))

    const removed = await own(owner.token, `/users/${owner.objectId}`, 'PUT', { email: null })
    expect(removed.status, removed.text).toBe(200)
    expect(await listed(owner.token)).not.toHaveProperty('emailCode')
    expect(lastUse(await listed(owner.token), 'emailCode')).toBeUndefined()
    expect(await actionsOf(owner.token)).toContain('changeEmail')
    const notice = (await mailsTo(owner.email)).find(({ link }) => link?.includes('/undo-email'))
    const undoToken = new URL(notice?.link ?? '').searchParams.get('token')
    expect((await guest('/undoEmailChange', { token: undoToken })).status).toBe(200)
    expect((await signInByMail(owner.email)).body.objectId).toBe(owner.objectId)
    // Once.
    expect((await guest('/undoEmailChange', { token: undoToken })).status).toBeGreaterThanOrEqual(400)
  })

  test('is never removed as the last one', async () => {
    const owner = await createOwner()
    await takePassword(owner.objectId)
    const token = String((await signInByMail(owner.email)).body.sessionToken)
    const last = await own(token, `/users/${owner.objectId}`, 'PUT', { email: null })
    expect([last.status, last.body.reason]).toEqual([403, 'lastSignInMethod'])
  })

  test('proves an account for a merge, and is off where the operator says so', async () => {
    const [owner, other] = [await createOwner(), await createOwner()]
    const { sessionToken } = (await signInByMail(other.email)).body
    const preview = await own(owner.token, '/auth/merges', 'POST', { sessionToken })
    expect(preview.status, preview.text).toBe(201)
    const { signIn } = server.context.config
    const { methods } = signIn
    Object.assign(signIn, { methods: ['password'] })
    try {
      expect((await guest('/auth/emailCode', { email: owner.email })).body.reason).toBe('emailCodeDisabled')
      expect(await listed(owner.token)).not.toHaveProperty('emailCode')
    } finally {
      Object.assign(signIn, { methods })
    }
  })
})

describe('the id of a guest', () => {
  const signInAsGuest = (id: string) => guest('/users', { authData: { anonymous: { id } } })
  const change = (owner: { objectId: string; token: string }, anonymous: object | null) =>
    own(owner.token, `/users/${owner.objectId}`, 'PUT', { authData: { anonymous } })

  test('is added, listed, used and removed; recorded in activity and mails', async () => {
    const owner = await createOwner()
    const id = randomUUID()
    const before = await countNotices(owner.email)
    expect((await change(owner, { id })).status).toBe(200)
    expect(await countNotices(owner.email)).toBe(before + 1)
    expect(await listed(owner.token)).toMatchObject({ anonymous: true })
    expect((await signInAsGuest(id)).body.objectId).toBe(owner.objectId)
    expect(lastUse(await listed(owner.token), 'anonymous')).toBeTruthy()
    const { text } = await own(owner.token, '/auth/export')
    expect(JSON.parse(text).signInMethods).toMatchObject({ anonymous: true })
    expect(text).not.toContain(id)

    const between = await countNotices(owner.email)
    expect((await change(owner, null)).status).toBe(200)
    expect(await countNotices(owner.email)).toBe(between + 1)
    expect(await listed(owner.token)).not.toHaveProperty('anonymous')
    expect(await actionsOf(owner.token)).toEqual(expect.arrayContaining(['linkAnonymous', 'unlinkAnonymous']))
    expect((await signInAsGuest(id)).body.objectId).not.toBe(owner.objectId)
  })

  test('is not taken from an account that nothing else opens', async () => {
    const { body } = await signInAsGuest(randomUUID())
    const last = await change({ objectId: String(body.objectId), token: String(body.sessionToken) }, null)
    expect([last.status, last.body.reason]).toEqual([403, 'lastSignInMethod'])
  })

  test('needs a recent proof, is not somebody else’s, and is off where the operator says so', async () => {
    const owner = await createOwner()
    const id = randomUUID()
    await signInAsGuest(id)
    expect((await change(owner, { id })).body.code).toBe(208)
    server.clock.forward(16 * 60_000)
    const stale = await change(owner, { id: randomUUID() })
    expect([stale.status, stale.body.reason]).toEqual([403, 'reauthenticationRequired'])
    const { config } = server.context
    Object.assign(config, { enableAnonymousUsers: false })
    try {
      expect((await signInAsGuest(id)).status).toBeGreaterThanOrEqual(400)
    } finally {
      Object.assign(config, { enableAnonymousUsers: true })
    }
  })
})

describe('the second factor', () => {
  test('is turned on and off; activity, mails and the export have it; it is no sign-in method that could be the last', async () => {
    const owner = await createOwner()
    const before = await countNotices(owner.email)
    const { body } = await own(owner.token, '/auth/totp', 'POST', {})
    const code = new TOTP({ secret: Secret.fromBase32(String(body.secret)) }).generate({ timestamp: server.clock.ms() })
    expect((await own(owner.token, '/auth/totp/confirm', 'POST', { code })).status).toBe(200)
    expect(await countNotices(owner.email)).toBe(before + 1)
    const { text } = await own(owner.token, '/auth/export')
    expect(JSON.parse(text).secondFactor).toMatchObject({ totp: true })
    expect(text).not.toContain(String(body.secret))
    // Its codes alone open nothing, so they do not count as what is left.
    await takePassword(owner.objectId)
    const last = await own(owner.token, `/users/${owner.objectId}`, 'PUT', { email: null })
    expect([last.status, last.body.reason]).toEqual([403, 'lastSignInMethod'])

    const removed = await own(owner.token, '/auth/secondFactor', 'DELETE')
    expect(removed.body, removed.text).toMatchObject({ totp: false, passkey: false })
    expect(await countNotices(owner.email)).toBe(before + 2)
    expect(await actionsOf(owner.token)).toEqual(expect.arrayContaining(['turnSecondFactorOn', 'turnSecondFactorOff']))
  })
})

describe('recovery codes', () => {
  test('are made, counted, used and replaced; activity, mails and the export have it, and none of the codes', async () => {
    const owner = await createOwner()
    const before = await countNotices(owner.email)
    const { body } = await own(owner.token, '/auth/recoveryCodes', 'POST', {})
    const [code = '', kept = ''] = body.codes as string[]
    expect(await countNotices(owner.email)).toBe(before + 1)
    const used = await guest('/auth/signInWithRecoveryCode', { username: owner.name, code })
    expect(used.body.objectId, used.text).toBe(owner.objectId)
    expect(await countNotices(owner.email)).toBe(before + 2)
    const { body: security } = await own(owner.token, '/auth/security')
    expect(security.recoveryCodes).toMatchObject({ made: 10, left: 9, lastUsedAt: expect.any(String) })
    const { text } = await own(owner.token, '/auth/export')
    expect(JSON.parse(text).recoveryCodes).toMatchObject({ left: 9 })
    expect(text).not.toContain(kept)
    // They run out, so they do not count as what is left.
    await takePassword(owner.objectId)
    const last = await own(owner.token, `/users/${owner.objectId}`, 'PUT', { email: null })
    expect([last.status, last.body.reason]).toEqual([403, 'lastSignInMethod'])

    expect((await own(owner.token, '/auth/recoveryCodes', 'POST', {})).status).toBe(201)
    expect((await guest('/auth/signInWithRecoveryCode', { username: owner.name, code: kept })).status).toBe(401)
    expect(await actionsOf(owner.token)).toEqual(expect.arrayContaining(['createRecoveryCodes', 'useRecoveryCode']))
  })
})
