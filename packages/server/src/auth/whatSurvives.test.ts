import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { Secret, TOTP } from 'otpauth'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answerChallenge } from '../testing/answerChallenge.ts'
import {
  type Authenticator,
  type ChallengeOptions,
  createAuthenticator,
  type RegistrationOptions,
} from '../testing/createAuthenticator.ts'
import { type Answer, createTestServer, type TestServer } from '../testing/createTestServer.ts'
import { createMailToken } from '../users/email/verifyEmail.ts'

/** What may open an account, or help to, in the order in which it is tried: the last ones change the account. */
const openers = {
  'this session': tryThisSession,
  'other sessions': tryOtherSession,
  password: tryPassword,
  passkeys: tryPasskey,
  wallets: tryWallet,
  'guest id': tryGuestId,
  identities: tryIdentity,
  'recovery codes': tryRecoveryCode,
  'mailed sign-in code': tryEmailCode,
  'method set aside': tryRestore,
  'pending challenge': tryChallenge,
  'half-registered passkey': tryRegistration,
  'verification mail': tryVerification,
  'reset mail': tryReset,
  'undo mail': tryUndo,
} as const
type Opener = keyof typeof openers

const stays = true
const ends = false
const all = Object.fromEntries(Object.keys(openers).map((name) => [name, stays])) as Record<Opener, boolean>
const none = Object.fromEntries(Object.keys(openers).map((name) => [name, ends])) as Record<Opener, boolean>
/** What another session has begun ends with it. */
const withoutOthers = { ...all, 'other sessions': ends, 'pending challenge': ends, 'half-registered passkey': ends }

/** The table of docs/security.md. Each event with what happens, and what survives it. */
const events: Record<string, { happen: (person: Person) => Promise<unknown>; survives: Record<Opener, boolean> }> = {
  'reset by mail, address verified': {
    happen: resetByMail,
    survives: {
      ...none,
      passkeys: stays,
      wallets: stays,
      identities: stays,
      'method set aside': stays,
      'undo mail': stays,
    },
  },
  'reset by mail, address not verified by the holder': {
    happen: resetByMail,
    survives: { ...none, 'undo mail': stays },
  },
  'password change': {
    happen: ({ token, password }) =>
      call('POST', '/changePassword', { currentPassword: password, newPassword: 'another one' }, token),
    survives: {
      ...withoutOthers,
      'this session': ends,
      password: ends,
      'guest id': ends,
      'mailed sign-in code': ends,
      'reset mail': ends,
    },
  },
  'password set by PUT': {
    happen: ({ token, objectId }) => call('PUT', `/users/${objectId}`, { password: 'another one' }, token),
    survives: {
      ...withoutOthers,
      'this session': ends,
      password: ends,
      'guest id': ends,
      'mailed sign-in code': ends,
      'reset mail': ends,
    },
  },
  'email change': {
    happen: ({ token, objectId }) => call('PUT', `/users/${objectId}`, { email: newAddress() }, token),
    survives: { ...all, 'mailed sign-in code': ends, 'verification mail': ends, 'reset mail': ends },
  },
  'email removal': {
    happen: ({ token, objectId }) => call('PUT', `/users/${objectId}`, { email: null }, token),
    survives: { ...all, 'mailed sign-in code': ends, 'verification mail': ends, 'reset mail': ends },
  },
  'email change undone': {
    happen: ({ undoToken }) => call('POST', '/undoEmailChange', { token: undoToken }),
    survives: {
      ...none,
      passkeys: stays,
      wallets: stays,
      identities: stays,
      'recovery codes': stays,
      'method set aside': stays,
    },
  },
  'wallet unlinked': {
    happen: ({ token, walletId }) => call('DELETE', `/auth/wallets/${walletId}`, undefined, token),
    survives: { ...all, wallets: ends },
  },
  'passkey removed': {
    happen: ({ token, passkeyId }) => call('DELETE', `/auth/passkeys/${passkeyId}`, undefined, token),
    survives: { ...all, passkeys: ends },
  },
  'identity unlinked': {
    happen: ({ token, objectId }) => call('PUT', `/users/${objectId}`, { authData: { social: null } }, token),
    survives: { ...all, identities: ends },
  },
  'merge, account that stays': {
    happen: async (person) => mergeInto(person, await createPerson()),
    survives: all,
  },
  'merge, account that goes': {
    happen: async (person) => mergeInto(await createPerson(), person),
    survives: none,
  },
  'merge undone, account that stays': {
    happen: async (person) => undoMerge(person, await mergeInto(person, await createPerson())),
    survives: withoutOthers,
  },
  'merge undone, account that returns': {
    happen: async (person) => {
      const other = await createPerson()
      await undoMerge(other, await mergeInto(other, person))
    },
    survives: {
      ...none,
      password: stays,
      passkeys: stays,
      wallets: stays,
      'guest id': stays,
      identities: stays,
      'recovery codes': stays,
      'mailed sign-in code': stays,
    },
  },
  '“this wasn’t me”': {
    happen: async ({ token, otherToken }) => {
      const { body } = await call('GET', '/sessions/me', undefined, otherToken)
      return call('DELETE', `/sessions/${body.objectId}`, undefined, token)
    },
    survives: withoutOthers,
  },
  'other sessions signed out': {
    happen: ({ token }) => call('POST', '/revokeOtherSessions', {}, token),
    survives: withoutOthers,
  },
  'sign-in by recovery code': {
    happen: ({ username, codes }) => call('POST', '/auth/signInWithRecoveryCode', { username, code: codes[5] }),
    survives: all,
  },
  'new recovery codes': {
    happen: ({ token }) => call('POST', '/auth/recoveryCodes', {}, token),
    survives: { ...all, 'recovery codes': ends },
  },
  deletion: {
    happen: ({ token, objectId }) => call('DELETE', `/users/${objectId}`, undefined, token),
    // Who had the address before a thief changed it and deleted the account still takes it back.
    survives: { ...none, 'undo mail': stays },
  },
}

let server: TestServer
beforeAll(async () => {
  server = await createTestServer({
    auth: { social: { validateAuthData: async () => {} }, former: { validateAuthData: async () => {} } },
    emailCode: { enabled: true },
  })
})
afterAll(() => server.stop())

describe.each(Object.entries(events))('SEC-8: what survives: %s', (event, { happen, survives }) => {
  const seen: Partial<Record<Opener, boolean>> = {}
  beforeAll(async () => {
    const person = await createPerson({ verified: !event.includes('not verified') })
    await happen(person)
    for (const [name, attempt] of Object.entries(openers)) seen[name as Opener] = await attempt(person)
  })
  test.each(Object.keys(openers) as Opener[])('%s', (opener) => {
    expect(seen[opener]).toBe(survives[opener])
  })
})

test('all of these open the account while nothing has happened', async () => {
  const person = await createPerson()
  for (const [name, attempt] of Object.entries(openers)) expect([name, await attempt(person)]).toEqual([name, true])
})

test('the documentation has the same table', async () => {
  const text = await readFile(new URL('../../../../docs/security.md', import.meta.url), 'utf8')
  const rows = Object.entries(events).map(
    ([event, { survives }]) =>
      `| ${event} | ${Object.keys(openers)
        .map((opener) => (survives[opener as Opener] ? 'stays' : '**ends**'))
        .join(' | ')} |`,
  )
  const table = [`| event | ${Object.keys(openers).join(' | ')} |`, `| --- |${' --- |'.repeat(15)}`, ...rows]
  expect(text.split('\n').filter((line) => table.includes(line))).toEqual(table)
})

/** What an account with a second factor keeps of it. `undefined`: such an account cannot be merged away. */
const withFactor: Record<string, { 'second factor': boolean; 'remembered browser': boolean } | undefined> = {
  'reset by mail, address verified': { 'second factor': stays, 'remembered browser': ends },
  'reset by mail, address not verified by the holder': { 'second factor': ends, 'remembered browser': ends },
  'password change': { 'second factor': stays, 'remembered browser': ends },
  'password set by PUT': { 'second factor': stays, 'remembered browser': ends },
  'email change': { 'second factor': stays, 'remembered browser': stays },
  'email removal': { 'second factor': stays, 'remembered browser': stays },
  'email change undone': { 'second factor': stays, 'remembered browser': ends },
  'wallet unlinked': { 'second factor': stays, 'remembered browser': stays },
  'passkey removed': { 'second factor': stays, 'remembered browser': stays },
  'identity unlinked': { 'second factor': stays, 'remembered browser': stays },
  'merge, account that stays': { 'second factor': stays, 'remembered browser': stays },
  'merge, account that goes': undefined,
  'merge undone, account that stays': { 'second factor': stays, 'remembered browser': ends },
  'merge undone, account that returns': undefined,
  '“this wasn’t me”': { 'second factor': stays, 'remembered browser': ends },
  'other sessions signed out': { 'second factor': stays, 'remembered browser': ends },
  'sign-in by recovery code': { 'second factor': stays, 'remembered browser': stays },
  'new recovery codes': { 'second factor': stays, 'remembered browser': stays },
  deletion: { 'second factor': ends, 'remembered browser': ends },
}

test.each(Object.entries(events))('SEC-8: what survives of a second factor: %s', async (event, { happen }) => {
  expect(Object.keys(withFactor)).toContain(event)
  const expected = withFactor[event]
  const person = await createPerson({ verified: !event.includes('not verified'), secondFactor: true })
  if (!expected) {
    const { token, here } = await createPerson()
    const proof = await answerChallenge(server, person.wallet, 'merge', asking(token, here))
    const refused = await call('POST', '/auth/merges', proof, token, here)
    expect([refused.status, refused.body.reason]).toEqual([403, 'otherAccountHasSecondFactor'])
    return
  }
  expect([await firstStep(person), await firstStep(person, person.deviceCookie)]).toEqual(['asked', 'in'])
  await happen(person)
  expect({
    'second factor': (await firstStep(person)) === 'asked',
    // Where nothing is asked for any more, no browser is let off it.
    'remembered browser': expected['second factor'] && (await firstStep(person, person.deviceCookie)) === 'in',
  }).toEqual(expected)
})

test('the documentation has the same of second factors', async () => {
  const text = await readFile(new URL('../../../../docs/security.md', import.meta.url), 'utf8')
  const say = (kept: boolean | undefined) => (kept === undefined ? 'refused' : kept ? 'stays' : '**ends**')
  const rows = Object.entries(withFactor).map(
    ([event, kept]) => `| ${event} | ${say(kept?.['second factor'])} | ${say(kept?.['remembered browser'])} |`,
  )
  const table = ['| event, with a second factor | second factor | remembered browser |', '| --- | --- | --- |', ...rows]
  expect(text.split('\n').filter((line) => table.includes(line) && line !== '| --- | --- | --- |')).toEqual(
    table.filter((line) => line !== '| --- | --- | --- |'),
  )
})

const call = async (
  method: string,
  path: string,
  body?: object,
  token?: string,
  from: string = randomUUID(),
): Promise<Answer> =>
  server.call(method, path, body, { headers: { 'X-Parse-Installation-Id': from }, ...(token && { token }) })

const newAddress = () => `${randomUUID()}@example.com`

type Person = {
  objectId: string
  username: string
  email: string
  password: string
  /** The session in which things happen, and one elsewhere. */
  token: string
  otherToken: string
  here: string
  elsewhere: string
  wallet: PrivateKeyAccount
  walletId: string
  /** Paths below `/auth` of what can be restored. */
  setAside: string[]
  passkey: Authenticator
  passkeyId: string
  guestId: string
  socialId: string
  codes: string[]
  challenge: { message: string; signature: string }
  registration: RegistrationOptions
  verificationToken: string
  resetToken: string
  undoToken: string
  /** A code that was mailed to a browser elsewhere. */
  mailed: { handle: string; code: string; from: string }
  deviceCookie: string
}

/** Somebody with everything that may open an account. */
async function createPerson({ verified = true, secondFactor = false } = {}): Promise<Person> {
  const username = `person-${randomUUID()}`
  const [former, email] = [newAddress(), newAddress()]
  const password = `${username} password`
  const [here, elsewhere] = [randomUUID(), randomUUID()]
  const { objectId, token } = await server.signUp(username, { email: former })
  const setUser = (fields: object) => server.call('PUT', `/users/${objectId}`, fields, { master: true })
  await setUser({ emailVerified: true })
  const otherToken = String(
    (await call('POST', '/login', { username, password }, undefined, elsewhere)).body.sessionToken,
  )

  const link = async (account: PrivateKeyAccount) => {
    const proof = await answerChallenge(server, account, 'link', asking(token, here))
    return String((await call('POST', '/auth/wallets', proof, token, here)).body.objectId)
  }
  const wallet = newKey()
  const walletId = await link(wallet)
  const unlinkedId = await link(newKey())
  const passkey = createAuthenticator(server.context.publicUrl)
  const options = await askRegistration(token, here)
  const made = await call('POST', '/auth/passkeys', { credential: passkey.register(options) }, token, here)
  const lost = createAuthenticator(server.context.publicUrl).register(await askRegistration(token, here))
  const { body: removed } = await call('POST', '/auth/passkeys', { credential: lost }, token, here)
  await call('PUT', `/users/${objectId}`, { authData: { former: { id: randomUUID() } } }, token)
  const setAside = [`wallets/${unlinkedId}`, `passkeys/${removed.objectId}`, 'identities/former']
  for (const path of setAside) await call('DELETE', `/auth/${path}`, undefined, token)
  const guestId = randomUUID()
  await call('PUT', `/users/${objectId}`, { authData: { anonymous: { id: guestId } } }, token)
  const socialId = randomUUID()
  await call('PUT', `/users/${objectId}`, { authData: { social: { id: socialId } } }, token)
  const { body } = await call('POST', '/auth/recoveryCodes', {}, token)
  const deviceCookie = secondFactor ? await addSecondFactor({ username, password, token }) : ''

  server.clock.forward(1_000)
  await call('PUT', `/users/${objectId}`, { email }, token)
  const undoToken = await mailedToken(former, '/undo-email')
  const verificationToken = await mailedToken(email, '/verify-email')
  // By the operator, so that the mail is still pending.
  if (verified) await setUser({ emailVerified: true })
  const resetToken = await createMailToken(server.context, 'reset', { user: objectId, email }, 3600)

  return {
    ...{ objectId, username, email, password, token, otherToken, here, elsewhere, wallet, walletId, setAside },
    ...{ passkey, passkeyId: String(made.body.objectId), guestId, socialId, codes: body.codes as string[] },
    challenge: await answerChallenge(server, newKey(), 'link', asking(otherToken, elsewhere)),
    registration: await askRegistration(otherToken, elsewhere),
    mailed: await askEmailCode(email),
    ...{ verificationToken, resetToken, undoToken, deviceCookie },
  }
}

const newKey = () => privateKeyToAccount(generatePrivateKey())
const asking = (token: string, from: string) => ({ token, headers: { 'X-Parse-Installation-Id': from } })

async function askRegistration(token: string, from: string): Promise<RegistrationOptions> {
  return (await call('POST', '/auth/passkeys/registration', {}, token, from)).body.options as RegistrationOptions
}

async function askEmailCode(email: string): Promise<Person['mailed']> {
  const from = randomUUID()
  const asked = await call('POST', '/auth/emailCode', { email }, undefined, from)
  await server.context.background.settle()
  const { body } = await server.call('GET', '/outbox', undefined, { master: true })
  const mails = body.results as { to: string; text: string }[]
  const texts = mails.filter(({ to }) => to === email).map(({ text }) => /\n\n(\d{6})\n\n/.exec(text)?.[1])
  return { handle: String(asked.body.handle), code: texts.find((code) => code !== undefined) ?? '', from }
}

/** An authenticator app, and a browser that is not asked for its code. */
async function addSecondFactor({ username, password, token }: Pick<Person, 'username' | 'password' | 'token'>) {
  const { body } = await call('POST', '/auth/totp', {}, token)
  const codeNow = () =>
    new TOTP({ secret: Secret.fromBase32(String(body.secret)) }).generate({ timestamp: server.clock.ms() })
  const on = await call('POST', '/auth/totp/confirm', { code: codeNow() }, token)
  expect(on.status, on.text).toBe(200)
  // A code works once.
  server.clock.forward(60_000)
  const first = await server.call('POST', '/login', { username, password }, { headers: page() })
  const { ticket } = first.body.params as { ticket: string }
  const input = { ticket, code: codeNow(), rememberDevice: true }
  const done = await server.call('POST', '/auth/signInWithSecondFactor', input, { headers: page() })
  const cookies = done.headers.getSetCookie().map((each) => each.split(';')[0] ?? '')
  return cookies.find((each) => each.startsWith('countersign-device=')) ?? ''
}

const page = (cookie = '') => ({ 'X-Countersign-Session': 'cookie', ...(cookie && { Cookie: cookie }) })

/** How far the first proof leads: into the account, or to the question for the second. */
async function firstStep(person: Person, cookie?: string): Promise<'in' | 'asked' | 'refused'> {
  const { username, socialId } = person
  const headers = page(cookie)
  const logIn = (password: string) => server.call('POST', '/login', { username, password }, { headers })
  const answers = [
    await logIn(person.password),
    await logIn('another one'),
    await logIn('chosen by mail'),
    await server.call('POST', '/users', { authData: { social: { id: socialId } } }, { headers }),
  ]
  if (answers.some(({ body }) => body.reason === 'secondFactorRequired')) return 'asked'
  return answers.some((answer) => opened(answer, person)) ? 'in' : 'refused'
}

async function mailedToken(address: string, page: string): Promise<string> {
  await server.context.background.settle()
  const { body } = await server.call('GET', '/outbox', undefined, { master: true })
  const mails = body.results as { to: string; link: string | null }[]
  const mail = mails.find(({ to, link }) => to === address && link?.includes(page))
  return new URL(mail?.link ?? '').searchParams.get('token') ?? ''
}

async function resetByMail({ resetToken }: Person): Promise<void> {
  const answer = await call('POST', '/resetPassword', { token: resetToken, password: 'chosen by mail' })
  expect(answer.status, answer.text).toBe(200)
}

async function mergeInto(stays: Person, goes: Person): Promise<string> {
  const proof = await answerChallenge(server, goes.wallet, 'merge', asking(stays.token, stays.here))
  const preview = await call('POST', '/auth/merges', proof, stays.token, stays.here)
  const merged = await call('POST', `/auth/merges/${preview.body.objectId}`, {}, stays.token)
  expect(merged.status, merged.text).toBe(200)
  return String(preview.body.objectId)
}

async function undoMerge({ token }: Person, merge: string): Promise<void> {
  const answer = await call('DELETE', `/auth/merges/${merge}`, undefined, token)
  expect(answer.status, answer.text).toBe(200)
}

/** Whether an answer is that of this account: a wallet that is nobody's opens a new one. */
const opened = ({ status, body }: Answer, { objectId }: Person) => status < 300 && body.objectId === objectId

async function tryThisSession(person: Person) {
  return opened(await call('GET', '/users/me', undefined, person.token), person)
}

async function tryOtherSession(person: Person) {
  return opened(await call('GET', '/users/me', undefined, person.otherToken), person)
}

async function tryPassword(person: Person) {
  const { username, password } = person
  return opened(await call('POST', '/login', { username, password }), person)
}

const byPasskey = async ({ passkey }: Person) => {
  const from = randomUUID()
  const { body } = await call('POST', '/auth/passkeys/challenge', { purpose: 'signIn' }, undefined, from)
  const credential = passkey.assert(body.options as ChallengeOptions)
  return call('POST', '/auth/signInWithPasskey', { credential }, undefined, from)
}

async function tryPasskey(person: Person) {
  return opened(await byPasskey(person), person)
}

async function tryWallet(person: Person) {
  const from = randomUUID()
  const proof = await answerChallenge(server, person.wallet, 'signIn', asking('', from))
  return opened(await call('POST', '/auth/signInWithWallet', proof, undefined, from), person)
}

async function tryGuestId(person: Person) {
  return opened(await call('POST', '/users', { authData: { anonymous: { id: person.guestId } } }), person)
}

async function tryIdentity(person: Person) {
  return opened(await call('POST', '/users', { authData: { social: { id: person.socialId } } }), person)
}

async function tryRecoveryCode(person: Person) {
  const { username, codes } = person
  return opened(await call('POST', '/auth/signInWithRecoveryCode', { username, code: codes[0] }), person)
}

async function tryEmailCode(person: Person) {
  const { handle, code, from } = person.mailed
  return opened(await call('POST', '/auth/signInWithEmailCode', { handle, code }, undefined, from), person)
}

/** By any session that can still be had. */
async function tryRestore(person: Person) {
  const { body } = await byPasskey(person)
  const outcomes = new Set<boolean>()
  for (const path of person.setAside) {
    const answers: number[] = []
    // After a merge the passkey opens the account that stays, which has something set aside of its own.
    const last = body.objectId === person.objectId ? [String(body.sessionToken)] : []
    for (const token of [person.token, person.otherToken, ...last]) {
      answers.push((await call('POST', `/auth/${path}/restore`, {}, token)).status)
    }
    outcomes.add(answers.includes(200))
  }
  expect(outcomes.size, 'a wallet, a passkey and an identity are treated alike').toBe(1)
  return outcomes.has(true)
}

async function tryChallenge({ challenge, otherToken, elsewhere }: Person) {
  return (await call('POST', '/auth/wallets', challenge, otherToken, elsewhere)).status < 300
}

async function tryRegistration({ registration, otherToken, elsewhere }: Person) {
  const credential = createAuthenticator(server.context.publicUrl).register(registration)
  return (await call('POST', '/auth/passkeys', { credential }, otherToken, elsewhere)).status < 300
}

async function tryVerification({ verificationToken }: Person) {
  return (await call('POST', '/verifyEmail', { token: verificationToken })).status === 200
}

async function tryReset({ resetToken }: Person) {
  return (await call('POST', '/resetPassword', { token: resetToken, password: 'once more' })).status === 200
}

async function tryUndo({ undoToken }: Person) {
  return (await call('POST', '/undoEmailChange', { token: undoToken })).status === 200
}
