import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { sql } from '../../db/sql.ts'
import { createTestServer, type TestServer } from '../../testing/createTestServer.ts'
import { openConsole } from '../../testing/openConsole.ts'

const office = openConsole()
const { root, helper, watcher, ann } = office
let second: TestServer
beforeAll(async () => {
  await office.start()
  second = await createTestServer({ appName: 'Fixed' }, office.server.database)
})
beforeEach(office.renew)
afterAll(async () => {
  await second.stop()
  await office.stop()
})

const set = (name: string, value: unknown, user = root) =>
  office.ask(user, 'PUT', `/console/settings/${name}`, { value })
const get = async (name: string) => {
  const { body } = await office.ask(root, 'GET', '/console/settings')
  return (body.results as { name: string }[]).find((each) => each.name === name) as Record<string, unknown> & {
    edit?: { input?: string; hasSecret: boolean; canUndo: boolean; version: string; changedBy?: string }
  }
}
const page = async (server: TestServer) =>
  (await (await fetch(`${server.url}/config.json`)).json()) as {
    appName: string
    brand: Record<string, unknown>
    signIn: { methods: string[]; signUp: { mode: string } }
  }

/** A mail server with one account. */
async function startSmtp(password: string) {
  const mails: string[] = []
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: (auth, _session, done) =>
      auth.password === password ? done(null, { user: 'me' }) : done(new Error(`wrong password ${auth.password}`)),
    onData: (stream, _session, done) => {
      let text = ''
      stream.on('data', (chunk) => {
        text += String(chunk)
      })
      stream.on('end', () => {
        mails.push(text)
        done()
      })
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  const { port } = server.server.address() as AddressInfo
  return { port, mails, stop: () => new Promise<void>((resolve) => server.close(() => resolve())) }
}

test('a setting of the console holds at once, on every server, and after a restart', async () => {
  expect(await get('signUp')).toMatchObject({ source: 'default', edit: { hasSecret: false, canUndo: false } })
  expect(await set('signUp', { mode: 'invitation' })).toMatchObject({
    status: 200,
    body: { name: 'signUp', source: 'database', edit: { canUndo: true, changedBy: `operator:${root.objectId}` } },
  })
  expect((await page(office.server)).signIn.signUp.mode).toBe('invitation')
  await vi.waitFor(async () => expect((await page(second)).signIn.signUp.mode).toBe('invitation'), { timeout: 5_000 })
  const third = await createTestServer({}, office.server.database)
  expect((await page(third)).signIn.signUp.mode).toBe('invitation')
  await third.stop()
  expect((await office.ask(root, 'POST', '/console/settings/signUp/undo')).body).toMatchObject({ source: 'default' })
  expect((await page(office.server)).signIn.signUp.mode).toBe('open')
  await vi.waitFor(async () => expect((await page(second)).signIn.signUp.mode).toBe('open'), { timeout: 5_000 })
})

test('of two administrators who save at once, the second is refused and loses nothing', async () => {
  const seen = (await get('appName')).edit?.version
  const save = (value: string, version: string | undefined) =>
    office.ask(root, 'PUT', '/console/settings/appName', { value, version })
  const both = await Promise.all([save('First', seen), save('Second', seen)])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  expect(both.find(({ status }) => status === 409)?.body).toMatchObject({ reason: 'settingChanged' })
  const winner = both.find(({ status }) => status === 200)?.body as { value: string; edit: { version: string } }
  expect((await get('appName')).value).toBe(winner.value)

  // The state that was seen is gone for a reset and an undo, too, and after a save of the same value.
  for (const [method, path] of [
    ['DELETE', '/console/settings/appName'],
    ['POST', '/console/settings/appName/undo'],
  ] as const)
    expect((await office.ask(root, method, path, { version: seen })).body).toMatchObject({ reason: 'settingChanged' })
  const same = await save(JSON.parse(winner.value) as string, winner.edit.version)
  expect(same.status).toBe(200)
  expect((await save('Third', winner.edit.version)).body).toMatchObject({ reason: 'settingChanged' })
  expect((await save('Third', '')).body).toMatchObject({ reason: 'settingChanged' })

  const { version } = (same.body as { edit: { version: string } }).edit
  expect((await save('Third', version)).status).toBe(200)
  // A program that read nothing before sends no version.
  expect((await office.ask(root, 'DELETE', '/console/settings/appName')).body).toMatchObject({ source: 'default' })
})

test('the file and the environment win over the console', async () => {
  expect((await set('appName', 'Changed')).status).toBe(200)
  expect((await page(office.server)).appName).toBe('Changed')
  const { body } = await second.call('GET', '/console/settings', undefined, { master: true })
  const fixed = (body.results as { name: string }[]).find(({ name }) => name === 'appName')
  expect(fixed).toMatchObject({ source: 'commandLine', value: '"Fixed"' })
  expect(fixed).not.toHaveProperty('edit')
  expect(await second.call('PUT', '/console/settings/appName', { value: 'Mine' }, { master: true })).toMatchObject({
    status: 409,
    body: { reason: 'settingFixed' },
  })
  expect((await page(second)).appName).toBe('Fixed')
  expect((await office.ask(root, 'DELETE', '/console/settings/appName')).body).toMatchObject({ source: 'default' })
})

test('administrators alone change settings, with a recent proof, and the log has the change', async () => {
  expect((await set('appName', 'Mine', helper)).body).toMatchObject({ reason: 'operatorForbidden' })
  expect((await set('appName', 'Mine', watcher)).body).toMatchObject({ reason: 'operatorForbidden' })
  expect((await set('appName', 'Mine', ann)).status).toBe(404)
  expect((await office.ask(undefined, 'PUT', '/console/settings/appName', { value: 'Mine' })).status).toBe(404)
  for (const [method, path] of [
    ['PUT', '/console/settings/appName'],
    ['DELETE', '/console/settings/appName'],
    ['POST', '/console/settings/appName/undo'],
    ['POST', '/console/testMail'],
  ] as const) {
    await office.server.context.db.query(
      sql`update "_Session" set "_confirmed" = ${new Date(0)} where "user" = ${root.objectId}`,
    )
    expect((await office.ask(root, method, path, { value: 'Mine' })).body).toMatchObject({
      reason: 'reauthenticationRequired',
    })
  }
  await office.renew()
  await set('allowOrigin', ['https://app.example'])
  const { body } = await office.ask(root, 'GET', '/audit?action=setSetting')
  expect(JSON.stringify(body)).toContain(`operator:${root.objectId}`)
  expect(JSON.stringify(body)).toContain('allowOrigin')
})

test.each([
  ['allowOrigin', ['*']],
  ['allowOrigin', ['https://*.example']],
  ['allowOrigin', ['https://app.example/']],
  ['allowOrigin', ['https://app.example/path']],
  ['allowOrigin', ['null']],
  ['allowOrigin', ['javascript:alert(1)']],
  ['signIn', { methods: [] }],
  ['signIn', { methods: ['password', 'password'] }],
  ['signUp', { mode: 'everyone' }],
  ['rateLimit', [{ requestPath: 'login', requestTimeWindow: 1, requestCount: 1 }]],
  ['rateLimit', Array(101).fill({ requestPath: '/login', requestTimeWindow: 60_000, requestCount: 60 })],
  ['appName', 'two\r\nBcc: everyone@example.com'],
  ['appName', ''],
  ['appName', { $ne: null }],
  ['brand', { logo: '/etc/../x', extra: 1 }],
  ['brand', { logo: './data/keys.json' }],
  ['brand', { icon: 'file:///etc/passwd' }],
  ['brand', { logo: '//evil.example/logo.svg' }],
  ['brand', { texts: { termsUrl: 'javascript:alert(1)' } }],
  ['brand', { colors: { light: { ink: '#ffffff' } } }],
  ['smtp', { url: 'http://169.254.169.254/', from: 'a@acme.example' }],
  ['smtp', { url: 'smtp://host?proxy=http://10.0.0.1', from: 'a@acme.example' }],
  ['smtp', { url: 'smtp://', from: 'a@acme.example' }],
  ['smtp', { url: 'smtp://host', from: 'a@acme.example\r\nBcc: b@acme.example' }],
  ['smtp', { url: 'smtp://user@host', from: 'a@acme.example' }],
  ['backup', { every: 24, folder: '/etc' }],
  ['backup', { every: 24, s3: { bucket: 'mine' } }],
  ['backup', { every: -1 }],
  ['appName', undefined],
])('rejects a bad value of %s, case %#', async (name, value) => {
  expect(await set(name, value)).toMatchObject({ status: 400, body: { reason: 'settingInvalid' } })
})

test.each(['masterKey', 'databaseUrl', '__proto__', 'constructor'])('has no setting %s to change', async (name) => {
  expect(await set(name, 'mine')).toMatchObject({ status: 404, body: { code: 101 } })
})

test('a setting that would lock the operator out is refused', async () => {
  const locked = { status: 409, body: { reason: 'settingLocksOut' } }
  expect(await set('signIn', { methods: ['wallet'] })).toMatchObject(locked)
  expect(await set('signIn', { methods: ['emailCode'] })).toMatchObject(locked)
  expect(await set('rateLimit', [{ requestPath: '/*', requestTimeWindow: 60_000, requestCount: 1 }])).toMatchObject(
    locked,
  )
  for (const requestPath of ['/LogIn', '/users/me', '/auth/reauthenticate', '/auth/signInWith*', '/c*'])
    expect(
      await set('rateLimit', [{ requestPath, requestTimeWindow: 1e15, requestCount: 100 }]),
      requestPath,
    ).toMatchObject(locked)
  for (const requestPath of ['/console/settings/rateLimit', '/CONSOLE/settings/*'])
    expect(
      await set('rateLimit', [{ requestPath, requestTimeWindow: 1e15, requestCount: 1 }]),
      requestPath,
    ).toMatchObject(locked)
  const mild = { requestPath: '/login', requestMethods: ['GET'], requestTimeWindow: 60_000, requestCount: 1 }
  expect((await set('rateLimit', [mild])).status).toBe(200)
  await office.ask(root, 'DELETE', '/console/settings/rateLimit')
  expect((await set('signIn', { methods: ['password', 'wallet'] })).status).toBe(200)
  expect((await page(office.server)).signIn.methods).toEqual(['password', 'wallet'])
  await office.ask(root, 'DELETE', '/console/settings/signIn')
  expect((await set('allowOrigin', ['https://app.example'])).status).toBe(200)
  const there = { 'X-Countersign-Console': '1', Origin: 'https://app.example' }
  expect(await office.ask(root, 'PUT', '/console/settings/allowOrigin', { value: [] }, there)).toMatchObject(locked)
  expect(await office.ask(root, 'DELETE', '/console/settings/allowOrigin', undefined, there)).toMatchObject(locked)
  expect((await set('allowOrigin', [])).status).toBe(200)
})

test('allowed origins and rate limits hold at once', async () => {
  const ask = () => fetch(`${office.server.serverUrl}/serverInfo`, { headers: { Origin: 'https://new.example' } })
  expect((await ask()).headers.get('access-control-allow-credentials')).toBeNull()
  await set('allowOrigin', ['https://new.example'])
  expect((await ask()).headers.get('access-control-allow-origin')).toBe('https://new.example')
  expect((await ask()).headers.get('access-control-allow-credentials')).toBe('true')
  const rule = { requestPath: '/serverInfo', requestTimeWindow: 60_000, requestCount: 2, includeInternalRequests: true }
  await set('rateLimit', [rule])
  const statuses = [await ask(), await ask(), await ask()].map(({ status }) => status)
  expect(statuses.at(-1)).toBe(429)
  await office.ask(root, 'DELETE', '/console/settings/rateLimit')
  expect((await ask()).status).not.toBe(429)
})

test('the brand changes without a restart, and its texts stay text', async () => {
  const tagline = '<img src=x onerror=alert(1)>'
  expect((await set('brand', { texts: { tagline }, colors: { light: { accent: '#123456' } } })).status).toBe(200)
  expect((await set('appName', '</title><script>alert(1)</script>')).status).toBe(200)
  expect((await page(office.server)).brand.tagline).toBe(tagline)
  expect(await (await fetch(`${office.server.url}/brand.css`)).text()).toContain('#123456')
  const html = await (await fetch(office.server.url, { headers: { Accept: 'text/html' } })).text()
  expect(html).not.toContain('<script>alert')
  expect(JSON.parse((await get('brand')).edit?.input ?? '')).toMatchObject({ colors: { light: { accent: '#123456' } } })
  await office.ask(root, 'DELETE', '/console/settings/appName')
  await office.ask(root, 'DELETE', '/console/settings/brand')
  expect(await (await fetch(`${office.server.url}/brand.css`)).text()).toBe('')
})

test('mails go to the server that is set now; its password is never shown, logged or stored in the clear', async () => {
  const secret = 'hidden-Pa55word'
  const [good, other] = [await startSmtp(secret), await startSmtp('another')]
  try {
    const url = (port: number, password = '') => `smtp://me${password && `:${password}`}@127.0.0.1:${port}`
    const smtp = { url: url(good.port, secret), from: 'a@acme.example' }
    expect((await office.ask(root, 'POST', '/console/testMail', { smtp })).body).toEqual({ to: 'root@example.com' })
    expect(good.mails[0]).toContain('root@example.com')
    const wrong = { ...smtp, url: url(good.port, 'hidden-wrong1') }
    expect(await office.ask(root, 'POST', '/console/testMail', { smtp: wrong })).toMatchObject({
      status: 409,
      body: { reason: 'testMailFailed', error: expect.not.stringContaining('hidden-') },
    })
    expect((await set('smtp', smtp)).status).toBe(200)
    const shown = await get('smtp')
    expect(shown).toMatchObject({ source: 'database', isSecret: true, edit: { hasSecret: true } })
    expect(JSON.parse(shown.edit?.input ?? '').url).toBe(url(good.port))
    // The stored password stays with its server.
    expect((await set('smtp', { ...smtp, url: url(good.port), from: 'b@acme.example' })).status).toBe(200)
    expect((await set('smtp', { ...smtp, url: url(other.port) })).body).toMatchObject({ reason: 'settingInvalid' })
    const elsewhere = { smtp: { ...smtp, url: url(other.port) } }
    expect((await office.ask(root, 'POST', '/console/testMail', elsewhere)).body).toMatchObject({
      reason: 'settingInvalid',
    })
    await office.server.call('POST', '/requestPasswordReset', { email: 'ann@example.com' })
    await vi.waitFor(() => expect(good.mails.some((mail) => mail.includes('ann@example.com'))).toBe(true), 10_000)
    expect(good.mails.at(-1)).toContain('b@acme.example')

    // A bad server is undone in one step.
    expect((await set('smtp', { ...smtp, url: url(other.port, 'hidden-wrong2') })).status).toBe(200)
    expect((await office.ask(root, 'POST', '/console/testMail', {})).body).toMatchObject({ reason: 'testMailFailed' })
    expect((await office.ask(root, 'POST', '/console/settings/smtp/undo')).status).toBe(200)
    expect((await office.ask(root, 'POST', '/console/testMail', {})).status).toBe(200)

    const audit = await office.server.call('GET', '/audit', undefined, { master: true })
    expect(audit.text).toContain(`127.0.0.1:${other.port}`)
    const rows = await office.server.context.db.query<{ text: string }>(
      sql`select encode(value, 'escape') as text from countersign.settings where name = 'smtp'`,
    )
    const settings = await office.ask(root, 'GET', '/console/settings')
    for (const text of [audit.text, settings.text, JSON.stringify(rows), office.server.logs.join('')])
      expect(text).not.toMatch(/hidden-|acme\.example.*Pa55/)
  } finally {
    await office.ask(root, 'DELETE', '/console/settings/smtp')
    await good.stop()
    await other.stop()
  }
})

test('backups are turned on, and their passphrase stays until it is replaced', async () => {
  expect((await office.ask(root, 'GET', '/console/backups')).body).toMatchObject({ isSet: false })
  await set('backup', { keep: 3, passphrase: 'hidden passphrase' })
  expect((await office.ask(root, 'GET', '/console/backups')).body).toMatchObject({
    isSet: true,
    keep: 3,
    isEncrypted: true,
  })
  expect((await get('backup')).edit).toMatchObject({ input: JSON.stringify({ keep: 3 }), hasSecret: true })
  await set('backup', { keep: 4 })
  expect((await office.ask(root, 'GET', '/console/backups')).body).toMatchObject({ keep: 4, isEncrypted: true })
  await set('backup', { keep: 4, passphrase: null })
  expect((await office.ask(root, 'GET', '/console/backups')).body).toMatchObject({ keep: 4, isEncrypted: false })
  expect((await office.ask(root, 'GET', '/console/settings')).text).not.toContain('hidden passphrase')
  await office.ask(root, 'DELETE', '/console/settings/backup')
})

test('changes at the same time end with one value, and an undo leads back to the other', async () => {
  await Promise.all([set('appName', 'One'), second.call('GET', '/serverInfo'), set('appName', 'Two')])
  const now = (await page(office.server)).appName
  expect(['One', 'Two']).toContain(now)
  await office.ask(root, 'POST', '/console/settings/appName/undo')
  expect((await page(office.server)).appName).toBe(now === 'One' ? 'Two' : 'One')
  await office.ask(root, 'DELETE', '/console/settings/appName')
})
