import { randomUUID } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { sql } from '../../db/sql.ts'
import { createMailToken } from '../../users/email/mailTokens.ts'
import { answerChallenge } from '../answerChallenge.ts'
import type { Answer, TestServer } from '../createTestServer.ts'
import {
  type Authenticator,
  type ChallengeOptions,
  createAuthenticator,
  type RegistrationOptions,
} from './createAuthenticator.ts'

export const newAddress = () => `${randomUUID()}@example.com`

export type Person = {
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
  /** Of the mail about a wallet that was added last. */
  recoveryToken: string
  /** A code that was mailed to a browser elsewhere. */
  mailed: { handle: string; code: string; from: string }
  deviceCookie: string
}

const newKey = () => privateKeyToAccount(generatePrivateKey())
const asking = (token: string, from: string) => ({ token, headers: { 'X-Parse-Installation-Id': from } })

const page = (cookie = '') => ({ 'X-Countersign-Session': 'cookie', ...(cookie && { Cookie: cookie }) })

/** Returns true for a response of this account: an unlinked wallet opens a new one. */
const opened = ({ status, body }: Answer, { objectId }: Person) => status < 300 && body.objectId === objectId

/** People with everything that may open an account, and each way to try it. */
export function createPeople(serverOf: () => TestServer) {
  const call = async (
    method: string,
    path: string,
    body?: object,
    token?: string,
    from: string = randomUUID(),
  ): Promise<Answer> =>
    serverOf().call(method, path, body, { headers: { 'X-Parse-Installation-Id': from }, ...(token && { token }) })

  /** Somebody with everything that may open an account. `isAged`: had for longer than the window of any undo. */
  async function createPerson({
    verified = true,
    secondFactor = false,
    isAged = false,
    hasUndo = true,
  } = {}): Promise<Person> {
    const username = `person-${randomUUID()}`
    const [former, email] = [newAddress(), newAddress()]
    const password = `${username} password`
    const [here, elsewhere] = [randomUUID(), randomUUID()]
    const signedUp = await serverOf().signUp(username, { email: hasUndo ? former : email })
    const { objectId } = signedUp
    let { token } = signedUp
    const setUser = (fields: object) => serverOf().call('PUT', `/users/${objectId}`, fields, { master: true })
    if (hasUndo) await setUser({ emailVerified: true })
    let otherToken = String(
      (await call('POST', '/login', { username, password }, undefined, elsewhere)).body.sessionToken,
    )

    const link = async (account: PrivateKeyAccount) => {
      const proof = await answerChallenge(serverOf(), account, 'link', asking(token, here))
      return String((await call('POST', '/auth/wallets', proof, token, here)).body.objectId)
    }
    const wallet = newKey()
    const walletId = await link(wallet)
    const unlinkedId = await link(newKey())
    const passkey = createAuthenticator(serverOf().context.publicUrl)
    const options = await askRegistration(token, here)
    const made = await call('POST', '/auth/passkeys', { credential: passkey.register(options) }, token, here)
    const lost = createAuthenticator(serverOf().context.publicUrl).register(await askRegistration(token, here))
    const { body: removed } = await call('POST', '/auth/passkeys', { credential: lost }, token, here)
    await call('PUT', `/users/${objectId}`, { authData: { former: { id: randomUUID() } } }, token)
    const guestId = randomUUID()
    await call('PUT', `/users/${objectId}`, { authData: { anonymous: { id: guestId } } }, token)
    const socialId = randomUUID()
    await call('PUT', `/users/${objectId}`, { authData: { social: { id: socialId } } }, token)
    const { body } = await call('POST', '/auth/recoveryCodes', {}, token)
    await call('PUT', '/auth/security', { signInAlerts: false }, token)
    const factor = secondFactor ? await addSecondFactor({ username, password, token }) : undefined

    if (isAged) {
      serverOf().clock.forward(20 * 24 * 3_600_000)
      token = await confirm(token, password, factor?.codeNow())
      serverOf().clock.forward(60_000)
      otherToken = await confirm(otherToken, password, factor?.codeNow())
    }
    const setAside = [`wallets/${unlinkedId}`, `passkeys/${removed.objectId}`, 'identities/former']
    for (const path of setAside) await call('DELETE', `/auth/${path}`, undefined, token)
    serverOf().clock.forward(1_000)
    if (hasUndo) await call('PUT', `/users/${objectId}`, { email }, token)
    const undoToken = hasUndo ? await mailedToken(former, '/undo-email') : ''
    const verificationToken = await mailedToken(email, '/verify-email')
    // By the operator, so that the mail is still pending.
    await setUser({ emailVerified: true })
    await link(newKey())
    const recoveryToken = await mailedToken(email, '/recover-account')
    if (!verified) await setUser({ emailVerified: false })
    const resetToken = await createMailToken(serverOf().context, 'reset', { user: objectId, email }, 3600)

    return {
      ...{ objectId, username, email, password, token, otherToken, here, elsewhere, wallet, walletId, setAside },
      ...{ passkey, passkeyId: String(made.body.objectId), guestId, socialId, codes: body.codes as string[] },
      challenge: await answerChallenge(serverOf(), newKey(), 'link', asking(otherToken, elsewhere)),
      registration: await askRegistration(otherToken, elsewhere),
      mailed: await askEmailCode(email),
      ...{ verificationToken, resetToken, undoToken, recoveryToken, deviceCookie: factor?.cookie ?? '' },
    }
  }

  async function confirm(token: string, password: string, secondFactorCode: string | undefined): Promise<string> {
    const input = { password, ...(secondFactorCode !== undefined && { secondFactorCode }) }
    const { body } = await call('POST', '/auth/reauthenticate', input, token)
    return String(body.sessionToken)
  }

  async function askRegistration(token: string, from: string): Promise<RegistrationOptions> {
    return (await call('POST', '/auth/passkeys/registration', {}, token, from)).body.options as RegistrationOptions
  }

  async function askEmailCode(email: string): Promise<Person['mailed']> {
    const from = randomUUID()
    const asked = await call('POST', '/auth/emailCode', { email }, undefined, from)
    await serverOf().context.background.settle()
    const { body } = await serverOf().call('GET', '/outbox', undefined, { master: true })
    const mails = body.results as { to: string; text: string }[]
    const texts = mails.filter(({ to }) => to === email).map(({ text }) => /\n\n(\d{6})\n\n/.exec(text)?.[1])
    return { handle: String(asked.body.handle), code: texts.find((code) => code !== undefined) ?? '', from }
  }

  /** An authenticator app, and a browser that is not asked for its code. */
  async function addSecondFactor({ username, password, token }: Pick<Person, 'username' | 'password' | 'token'>) {
    const { body } = await call('POST', '/auth/totp', {}, token)
    const codeNow = () =>
      new TOTP({ secret: Secret.fromBase32(String(body.secret)) }).generate({ timestamp: serverOf().clock.ms() })
    const on = await call('POST', '/auth/totp/confirm', { code: codeNow() }, token)
    if (on.status !== 200) throw new Error(on.text)
    // A code works once.
    serverOf().clock.forward(60_000)
    const first = await serverOf().call('POST', '/login', { username, password }, { headers: page() })
    const { ticket } = first.body.params as { ticket: string }
    const input = { ticket, code: codeNow(), rememberDevice: true }
    const done = await serverOf().call('POST', '/auth/signInWithSecondFactor', input, { headers: page() })
    const cookies = done.headers.getSetCookie().map((each) => each.split(';')[0] ?? '')
    serverOf().clock.forward(60_000)
    return { cookie: cookies.find((each) => each.startsWith('countersign-device=')) ?? '', codeNow }
  }

  /** How far the first proof leads: into the account, or to the question for the second. */
  async function firstStep(person: Person, cookie?: string): Promise<'in' | 'asked' | 'refused'> {
    const { username, socialId } = person
    const headers = page(cookie)
    const logIn = (password: string) => serverOf().call('POST', '/login', { username, password }, { headers })
    const answers = [
      await logIn(person.password),
      await logIn('another one'),
      await logIn('chosen by mail'),
      await serverOf().call('POST', '/users', { authData: { social: { id: socialId } } }, { headers }),
    ]
    if (answers.some(({ body }) => body.reason === 'secondFactorRequired')) return 'asked'
    return answers.some((answer) => opened(answer, person)) ? 'in' : 'refused'
  }

  async function mailedToken(address: string, page: string): Promise<string> {
    await serverOf().context.background.settle()
    const { body } = await serverOf().call('GET', '/outbox', undefined, { master: true })
    const mails = body.results as { to: string; link: string | null }[]
    const mail = mails.find(({ to, link }) => to === address && link?.includes(page))
    return new URL(mail?.link ?? '').searchParams.get('token') ?? ''
  }

  async function resetByMail({ resetToken }: Person): Promise<void> {
    const answer = await call('POST', '/resetPassword', { token: resetToken, password: 'chosen by mail' })
    if (answer.status !== 200) throw new Error(answer.text)
  }

  async function mergeInto(stays: Person, goes: Person): Promise<string> {
    const proof = await answerChallenge(serverOf(), goes.wallet, 'merge', asking(stays.token, stays.here))
    const preview = await call('POST', '/auth/merges', proof, stays.token, stays.here)
    const merged = await call('POST', `/auth/merges/${preview.body.objectId}`, {}, stays.token)
    if (merged.status !== 200) throw new Error(merged.text)
    return String(preview.body.objectId)
  }

  async function undoMerge({ token }: Person, merge: string): Promise<void> {
    const answer = await call('DELETE', `/auth/merges/${merge}`, undefined, token)
    if (answer.status !== 200) throw new Error(answer.text)
  }

  /** Undoes what was added, by the mailed link and the password that the account had. */
  async function recover({ recoveryToken: token, password }: Person): Promise<void> {
    const answer = await call('POST', '/recoverAccount', { token, password, newPassword: 'another one' })
    if (answer.status !== 200) throw new Error(answer.text)
  }

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

  const byPasskey = async ({ passkey }: Person, wishes: object = {}) => {
    const from = randomUUID()
    const { body } = await call('POST', '/auth/passkeys/challenge', { purpose: 'signIn' }, undefined, from)
    const credential = passkey.assert(body.options as ChallengeOptions)
    return call('POST', '/auth/signInWithPasskey', { credential, ...wishes }, undefined, from)
  }

  async function tryPasskey(person: Person) {
    return opened(await byPasskey(person), person)
  }

  async function tryWallet(person: Person) {
    const from = randomUUID()
    const proof = await answerChallenge(serverOf(), person.wallet, 'signIn', asking('', from))
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
    if (outcomes.size !== 1) throw new Error('A wallet, a passkey and an identity are not treated alike')
    return outcomes.has(true)
  }

  async function tryChallenge({ challenge, otherToken, elsewhere }: Person) {
    return (await call('POST', '/auth/wallets', challenge, otherToken, elsewhere)).status < 300
  }

  async function tryRegistration({ registration, otherToken, elsewhere }: Person) {
    const credential = createAuthenticator(serverOf().context.publicUrl).register(registration)
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

  /** The link alone does nothing, so a response that asks for the proof says that it works. */
  async function tryRecoveryMail({ recoveryToken }: Person) {
    return (await call('POST', '/recoverAccount', { token: recoveryToken })).body.reason === 'proofMissing'
  }

  async function hasAlertsOff({ objectId }: Person) {
    const rows = await serverOf().context.db.query(
      sql`select from countersign.account_settings where "user" = ${objectId} and not sign_in_alerts`,
    )
    return rows.length > 0
  }

  return {
    hasAlertsOff,
    askEmailCode,
    mailedToken,
    tryThisSession,
    tryOtherSession,
    tryPassword,
    tryPasskey,
    tryWallet,
    tryGuestId,
    tryIdentity,
    tryRecoveryCode,
    tryEmailCode,
    tryRestore,
    tryChallenge,
    tryRegistration,
    tryVerification,
    tryReset,
    tryUndo,
    tryRecoveryMail,
    signInByPasskey: byPasskey,
    recover,
    resetByMail,
    call,
    mergeInto,
    createPerson,
    undoMerge,
    firstStep,
  }
}
