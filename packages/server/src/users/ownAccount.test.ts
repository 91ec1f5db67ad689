import { expect, test } from 'vitest'
import { sql } from '../db/sql.ts'
import { listMails } from '../testing/readMails.ts'
import { serveTests } from '../testing/serveTests.ts'

const server = serveTests({ trustProxy: true })

type Entry = { action: string; details: Record<string, unknown>; userAgent?: string }

const ask = async (token: string, query: object) => {
  const search = new URLSearchParams(
    Object.fromEntries(Object.entries(query).map(([name, value]) => [name, JSON.stringify(value)])),
  )
  return server.call('GET', `/auth/activity?${search}`, undefined, { token })
}
const list = async (token: string, query: object = {}) => (await ask(token, query)).body.results as Entry[]

test('activity is narrowed by kind and by device; a sign-in names the session that it opened', async () => {
  const { token } = await server.signUp('narrow')
  const credentials = { username: 'narrow', password: 'narrow password' }
  const phone = await server.call('POST', '/login', credentials, { headers: { 'User-Agent': 'phone/1' } })
  await server.call(
    'POST',
    '/auth/reauthenticate',
    { password: credentials.password },
    { token: String(phone.body.sessionToken) },
  )

  const signIns = await list(token, { actions: ['signIn'] })
  expect(signIns.map(({ action, userAgent }) => [action, userAgent])).toEqual([['signIn', 'phone/1']])
  const opened = signIns[0]?.details.session
  const sessions = await server.call('GET', '/sessions', undefined, { token })
  expect(
    (sessions.body.results as { objectId: string; userAgent: string }[]).find((one) => one.objectId === opened),
  ).toMatchObject({ userAgent: 'phone/1' })
  const [created] = await list(token, { actions: ['signUp'] })
  const own = await server.call('GET', '/sessions/me', undefined, { token })
  expect(created?.details).toEqual({ action: 'signup', authProvider: 'password', session: own.body.objectId })

  expect((await list(token, { userAgents: ['phone/1'] })).map(({ action }) => action)).toEqual(['signIn'])
  expect(await list(token, { userAgents: ['phone/1'], actions: ['reauthenticate'] })).toEqual([])
  expect(await list(token, { actions: [] })).toEqual([])
  for (const query of [
    { actions: 'signIn' },
    { actions: [5] },
    { userAgents: { $gt: '' } },
    { actions: Array(101).fill('x') },
  ]) {
    expect((await ask(token, query)).body.code).toBe(162)
  }
})

const recover = (username: string, code: string, headers: Record<string, string> = {}) =>
  server.call('POST', '/auth/signInWithRecoveryCode', { username, code }, { headers })

const makeCodes = async (token: string) =>
  (await server.call('POST', '/auth/recoveryCodes', {}, { token })).body.codes as string[]

const findMails = (address: string) => listMails(server, address)

const verify = (objectId: string) => server.call('PUT', `/users/${objectId}`, { emailVerified: true }, { master: true })

test('a recovery code opens the account once, in any spelling; new codes end the old ones', async () => {
  const { token } = await server.signUp('lost', { email: 'lost@example.org' })
  const codes = await makeCodes(token)
  expect(new Set(codes).size).toBe(10)
  for (const code of codes) expect(code).toMatch(/^([0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4}$/)
  const stored = await server.context.db.query<{ hash: Buffer }>(sql`select hash from countersign.recovery_codes`)
  for (const { hash } of stored)
    for (const code of codes) expect(hash.toString('latin1')).not.toContain(code.slice(0, 4))

  const [first = '', second = '', third = ''] = codes
  const opened = await recover('lost', first)
  expect([opened.status, opened.body.username]).toEqual([200, 'lost'])
  expect((await recover('lost', first)).status).toBe(401)
  expect(
    (await recover('LOST@example.org', ` ${second.toUpperCase().replaceAll('-', ' ').replaceAll('0', 'O')} `)).status,
  ).toBe(200)
  const security = await server.call('GET', '/auth/security', undefined, { token })
  expect(security.body).toMatchObject({ recoveryCodes: { left: 8, made: 10 }, signInAlerts: true })

  const [fresh = ''] = await makeCodes(opened.body.sessionToken as string)
  expect((await recover('lost', third)).status).toBe(401)
  expect((await recover('lost', fresh)).status).toBe(200)
  expect(
    (await list(token, { actions: ['createRecoveryCodes', 'useRecoveryCode'] })).map(({ action }) => action).sort(),
  ).toEqual(['createRecoveryCodes', 'createRecoveryCodes', 'useRecoveryCode', 'useRecoveryCode', 'useRecoveryCode'])
})

test('S2, P9: of a hundred concurrent uses of one code, one succeeds', async () => {
  // Attempts with one name are queued; by name and by address they run in parallel.
  const { token } = await server.signUp('raced', { email: 'raced@example.org' })
  const [code = ''] = await makeCodes(token)
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, index) => recover(index % 2 ? 'raced' : 'raced@example.org', code)),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(answers.filter(({ body }) => 'sessionToken' in body)).toHaveLength(1)
})

test('a code of one account opens no other; unknown name and wrong code get the same response and count as failures', async () => {
  const one = await server.signUp('codes one')
  await server.signUp('codes two')
  const [code = ''] = await makeCodes(one.token)
  const answers = [
    await recover('codes two', code),
    await recover('codes nobody', code),
    await recover('codes one', 'abcd'),
  ]
  for (const { status, body } of answers)
    expect([status, body.code, body.error]).toEqual([401, 101, answers[0]?.body.error])
  for (const body of [
    { username: 'codes one' },
    { code },
    { username: { $ne: '' }, code },
    { username: 'codes one', code: {} },
  ])
    expect((await server.call('POST', '/auth/signInWithRecoveryCode', body)).status).toBe(400)
  expect((await recover('codes one', code)).status).toBe(200)
})

test('guessed passwords block no recovery, guessed codes no password; each has its own limit', async () => {
  // A second try has a name of its own.
  const username = `guessed at ${Date.now()}`
  const { token } = await server.signUp(username)
  const [code = '', spare = ''] = await makeCodes(token)
  const right = { username, password: `${username} password` }
  const times = Array.from({ length: 12 })
  const guess = (text: string) => server.call('POST', '/login', { ...right, password: text })
  await Promise.all(times.map(() => guess('wrong')))
  expect((await server.call('POST', '/login', right)).body.error).toContain('locked')
  expect((await recover(username.toUpperCase(), code)).status).toBe(200)
  // A person who signed in by a code may use the password at once.
  expect((await server.call('POST', '/login', right)).status).toBe(200)

  const codes = await Promise.all(times.map((_, index) => recover(username, `wrong-${index}`)))
  expect(codes.filter(({ status }) => status === 401)).toHaveLength(10)
  expect((await recover(username, spare)).body.error).toContain('locked')
  expect((await server.call('POST', '/login', right)).status).toBe(200)
  expect((await recover(username, spare)).status).toBe(404)
  server.clock.forward(5 * 60_000 + 1000)
  expect((await recover(username, spare)).status).toBe(200)
})

test('a session that was not confirmed recently makes no codes, exports nothing and turns no alerts off', async () => {
  const { token } = await server.signUp('stale')
  server.clock.forward((server.context.config.confirmationLength + 1) * 1000)
  const refused = [
    await server.call('POST', '/auth/recoveryCodes', {}, { token }),
    await server.call('GET', '/auth/export', undefined, { token }),
    await server.call('PUT', '/auth/security', { signInAlerts: false }, { token }),
  ]
  for (const { status, body } of refused) expect([status, body.code]).toEqual([403, 119])
  expect((await server.call('PUT', '/auth/security', { signInAlerts: true }, { token })).status).toBe(200)
})

test('a sign-in from a new device is mailed; a new version of a known one is not, nor with alerts off', async () => {
  const email = 'watched@example.org'
  const { token, objectId } = await server.signUp('watched', { email })
  await verify(objectId)
  const enter = (userAgent: string) =>
    server.call(
      'POST',
      '/login',
      { username: 'watched', password: 'watched password' },
      { headers: { 'User-Agent': userAgent } },
    )
  const alerts = async () => (await findMails(email)).filter(({ subject }) => subject.startsWith('New device'))
  await enter('Browser/1.0 (Phone) see https://evil.example')
  expect((await alerts()).length).toBe(1)
  expect((await alerts())[0]?.text).toContain('Device: Browser/1.0 (Phone) see')
  expect((await alerts())[0]?.text).not.toContain('evil')
  await enter('Browser/2.5 (Phone) see https://evil.example')
  expect((await alerts()).length).toBe(1)
  await server.call('PUT', '/auth/security', { signInAlerts: false }, { token })
  await enter('Other (Desktop)')
  expect((await alerts()).length).toBe(1)
  expect((await findMails(email)).map(({ text }) => text).join()).toContain('New-device alerts were turned off')
})

test('a sign-in writes no address into the alert, and sends no more than ten in an hour', async () => {
  const email = 'alarmed@example.org'
  const { objectId } = await server.signUp('alarmed', { email })
  await verify(objectId)
  const credentials = { username: 'alarmed', password: 'alarmed password' }
  const enter = (userAgent: string, address = '203.0.113.9') =>
    server.call('POST', '/login', credentials, { headers: { 'User-Agent': userAgent, 'X-Forwarded-For': address } })
  const alerts = async () => (await findMails(email)).filter(({ subject }) => subject.startsWith('New device'))
  await enter('Locked! ftp://evil.example HTTPS://evil.example evil.example/reset help@evil.example', 'evil.example')
  const [mail] = await alerts()
  expect(mail?.text).toMatch(/Device: Locked!/)
  expect(mail?.text).toContain('IP address: unknown')
  expect(mail?.text.replaceAll(server.context.publicUrl, '')).not.toMatch(/\w\.[a-z]|:\/\/|@/i)
  for (let device = 0; device < 12; device++) await enter(`Device ${String.fromCharCode(97 + device)}`)
  expect((await alerts()).length).toBe(10)
  server.clock.forward(3_601_000)
  await enter('Later')
  expect((await alerts()).length).toBe(11)
})

test('the export has all that is kept of the caller and nothing of others, without secrets', async () => {
  const { token, objectId } = await server.signUp('leaver', { email: 'leaver@example.org', motto: 'so long' })
  const other = await server.signUp('stayer')
  await makeCodes(token)
  const user = { __type: 'Pointer', className: '_User', objectId }
  const make = (fields: object, by = token) => server.call('POST', '/classes/Note', fields, { token: by })
  await make({ text: 'mine', ACL: { [objectId]: { read: true, write: true } } })
  await make({ text: 'of me', by: user })
  await make({ text: 'of me, hidden', by: user, ACL: { [other.objectId]: { read: true, write: true } } }, other.token)
  await make({ text: 'of another', ACL: { [other.objectId]: { read: true, write: true } } }, other.token)
  const answer = await server.call('GET', '/auth/export', undefined, { token })
  expect(answer.headers.get('content-disposition')).toContain('my-data.json')
  const data = JSON.parse(answer.text)
  expect(data).toMatchObject({
    user: { objectId, username: 'leaver', email: 'leaver@example.org', motto: 'so long' },
    signInMethods: { password: true, wallets: [], passkeys: [] },
    roles: [],
    files: [],
  })
  expect(data.sessions).toHaveLength(1)
  expect(data.activity.map(({ action }: Entry) => action).sort()).toEqual([
    'createRecoveryCodes',
    'exportAccount',
    'signUp',
  ])
  expect(data.objects.Note.map(({ text }: { text: string }) => text).sort()).toEqual(['mine', 'of me'])
  const secrets = await server.context.db.query<{ hash: string; token: string }>(sql`
    select u."_password_hash" as hash, encode(s."_token_hash", 'hex') as token
    from "_User" u
    join "_Session" s on s."user" = u."objectId"
    where u."objectId" = ${objectId}`)
  for (const secret of [
    token,
    secrets[0]?.hash ?? '',
    secrets[0]?.token ?? '',
    other.objectId,
    'sessionToken',
    '_password',
  ])
    expect([secret !== '' && answer.text.includes(secret), secret]).toEqual([false, secret])
  const batch = { requests: [{ method: 'GET', path: '/server/auth/export', body: {} }] }
  expect((await server.call('POST', '/batch', batch, { token })).text).not.toContain('so long')
})

test('one export of an account is written at a time', async () => {
  const { token, objectId } = await server.signUp('hasty')
  await server.call('POST', '/classes/Held', { ACL: { [objectId]: { read: true, write: true } } }, { token })
  let release = () => {}
  const asked = new Promise<void>((isAsked) => {
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    server.context.registry.hooks.set('beforeFind Held', [
      async () => {
        isAsked()
        await held
        return undefined
      },
    ])
  })
  const ask = () => server.call('GET', '/auth/export', undefined, { token })
  const first = ask()
  await asked
  const second = await ask()
  expect([second.status, second.body.code, second.headers.get('retry-after')]).toEqual([429, 155, '10'])
  release()
  expect((await first).status).toBe(200)
  expect(JSON.parse((await ask()).text).objects.Held).toHaveLength(1)
})
