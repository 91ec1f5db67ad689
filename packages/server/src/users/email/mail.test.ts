import { SMTPServer } from 'smtp-server'
import { expect, test } from 'vitest'
import { sql } from '../../db/sql.ts'
import { createTestServer } from '../../testing/createTestServer.ts'
import { listMails, readMailToken } from '../../testing/readMails.ts'
import { serveTests } from '../../testing/serveTests.ts'

const server = serveTests()

const mailsTo = (address: string) => listMails(server, address)

const tokenFor = (address: string, page: string) => readMailToken(server, address, page)

test('a sign-up with an e-mail address sends a link that confirms it, once', async () => {
  const user = await server.signUp('mia', { email: 'mia@example.com' })
  const token = await tokenFor('mia@example.com', '/verify-email')
  expect((await server.call('POST', '/verifyEmail', { token })).body).toEqual({})
  expect((await server.call('GET', '/users/me', undefined, { token: user.token })).body.emailVerified).toBe(true)
  expect((await server.call('POST', '/verifyEmail', { token })).body.code).toBe(-1)
})

test('mails are in the language of the account, else in that of the request; warnings only in the former', async () => {
  const email = `lea-${Date.now()}@example.com`
  const asGerman = { headers: { 'Accept-Language': 'de-AT,de;q=0.9,en;q=0.5' } }
  const came = async (part: string) => (await mailsTo(email)).filter((mail) => mail.text.includes(part)).length
  const account = { username: email, password: 'lea password', email }
  const { body } = await server.call('POST', '/users', account, asGerman)
  const token = String(body.sessionToken)
  const change = (fields: object) => server.call('PUT', `/users/${body.objectId}`, fields, { master: true })
  const reset = () => server.call('POST', '/requestPasswordReset', { email }, asGerman)
  const makeCodes = () => server.call('POST', '/auth/recoveryCodes', {}, { token, ...asGerman })
  expect(await came('bitte bestätigen Sie Ihre E-Mail-Adresse')).toBe(1)
  await reset()
  expect(await came('wählen Sie ein neues Passwort')).toBe(1)
  await change({ emailVerified: true })
  await makeCodes()
  expect(await came('New recovery codes were generated.')).toBe(1)

  await change({ language: 'ja' })
  await reset()
  expect(await came('新しいパスワードを設定')).toBe(1)
  await makeCodes()
  expect(await came('新しいリカバリーコードが作成されました')).toBe(1)
  await server.call('POST', '/login', account, { headers: { ...asGerman.headers, 'User-Agent': 'other device' } })
  expect(await came('端末：other device')).toBe(1)
})

test('a new address must be confirmed again; the link of the old one no longer counts', async () => {
  const user = await server.signUp('nia', { email: 'nia@example.com' })
  const old = await tokenFor('nia@example.com', '/verify-email')
  await server.call('PUT', `/users/${user.objectId}`, { email: 'nia@example.org' }, { token: user.token })
  expect((await server.call('POST', '/verifyEmail', { token: old })).body.code).toBe(-1)
  const me = () => server.call('GET', '/users/me', undefined, { token: user.token })
  expect((await me()).body).toMatchObject({ email: 'nia@example.org', emailVerified: false })
  await server.call('POST', '/verifyEmail', { token: await tokenFor('nia@example.org', '/verify-email') })
  expect((await me()).body.emailVerified).toBe(true)
  await server.call('PUT', `/users/${user.objectId}`, { email: 'NIA@example.org' }, { token: user.token })
  expect((await me()).body).toMatchObject({ email: 'NIA@example.org', emailVerified: true })
})

test('a reset link sets a new password once, ends all sessions and lifts a lock', async () => {
  const user = await server.signUp('rex', { email: 'rex@example.com' })
  for (let i = 0; i < 12; i++) await server.call('POST', '/login', { username: 'rex', password: 'no' })
  expect((await server.call('POST', '/requestPasswordReset', { email: 'REX@example.com' })).body).toEqual({})
  const token = await tokenFor('rex@example.com', '/reset')
  const refused = await server.call('POST', '/resetPassword', { token, password: '' })
  expect(refused.body.code).toBe(201)
  const uses = await Promise.all(
    Array.from({ length: 20 }, () => server.call('POST', '/resetPassword', { token, password: 'fresh' })),
  )
  expect(uses.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(uses.filter(({ body }) => body.code === -1)).toHaveLength(19)
  expect((await server.call('GET', '/users/me', undefined, { token: user.token })).body.code).toBe(209)
  const { body } = await server.call('POST', '/login', { username: 'rex', password: 'fresh' })
  expect(body).toMatchObject({ username: 'rex', emailVerified: true })
})

test('a reset link ends with its hour and with a new password, which ends the earlier ones too', async () => {
  const user = await server.signUp('tim', { email: 'tim@example.com' })
  const ask = async () => {
    await server.call('POST', '/requestPasswordReset', { email: 'tim@example.com' })
    return tokenFor('tim@example.com', '/reset')
  }
  const first = await ask()
  const second = await ask()
  await server.call('PUT', `/users/${user.objectId}`, { password: 'other' }, { token: user.token })
  for (const token of [first, second])
    expect((await server.call('POST', '/resetPassword', { token, password: 'x' })).body.code).toBe(-1)
  const third = await ask()
  server.clock.forward(3_601_000)
  expect((await server.call('POST', '/resetPassword', { token: third, password: 'x' })).body.code).toBe(-1)
})

test('P4, P16: unknown addresses get the same response; invalid ones are rejected', async () => {
  for (const path of ['/requestPasswordReset', '/verificationEmailRequest']) {
    expect(await server.call('POST', path, { email: 'nobody@example.com' })).toMatchObject({ status: 200, body: {} })
    expect((await server.call('POST', path, {})).body.code).toBe(204)
    expect((await server.call('POST', path, { email: { $regex: '.' } })).body.code).toBe(125)
  }
  expect(await mailsTo('nobody@example.com')).toEqual([])
  for (const token of [{ $ne: null }, '', 'x', undefined]) {
    expect((await server.call('POST', '/resetPassword', { token, password: 'x' })).body.code).toBe(-1)
    expect((await server.call('POST', '/verifyEmail', { token })).body.code).toBe(-1)
  }
})

test('an address gets five mails of each kind in a quarter of an hour, and the responses do not show it', async () => {
  const own = await createTestServer({ rateLimit: [] })
  try {
    const { token, objectId } = await own.signUp('flood', { email: 'flood@example.com' })
    const sent = async (page: string) => (await listMails(own, 'flood@example.com', page)).length
    const ask = async (path: string) => {
      for (const email of ['flood@example.com', 'FLOOD@example.com', 'nobody@example.com']) {
        expect(await own.call('POST', path, { email })).toMatchObject({ status: 200, body: {} })
      }
    }
    for (let i = 0; i < 5; i++) await ask('/requestPasswordReset')
    expect(await sent('/reset')).toBe(5)
    own.clock.forward(15 * 60_000)
    await ask('/requestPasswordReset')
    expect(await sent('/reset')).toBe(7)

    for (let i = 0; i < 5; i++) await ask('/verificationEmailRequest')
    expect(await sent('/verify-email')).toBe(6)
    for (const email of ['other@example.com', 'flood@example.com']) {
      await own.call('PUT', `/users/${objectId}`, { email }, { token })
    }
    expect(await sent('/verify-email')).toBe(6)
  } finally {
    await own.stop()
  }
})

test('links of older mails lead to the screens of the web application', async () => {
  for (const [from, to] of [
    [`/apps/${server.appId}/verify_email?token=a%26b&username=x`, '/verify-email?token=a%26b'],
    [`/apps/${server.appId}/request_password_reset?token=t`, '/reset?token=t'],
    ['/apps/choose_password?token=t', '/reset?token=t'],
  ]) {
    const response = await fetch(`${server.serverUrl}${from}`, { redirect: 'manual' })
    expect([response.status, response.headers.get('location')?.endsWith(to as string)]).toEqual([302, true])
  }
})

test('the outbox is closed to guests, users, other pages and proxies', async () => {
  const user = await server.signUp('peek')
  const app = { 'X-Countersign-Session': 'cookie' }
  expect((await server.call('GET', '/outbox')).body.code).toBe(119)
  expect((await server.call('GET', '/outbox', undefined, { token: user.token })).body.code).toBe(119)
  expect((await server.call('GET', '/outbox', undefined, { headers: app })).status).toBe(200)
  const others: Record<string, string>[] = [
    { Origin: 'https://evil.example' },
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'X-Forwarded-For': '1.2.3.4' },
  ]
  for (const headers of others) {
    expect((await server.call('GET', '/outbox', undefined, { headers: { ...app, ...headers } })).body.code).toBe(119)
  }
})

test('with an SMTP server mails really leave, and there is no outbox', async () => {
  const received: string[] = []
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, _session, done) {
      let text = ''
      stream.on('data', (chunk: Buffer) => {
        text += chunk.toString()
      })
      stream.on('end', () => {
        received.push(text)
        done()
      })
    },
  })
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve))
  const { port } = smtp.server.address() as { port: number }
  const sending = await createTestServer(
    {
      smtp: { url: `smtp://127.0.0.1:${port}`, from: 'no-reply@example.com' },
      appName: 'Acme',
    },
    server.database,
  )
  try {
    await sending.signUp('sue', { email: 'sue@example.com' })
    await sending.context.background.settle()
    expect(received).toHaveLength(1)
    expect(received[0]).toContain('To: sue@example.com')
    expect(received[0]).toContain('Subject: Verify your email address for Acme')
    expect((await sending.call('GET', '/outbox', undefined, { master: true })).status).toBe(404)
  } finally {
    await sending.stop()
    await new Promise<void>((resolve) => smtp.close(resolve))
  }
})

test('preventLoginWithUnverifiedEmail: no session until the address is confirmed', async () => {
  const strict = await createTestServer({ preventLoginWithUnverifiedEmail: true }, server.database)
  try {
    const made = await strict.call('POST', '/users', { username: 'una', password: 'x', email: 'una@example.com' })
    expect(made.status).toBe(201)
    expect(made.body).not.toHaveProperty('sessionToken')
    expect((await strict.call('POST', '/login', { username: 'una', password: 'x' })).body).toMatchObject({
      code: 205,
      error: 'User email is not verified.',
    })
    const token = await readMailToken(strict, 'una@example.com', '/verify-email')
    await strict.call('POST', '/verifyEmail', { token })
    expect((await strict.call('POST', '/login', { username: 'una', password: 'x' })).status).toBe(200)
  } finally {
    await strict.stop()
  }
})

test('SEC-11: with any stored name, mails contain no links but the server’s own', async () => {
  const email = `linked-${Date.now()}@example.com`
  const user = await server.signUp(`linked-${Date.now()}`, { email })
  const name = 'Ann,\n\nyour account was hacked: https://evil.example/login \u202egro.live\u202c www.evil.org'
  await server.context.db.query(
    sql`update "_User" set username = ${name}, "emailVerified" = true where "objectId" = ${user.objectId}`,
  )
  await server.call('POST', '/requestPasswordReset', { email })
  await server.call('POST', '/auth/recoveryCodes', {}, { token: user.token })
  const mails = (await mailsTo(email)).filter(({ text }) => !text.includes('verify'))
  expect(mails).toHaveLength(2)
  for (const { text } of mails) {
    expect(text).toContain('Hello there,')
    expect(text).not.toContain('hacked')
    expect(text.replaceAll(/http:\/\/localhost\S*/g, '')).not.toMatch(/evil|https?:|\u202e/)
  }
})

test('SEC-8: a reset and a verification respond while the database and the mail server hang', async () => {
  const hung = new SMTPServer({ authOptional: true, disabledCommands: ['STARTTLS'], onConnect() {} })
  hung.on('error', () => {})
  await new Promise<void>((resolve) => hung.listen(0, '127.0.0.1', resolve))
  const { port } = hung.server.address() as { port: number }
  const smtp = { url: `smtp://127.0.0.1:${port}?greetingTimeout=200`, from: 'no-reply@example.com' }
  const sending = await createTestServer({ smtp }, server.database)
  try {
    const email = `hang-${Date.now()}@example.com`
    await server.signUp(`hang-${Date.now()}`, { email })
    await server.context.background.settle()
    await server.context.db.transaction(async () => {
      // On the embedded database the open transaction alone keeps everyone else waiting.
      await server.context.db.query(sql`lock table "_User", countersign.tokens in access exclusive mode`)
      for (const address of [email, 'nobody@example.com']) {
        for (const path of ['/requestPasswordReset', '/verificationEmailRequest']) {
          expect(await sending.call('POST', path, { email: address })).toMatchObject({ status: 200, body: {} })
        }
      }
    })
  } finally {
    await sending.stop()
    await new Promise<void>((resolve) => hung.close(resolve))
  }
})
