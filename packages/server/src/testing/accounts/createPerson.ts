import { randomUUID } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { createMailToken } from '../../users/email/mailTokens.ts'
import { answerChallenge } from '../answerChallenge.ts'
import { createAuthenticator, type RegistrationOptions } from './createAuthenticator.ts'
import { asking, type People, type Person, page } from './Person.ts'

export const newAddress = () => `${randomUUID()}@example.com`

const newKey = () => privateKeyToAccount(generatePrivateKey())

/** Somebody with everything that may open an account. `isAged`: had for longer than the window of any undo. */
export async function createPerson(
  people: People,
  { verified = true, secondFactor = false, isAged = false, hasUndo = true } = {},
): Promise<Person> {
  const { serverOf, call } = people
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
  const options = await askRegistration(people, token, here)
  const made = await call('POST', '/auth/passkeys', { credential: passkey.register(options) }, token, here)
  const lost = createAuthenticator(serverOf().context.publicUrl).register(await askRegistration(people, token, here))
  const { body: removed } = await call('POST', '/auth/passkeys', { credential: lost }, token, here)
  await call('PUT', `/users/${objectId}`, { authData: { former: { id: randomUUID() } } }, token)
  const guestId = randomUUID()
  await call('PUT', `/users/${objectId}`, { authData: { anonymous: { id: guestId } } }, token)
  const socialId = randomUUID()
  await call('PUT', `/users/${objectId}`, { authData: { social: { id: socialId } } }, token)
  const { body } = await call('POST', '/auth/recoveryCodes', {}, token)
  await call('PUT', '/auth/security', { signInAlerts: false }, token)
  const factor = secondFactor ? await addSecondFactor(people, { username, password, token }) : undefined

  if (isAged) {
    serverOf().clock.forward(20 * 24 * 3_600_000)
    token = await confirm(people, token, password, factor?.codeNow())
    serverOf().clock.forward(60_000)
    otherToken = await confirm(people, otherToken, password, factor?.codeNow())
  }
  const setAside = [`wallets/${unlinkedId}`, `passkeys/${removed.objectId}`, 'identities/former']
  for (const path of setAside) await call('DELETE', `/auth/${path}`, undefined, token)
  serverOf().clock.forward(1_000)
  if (hasUndo) await call('PUT', `/users/${objectId}`, { email }, token)
  const undoToken = hasUndo ? await mailedToken(people, former, '/undo-email') : ''
  const verificationToken = await mailedToken(people, email, '/verify-email')
  // By the operator, so that the mail is still pending.
  await setUser({ emailVerified: true })
  await link(newKey())
  const recoveryToken = await mailedToken(people, email, '/recover-account')
  if (!verified) await setUser({ emailVerified: false })
  const resetToken = await createMailToken(serverOf().context, 'reset', { user: objectId, email }, 3600)

  const issued = await call('POST', '/auth/tokens', { name: 'script', scopes: ['account:read'] }, token)

  return {
    accessToken: String(issued.body.token),
    ...{ objectId, username, email, password, token, otherToken, here, elsewhere, wallet, walletId, setAside },
    ...{ passkey, passkeyId: String(made.body.objectId), guestId, socialId, codes: body.codes as string[] },
    challenge: await answerChallenge(serverOf(), newKey(), 'link', asking(otherToken, elsewhere)),
    registration: await askRegistration(people, otherToken, elsewhere),
    mailed: await askEmailCode(people, email),
    ...{ verificationToken, resetToken, undoToken, recoveryToken, deviceCookie: factor?.cookie ?? '' },
  }
}

async function confirm(
  { call }: People,
  token: string,
  password: string,
  secondFactorCode: string | undefined,
): Promise<string> {
  const input = { password, ...(secondFactorCode !== undefined && { secondFactorCode }) }
  const { body } = await call('POST', '/auth/reauthenticate', input, token)
  return String(body.sessionToken)
}

async function askRegistration({ call }: People, token: string, from: string): Promise<RegistrationOptions> {
  return (await call('POST', '/auth/passkeys/registration', {}, token, from)).body.options as RegistrationOptions
}

export async function askEmailCode({ serverOf, call }: People, email: string): Promise<Person['mailed']> {
  const from = randomUUID()
  const asked = await call('POST', '/auth/emailCode', { email }, undefined, from)
  await serverOf().context.background.settle()
  const { body } = await serverOf().call('GET', '/outbox', undefined, { master: true })
  const mails = body.results as { to: string; text: string }[]
  const texts = mails.filter(({ to }) => to === email).map(({ text }) => /\n\n(\d{6})\n\n/.exec(text)?.[1])
  return { handle: String(asked.body.handle), code: texts.find((code) => code !== undefined) ?? '', from }
}

/** An authenticator app, and a browser that is not asked for its code. */
async function addSecondFactor(
  { serverOf, call }: People,
  { username, password, token }: Pick<Person, 'username' | 'password' | 'token'>,
) {
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

export async function mailedToken({ serverOf }: People, address: string, page: string): Promise<string> {
  await serverOf().context.background.settle()
  const { body } = await serverOf().call('GET', '/outbox', undefined, { master: true })
  const mails = body.results as { to: string; link: string | null }[]
  const mail = mails.find(({ to, link }) => to === address && link?.includes(page))
  return new URL(mail?.link ?? '').searchParams.get('token') ?? ''
}
