import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endpoints, operatorEndpoints } from '@countersign/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { z } from 'zod'
import { configSchema } from '../config/Config.ts'
import { sql } from '../db/sql.ts'
import { openTestDatabase, type TestDatabase } from '../testing/openTestDatabase.ts'
import { ready, type ServerProcess, startProcess } from '../testing/startProcess.ts'

/** A secret that stands nowhere else, under the name by which a finding reports it. */
const canaries = new Map<string, string>()

function plant(name: string): string {
  const value = `canary${randomBytes(12).toString('hex')}`
  canaries.set(name, value)
  return value
}

/** Port 9 of this machine, where nothing listens: every service that is asked fails. */
const away = '127.0.0.1:9'

/** 32 bytes in base64url whose text is the canary. */
const privateKey = randomBytes(32).toString('base64url')
canaries.set('push.web.privateKey', privateKey)

const bucket = (place: string) => ({
  bucket: 'canaries',
  endpoint: `http://${away}`,
  accessKeyId: plant(`${place}.accessKeyId`),
  secretAccessKey: plant(`${place}.secretAccessKey`),
  sessionToken: plant(`${place}.sessionToken`),
})

const settings = {
  masterKey: plant('masterKey'),
  formerMasterKey: plant('formerMasterKey'),
  readOnlyMasterKey: plant('readOnlyMasterKey'),
  webhookKey: plant('webhookKey'),
  metrics: { token: plant('metrics.token') },
  traces: { url: `http://${away}/v1/traces`, headers: { 'x-api-key': plant('traces.headers') }, delay: 50 },
  files: { store: 's3', s3: bucket('files.s3') },
  backup: { every: 1, s3: bucket('backup.s3'), passphrase: plant('backup.passphrase') },
  smtp: { url: `smtp://mailer:${plant('smtp.url')}@${away}`, from: 'id@acme.example' },
  ipfs: { url: `http://${away}`, authorization: `Bearer ${plant('ipfs.authorization')}` },
  chains: [{ id: 31337, rpcUrls: [`http://${away}/v2/${plant('chains.rpcUrls')}`], timeout: 200 }],
  solana: { devnet: { rpcUrls: [`http://${away}/?api-key=${plant('solana.rpcUrls')}`], timeout: 200 } },
  auth: {
    company: { type: 'oidc', issuer: `http://${away}`, clientId: 'app', clientSecret: plant('auth.clientSecret') },
    github: { clientId: 'app', clientSecret: plant('auth.github.clientSecret') },
  },
  push: {
    web: {
      publicKey: Buffer.concat([Buffer.from([4]), randomBytes(64)]).toString('base64url'),
      privateKey,
      subject: 'mailto:id@acme.example',
    },
  },
  trustProxy: true,
  checkResponses: true,
  overloadDelay: 0,
}

/** Secrets of settings that the plan above leaves out, each with its reason. */
const leftOut = new Map([
  ['javascriptKey', 'published with every page'],
  ['clientKey', 'published with every app'],
  ['restAPIKey', 'published with every app'],
  ['databaseUrl', 'planted in the environment'],
  ['directDatabaseUrl', 'the same connection'],
  ['auth', 'settings of adapters are free; planted in two providers'],
])

let folder: string
let database: TestDatabase
let server: ServerProcess
let environment: Record<string, string>
/** Outputs, by their source. */
const outputs = new Map<string, string>()

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'countersign-canaries-'))
  database = await openTestDatabase({ template: 'migrated' })
  const url = new URL(database.databaseUrl as string)
  // The server of the tests trusts this machine, whatever the password.
  url.password = plant('databaseUrl')
  const config = join(folder, 'countersign.config.json')
  await writeFile(config, JSON.stringify(settings))
  environment = {
    DATABASE_URL: url.href,
    COUNTERSIGN_CONFIG: config,
    COUNTERSIGN_APP_ID: 'app',
    COUNTERSIGN_LOG_LEVEL: 'trace',
    COUNTERSIGN_DATA: join(folder, 'data'),
  }
  server = await ready(await startProcess(environment))
}, 180_000)
afterAll(async () => {
  server?.child.kill('SIGKILL')
  await server?.exited
  await database?.close()
  await rm(folder, { recursive: true, force: true })
})

let calls = 0

/** Calls the server and keeps the response, without secrets that its caller is meant to get. */
async function call(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
  meant: string[] = [],
) {
  const response = await fetch(`${server.url}${path}`, {
    method,
    redirect: 'manual',
    headers: { 'X-Parse-Application-Id': 'app', 'Content-Type': 'application/json', ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  const shown = meant.reduce(
    (rest, name) => rest.replaceAll(canaries.get(name) as string, ''),
    `${JSON.stringify([...response.headers])}\n${text}`,
  )
  outputs.set(`response ${++calls}: ${method} ${path}`, shown)
  return { status: response.status, text }
}

const read = (text: string, field: string): string => {
  const found = new RegExp(`"${field}":"([^"]+)"`).exec(text)?.[1]
  if (found === undefined) throw new Error(`The response has no ${field}: ${text.slice(0, 200)}`)
  return found
}

const readFirst = (text: string, field: string): string => read(text.replace(`"${field}":["`, `"${field}":"`), field)

/** Values that the server makes become canaries as soon as it hands them out. */
const adopt = (name: string, value: string) => {
  canaries.set(name, value)
  return value
}

/** Secrets that an endpoint returns to their owner: older clients read their token from it, operators the address. */
const meantFor: { [endpoint: string]: string[] } = {
  listWebhooks: ['webhook path'],
  getCurrentUser: ['session token of the operator'],
  getCurrentSession: ['session token of the operator'],
}

const master = { 'X-Parse-Master-Key': settings.masterKey }

test('a canary is planted in every secret setting', () => {
  const isSecret = /key$|secret|password|passphrase|token$|authorization|^headers$|databaseUrl$|rpcUrls$|^smtp$|^auth$/i
  const found = new Set<string>()
  const walk = (schema: unknown, path: string[]) => {
    const { def, shape } = schema as { def: Record<string, unknown>; shape?: object }
    if (shape) {
      for (const [name, inner] of Object.entries(shape)) {
        if (isSecret.test(name)) found.add([...path, name].join('.'))
        walk(inner, [...path, name])
      }
    }
    for (const part of ['innerType', 'element', 'in', 'valueType']) if (def?.[part]) walk(def[part], path)
    for (const option of (def?.options ?? []) as unknown[]) walk(option, path)
  }
  walk(configSchema as unknown as z.ZodType, [])
  expect(found.size).toBeGreaterThan(15)
  const planted = [...canaries.keys()]
  const missing = [...found].filter((path) => {
    const isPublic = leftOut.has(path.split('.')[0] as string) || /publicKey$|PasswordReset$|^passwordPolicy/.test(path)
    // Each network of Solana has the same settings.
    const name = path.replace(/^solana\.\w+/, 'solana')
    return !isPublic && !planted.some((each) => each === name || each.startsWith(`${name}.`))
  })
  expect(missing).toEqual([])
})

test('people use the server, and everything it depends on fails', async () => {
  const password = plant('password')
  const person = { username: 'ann', password, email: 'ann@acme.example' }
  const made = await call('POST', '/server/users', person)
  const token = adopt('session token', read(made.text, 'sessionToken'))
  outputs.delete(`response ${calls}: POST /server/users`)
  const own = { 'X-Parse-Session-Token': token }
  const objectId = read(made.text, 'objectId')

  // Secrets in the wrong place: malformed, unknown, in a path, a query, a header, a batch.
  const wrong = plant('wrong password')
  await call('POST', '/server/login', { username: 'ann', password: wrong })
  await call('POST', '/server/login', `{"username":"ann","password":"${plant('password in broken JSON')}"`)
  await call('POST', '/server/login', { username: 'ann', password: [plant('password in a list')] })
  await call('GET', `/server/login?username=ann&password=${plant('password in a query')}`)
  await call('POST', '/server/users', { username: 'ann', password: plant('password of a taken name') })
  await call('GET', '/server/users/me', undefined, { 'X-Parse-Session-Token': plant('wrong session token') })
  await call('GET', '/server/users/me', undefined, { Cookie: `__Host-countersign=${plant('wrong cookie')}` })
  await call('GET', '/server/users/me', undefined, { Authorization: `Basic ${btoa(`app:${plant('basic password')}`)}` })
  await call('GET', '/server/schemas', undefined, { 'X-Parse-Master-Key': plant('wrong master key') })
  await call('POST', '/server/batch', {
    requests: [{ method: 'POST', path: '/server/login', body: { username: 'ann', password: plant('batch password') } }],
  })
  await call('POST', '/server/users/me', { _method: 'GET', _SessionToken: plant('token in a body') })
  await call('POST', '/server/resetPassword', { token: plant('reset token'), password: plant('new password') })
  // The redirect takes the token along.
  const link = `/server/apps/app/verify_email?token=${plant('verification token')}&username=ann`
  await call('GET', link, undefined, {}, ['verification token'])
  await call('POST', '/server/functions/missing', { password: plant('parameter of a function') })
  await call('PUT', `/server/users/${objectId}`, {
    authData: { company: { id: '1', access_token: plant('access token') } },
  })
  await call('POST', '/server/auth/providers/company/challenge', {}, { 'X-Parse-Installation-Id': 'canaries' })

  // Sent to services that are away: mail, storage, nodes, collector, IPFS, push, webhook.
  await call('POST', '/server/requestPasswordReset', { email: 'ann@acme.example' })
  await call('POST', '/server/files/a.txt', 'text', { ...own, 'Content-Type': 'text/plain' })
  await call('GET', `/server/chain/31337/addresses/0x${'1'.repeat(40)}/balance`, undefined, own)
  await call('GET', `/server/solana/devnet/addresses/${'1'.repeat(32)}/balance`, undefined, own)
  const hook = { name: 'canaries', url: `https://hooks.acme.example/${plant('webhook path')}`, events: ['user.signIn'] }
  const webhook = await call('POST', '/server/webhooks', hook, master, ['webhook path'])
  adopt('webhook secret', read(webhook.text, 'secret'))
  outputs.delete(`response ${calls}: POST /server/webhooks`)

  // Shown once: the key of an authenticator app, and recovery codes.
  const factor = await call('POST', '/server/auth/totp', {}, own)
  adopt('authenticator key', read(factor.text, 'secret'))
  outputs.delete(`response ${calls}: POST /server/auth/totp`)
  const codes = await call('POST', '/server/auth/recoveryCodes', {}, own)
  adopt('recovery code', readFirst(codes.text, 'codes'))
  outputs.delete(`response ${calls}: POST /server/auth/recoveryCodes`)

  // Tokens, keys and clients of other products are shown once, too. Then each is used where it is none.
  const clientOf = { name: 'Acme', kind: 'web', redirectUris: ['https://app.acme.example/callback'] }
  const delegated: [string, string, object, string, Record<string, string>][] = [
    ['access token', '/server/auth/tokens', { name: 'script', scopes: ['*:read'] }, 'token', own],
    ['operator key', '/server/console/accessKeys', { name: 'deploy', scopes: ['users:read'] }, 'token', master],
    ['client secret', '/server/console/oidcClients', clientOf, 'secret', master],
  ]
  for (const [name, path, input, field, as] of delegated) {
    const { text } = await call('POST', path, input, as)
    adopt(name, read(text, field))
    outputs.delete(`response ${calls}: POST ${path}`)
  }
  const given = [...delegated.map(([name]) => canaries.get(name) as string), plant('unknown bearer')]
  for (const secret of given) {
    const bearer = { Authorization: `Bearer ${secret}` }
    await call('GET', '/server/classes/Score', undefined, bearer)
    await call('GET', '/server/console/users', undefined, bearer)
    await call('POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }, bearer)
    await call('GET', '/oidc/userinfo', undefined, bearer)
    await call('GET', `/oidc/userinfo?access_token=${secret}`)
    await call('GET', `/mcp?access_token=${secret}`)
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
    for (const path of ['token', 'introspect', 'revoke', 'par', 'device']) {
      const fields = { client_id: 'x', client_secret: secret, token: secret, code: secret, code_verifier: secret }
      await call('POST', `/oidc/${path}`, String(new URLSearchParams(fields)), form)
    }
    await call('GET', `/oidc/authorize?client_id=${secret}&code_challenge=${secret}&login_hint=${secret}`)
    await call('GET', `/oidc/logout?id_token_hint=${secret}`)
  }

  // An operator reads every screen, and the person's own export.
  await call('PUT', `/server/console/operators/${objectId}`, { role: 'admin' }, master)
  const again = await call('POST', '/server/login', { username: 'ann', password })
  const operator = adopt('session token of the operator', read(again.text, 'sessionToken'))
  outputs.delete(`response ${calls}: POST /server/login`)
  const all = Object.entries({ ...endpoints, ...operatorEndpoints }) as [string, { method: string; path: string }][]
  const lists = all.filter(([, { method, path }]) => method === 'GET' && !/[:*]/.test(path))
  expect(lists.length).toBeGreaterThan(30)
  for (const [name, { path }] of lists) {
    const meant = meantFor[name] ?? []
    await call('GET', `/server${path}`, undefined, master, meant)
    const console = { 'X-Parse-Session-Token': operator, 'X-Countersign-Console': '1' }
    await call('GET', `/server${path}`, undefined, console, meant)
    await call('GET', `/server${path}`, undefined, { 'X-Parse-Session-Token': operator }, meant)
  }
  for (const path of ['/config.json', '/health', '/ready', '/server/health', '/server/openapi.json', '/docs/']) {
    await call('GET', path)
  }
  await call('GET', '/metrics', undefined, { Authorization: `Bearer ${settings.metrics.token}` })
  await call('POST', '/server/console/backups', {}, { ...master })
})

test('commands run with the same settings', async () => {
  for (const words of [['doctor'], ['audit', 'verify'], ['schema', 'plan'], ['export', join(folder, 'export')]]) {
    const command = await startProcess(environment, words)
    await command.exited
    expect(command.output()).not.toBe('')
    outputs.set(`countersign ${words[0]}`, command.output())
  }
  for (const name of await readdir(join(folder, 'export'), { recursive: true })) {
    const text = await readFile(join(folder, 'export', name), 'utf8').catch(() => '')
    outputs.set(`exported ${name}`, text)
  }
})

test('no canary is in any output', async () => {
  outputs.set('command line', await readFile(`/proc/${server.child.pid}/cmdline`, 'utf8').catch(() => ''))
  outputs.set('log', server.output())
  const tables = await database.db.query<{ place: string; text: string }>(sql`
    select format('%I.%I', table_schema, table_name) as place,
      query_to_xml(format('select * from %I.%I', table_schema, table_name), true, false, '')::text as text
    from information_schema.tables
    where table_schema in ('countersign', 'public') and table_type = 'BASE TABLE'`)
  expect(tables.length).toBeGreaterThan(30)
  const webhookPath = canaries.get('webhook path') as string
  for (const { place, text } of tables) {
    outputs.set(`table ${place}`, place === 'countersign.webhooks' ? text.replaceAll(webhookPath, '') : text)
  }
  server.child.kill('SIGTERM')
  await server.exited
  outputs.set('log until the end', server.output())

  // The search finds what is there: an address that is no secret.
  const withAddress = [...outputs].filter(([, text]) => text.includes('ann@acme.example')).map(([source]) => source)
  expect(withAddress).toEqual(expect.arrayContaining(['table public."_User"']))
  expect(server.output()).toContain('"level":')
  const found = [...outputs].flatMap(([source, text]) =>
    [...canaries].filter(([, value]) => text.includes(value)).map(([name]) => `${name} in ${source}`),
  )
  expect(found).toEqual([])
}, 60_000)
