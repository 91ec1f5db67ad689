import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createChainTools } from '../../functions/parse/createChainTools.ts'
import { createTestServer, type TestServer } from '../../testing/createTestServer.ts'

/** Recipients as the mail server gets them. */
const received: string[] = []
const smtp = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onRcptTo(address, _session, done) {
    received.push(address.address)
    done()
  },
  onData(stream, _session, done) {
    stream.on('end', () => done()).resume()
  },
})

let server: TestServer
beforeAll(async () => {
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve))
  const { port } = smtp.server.address() as { port: number }
  server = await createTestServer({
    smtp: { url: `smtp://127.0.0.1:${port}`, from: 'app@example.com' },
    emailCode: { enabled: true },
    rateLimit: [],
  })
})
afterAll(async () => {
  await server.stop()
  await new Promise<void>((resolve) => smtp.close(() => resolve()))
})

/** Other spellings of `victim@example.com`, and lists of addresses, for one mailer or another. */
const spellings = [
  '<victim@example.com>',
  'victim@example.com>',
  '<victim@example.com',
  '"victim"@example.com',
  'victim(comment)@example.com',
  '(comment)victim@example.com',
  'vic\\tim@example.com',
  'Victim:victim@example.com',
  'other,victim@example.com',
  'victim;other@example.com',
  'victim@example.com(comment)',
  'victim@example.com.',
  'victim@example..com',
  'victim@example。com',
  'victim@exa%6dple.com',
  'victim@[192.0.2.1]',
  'victim@example.com,other.com',
  'victim@example.com:25',
  'victim@ex\u00adample.com',
  'Victim <victim@example.com>',
]

const browser = { headers: { 'X-Parse-Installation-Id': 'browser' } }
const refused = { code: 125, reason: 'invalidEmailAddress' }

test('SEC-57: another spelling of an address is no address, wherever one is taken', async () => {
  const owner = await server.signUp('spells', { email: 'victim@example.com' })
  await server.context.background.settle()
  received.length = 0
  const master = { master: true }
  for (const [number, email] of spellings.entries()) {
    const requests: [string, string, object, object?][] = [
      ['POST', '/users', { username: `spelled${number}`, password: 'secret', email }],
      ['POST', '/classes/_User', { _method: 'POST', username: `spelled${number}`, password: 'secret', email }],
      ['PUT', `/users/${owner.objectId}`, { email }, { token: owner.token }],
      ['PUT', `/users/${owner.objectId}`, { email }, master],
      ['POST', '/auth/emailCode', { email }, browser],
      ['POST', '/requestPasswordReset', { email }],
      ['POST', '/verificationEmailRequest', { email }],
      ['POST', '/auth/invitations', { email }, master],
    ]
    for (const [method, path, input, options] of requests) {
      const { body } = await server.call(method as 'POST', path, input, options)
      expect(body, `${method} ${path} ${email}`).toMatchObject(refused)
    }
  }
  await server.context.background.settle()
  expect(received).toEqual([])
})

test('SEC-57: code of the application sends to addresses alone', async () => {
  const { cloud } = createChainTools(server.context)
  const sendEmail = cloud.sendEmail as (options: object) => Promise<void>
  for (const to of spellings) {
    await expect(sendEmail({ to, subject: 'x', text: 'y' }), to).rejects.toThrow('to must be one address')
  }
  received.length = 0
  await sendEmail({ to: 'victim@example.com', subject: 'x', text: 'y' })
  expect(received).toEqual(['victim@example.com'])
})

test('SEC-57: addresses that people have stay addresses', async () => {
  const emails = [
    "o'brien+tag@example.com",
    'a..b@example.com',
    'me@localhost',
    'jürgen@müller.example',
    'me@xn--mller-kva.example',
    '用户@例子.广告',
    'a_b-c/d=e@sub_domain.example.com',
    ' spaced@example.com ',
  ]
  for (const email of emails) {
    expect((await server.call('POST', '/auth/emailCode', { email }, browser)).status, email).toBe(200)
    expect((await server.call('POST', '/requestPasswordReset', { email })).body, email).toEqual({})
  }
})
