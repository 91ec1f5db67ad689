import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CallOptions, createTestServer, type TestServer } from '../../testing/createTestServer.ts'
import { nameKey } from '../../users/usernames.ts'

let server: TestServer

let token: string

let objectId: string

beforeAll(async () => {
  // Requests from this machine are not counted, so each one reaches its handler.
  server = await createTestServer()
  ;({ token, objectId } = await server.signUp('holder', { email: 'holder@example.com' }))
})

afterAll(() => server.stop())

/** NFKC makes eighteen letters of each. */
const growing = 'ﷺ'.repeat(250_000)

const long = 'x'.repeat(900_000)

const installation = { 'X-Parse-Installation-Id': 'here' }

const name = { code: 200, error: 'A username can have at most 256 characters.', reason: 'usernameTooLong' }

const address = { code: 125, error: 'An email address can have at most 254 characters.', reason: 'emailTooLong' }

const password = { code: 142, error: 'A password can have at most 1024 characters.', reason: 'passwordTooLong' }

const tooLong = (field: string, max: number) => ({
  code: 162,
  // Texts refused by the contract have another sentence.
  error: expect.stringMatching(new RegExp(`^${field}\\b.* ${max} characters`)),
})

const token162 = tooLong('token', 200)

const text = (fields: object) => ({ authData: { moralisEth: { id: '0x1', signature: '0x', data: 'x', ...fields } } })

type Case = [method: string, path: string, body: object, refusal: object, options?: 'session' | 'master']

const cases: Case[] = [
  ['POST', '/login', { username: growing, password: 'x' }, name],
  ['POST', '/login', { email: growing, password: 'x' }, address],
  ['POST', '/login', { username: 'holder', email: growing, password: 'x' }, address],
  ['POST', '/login', { username: 'holder', password: long }, password],
  ['POST', '/login', { _method: 'GET', username: growing, password: 'x' }, name],
  ['POST', '/verifyPassword', { username: growing, password: 'x' }, name],
  ['POST', '/verifyPassword', { username: 'holder', password: long }, password],
  ['POST', '/requestPasswordReset', { email: growing }, address],
  ['POST', '/requestPasswordReset', { email: 'a'.repeat(255) }, address],
  ['POST', '/verificationEmailRequest', { email: growing }, address],
  ['POST', '/auth/signInWithRecoveryCode', { username: growing, code: 'x' }, name],
  ['POST', '/auth/signInWithRecoveryCode', { username: 'holder', code: long }, tooLong('code', 64)],
  ['POST', '/users', { username: growing, password: 'x' }, name],
  ['POST', '/users', { username: 'x', password: long }, password],
  ['POST', '/users', { username: 'x', password: 'x', email: `${growing}@example.com` }, address],
  // Short as it was sent, and too long for an index as its key.
  ['POST', '/users', { username: 'ﷺ'.repeat(100), password: 'x' }, name],
  ['PUT', '/users/:me', { username: growing }, name, 'session'],
  ['PUT', '/users/:me', { email: `${growing}@example.com` }, address, 'session'],
  ['PUT', '/users/:me', { password: long }, password, 'session'],
  ['POST', '/changePassword', { currentPassword: long, newPassword: 'new' }, password, 'session'],
  ['POST', '/changePassword', { currentPassword: 'x', newPassword: long }, password, 'session'],
  ['POST', '/auth/reauthenticate', { password: long }, password, 'session'],
  ['POST', '/auth/reauthenticate', { message: long, signature: '0x' }, tooLong('message', 8192), 'session'],
  ['POST', '/auth/signInWithWallet', { message: long, signature: '0x' }, tooLong('message', 8192)],
  ['POST', '/auth/signInWithWallet', { message: 'x', signature: long }, tooLong('signature', 32_768)],
  ['POST', '/auth/wallets', { message: 'x', signature: long }, tooLong('signature', 32_768), 'session'],
  ['POST', '/auth/merges', { message: long, signature: '0x' }, tooLong('message', 8192), 'session'],
  ['POST', '/users', text({ id: long }), tooLong('authData.moralisEth.id', 128)],
  ['POST', '/users', text({ signature: long }), tooLong('authData.moralisEth.signature', 32_768)],
  ['POST', '/users', text({ data: long }), tooLong('authData.moralisEth.data', 8192)],
  ['PUT', '/users/:me', text({ id: long }), tooLong('authData.moralisEth.id', 128), 'session'],
  ['POST', '/verifyEmail', { token: long }, token162],
  ['POST', '/resetPassword', { token: long, password: 'new' }, token162],
  ['POST', '/resetPassword', { token: 'x', password: long }, password],
  ['POST', '/loginAs', { userId: long }, tooLong('userId', 128), 'master'],
  ['POST', '/installations', { deviceType: 'ios', installationId: long }, tooLong('installationId', 200)],
  ['POST', '/installations', { deviceType: 'ios', deviceToken: long }, tooLong('deviceToken', 2000)],
  ['POST', '/installations', { deviceType: long, installationId: 'x' }, tooLong('deviceType', 200)],
  ['POST', '/tokenGates', { role: long, chain: 1, kind: 'native' }, tooLong('role', 200), 'master'],
  ['POST', '/cloud_code/jobs', { jobName: 'x', cron: long }, tooLong('cron', 1000), 'master'],
  [
    'POST',
    '/hooks/functions',
    { functionName: long, url: 'https://example.com' },
    { code: expect.any(Number) },
    'master',
  ],
]

describe('SEC-5: a text that is too long is refused before anything is done with it', () => {
  test.each(
    cases.map((row, index) => [`${row[0]} ${row[1]} ${Object.keys(row[2]).join(', ')} (${index})`, row] as const),
  )('%s', async (_title, [method, path, body, refusal, who]) => {
    const options: CallOptions = {
      headers: installation,
      ...(who === 'session' && { token }),
      ...(who === 'master' && { master: true }),
    }
    const answer = await server.call(method, path.replace(':me', objectId), body, options)
    expect(answer.body).toMatchObject(refusal)
    expect(answer.status).toBe(400)
  })

  test('credentials in the body and in headers are limited, too', async () => {
    const headers = (fields: Record<string, string>) => ({ headers: { ...installation, ...fields } })
    const me = (options: CallOptions) => server.call('GET', '/users/me', undefined, options)
    const inBody = (fields: object) =>
      server.call(
        'POST',
        '/functions/getServerTime',
        { _ApplicationId: server.appId, ...fields },
        { headers: { 'X-Parse-Application-Id': '' } },
      )
    expect((await me(headers({ 'X-Parse-Session-Token': 'x'.repeat(10_000) }))).body).toMatchObject({ code: 209 })
    expect((await inBody({ _SessionToken: long })).status).toBeLessThan(500)
    expect((await me(headers({ 'X-Parse-Installation-Id': 'x'.repeat(201) }))).body).toMatchObject(
      tooLong('X-Parse-Installation-Id', 200),
    )
    expect((await me(headers({ 'X-Parse-Request-Id': 'x'.repeat(201) }))).body).toMatchObject(
      tooLong('X-Parse-Request-Id', 200),
    )
    const master = headers({ 'X-Parse-Master-Key': 'x'.repeat(10_000) })
    expect((await server.call('GET', '/schemas', undefined, master)).status).toBe(403)
  })

  test('no key is created from a text that cannot be a name', () => {
    expect(() => nameKey(growing)).toThrow('A username can have at most')
    expect(nameKey('Ｇrace ')).toBe('grace')
  })

  test('the longest ones that are allowed still work', async () => {
    const username = 'x'.repeat(256)
    const secret = '𝕏'.repeat(512)
    const email = `${'x'.repeat(242)}@example.com`
    expect((await server.call('POST', '/users', { username, password: secret, email })).status).toBe(201)
    expect((await server.call('POST', '/login', { username, password: secret })).status).toBe(200)
    expect((await server.call('POST', '/login', { username: email, password: secret })).status).toBe(200)
    const wide = await server.call('POST', '/users', { username: '王'.repeat(256), password: 'x' })
    expect(wide.status).toBe(201)
  })
})
