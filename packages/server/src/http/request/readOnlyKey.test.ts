import { beforeAll, expect, test, vi } from 'vitest'
import { sql } from '../../db/sql.ts'
import { serveTests } from '../../testing/serveTests.ts'

const readOnlyMasterKey = 'reads-and-no-more'

const reading = { headers: { 'X-Parse-Master-Key': readOnlyMasterKey } }

const webhookKey = 'key-of-remote-code'

let user: string

/** Secrets by name. */
const secrets = new Map<string, string>()

const ids = new Map<string, string>()

const server = serveTests({ readOnlyMasterKey, webhookKey })
beforeAll(async () => {
  const { objectId, token } = await server.signUp('ann', { email: 'ann@mail.example' })
  user = objectId
  await server.call('POST', '/requestPasswordReset', { email: 'ann@mail.example' })
  const outbox = () => server.call('GET', '/outbox', undefined, { master: true })
  await vi.waitFor(async () => expect((await outbox()).body.results).toHaveLength(2), { timeout: 60_000 })
  const links = (await outbox()).text.match(/token=[\w-]+/g) ?? []
  for (const [index, link] of links.entries()) secrets.set(`link ${index}`, link.slice('token='.length))
  const events = ['user.signUp', 'object.create']
  const hook = await server.call('POST', '/webhooks', { url: 'https://hook.example/', events }, { master: true })
  ids.set('/webhooks', hook.body.objectId as string)
  secrets.set('of the webhook', hook.body.secret as string)
  secrets.set('session token', token)
  secrets.set('master key', server.masterKey)
  secrets.set('key of remote code', webhookKey)
  const [row] = await server.context.db.query<{ hash: string }>(sql`select "_password_hash" as hash from "_User"`)
  secrets.set('hash of the password', String(row?.hash))
  const session = await server.call('GET', '/sessions/me', undefined, { token })
  ids.set('/sessions', session.body.objectId as string)
  ids.set('/users', user)
})

test('SEC: the read-only master key does not read mails, which hold links that open accounts', async () => {
  expect(secrets.size).toBeGreaterThanOrEqual(7)
  const answer = await server.call('GET', '/outbox', undefined, reading)
  expect([answer.status, answer.body.code]).toEqual([400, 119])
  expect((await server.call('GET', '/outbox', undefined, { master: true })).status).toBe(200)
})

test('SEC: nothing that the read-only master key reads opens anything', async () => {
  const api = (await (await fetch(`${server.url}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, { operationId: string }>>
  }
  const classes = ['_User', '_Session', '_Installation', '_Role', '_JobStatus']
  const seen: string[] = []
  for (const [path, methods] of Object.entries(api.paths)) {
    if (!methods.get || /chain|solana|portfolio/.test(path)) continue
    const under = path.replace(/^\/server/, '')
    const objectId = ids.get(under.replace(/\/\{.*$/, '')) ?? user
    for (const className of under.includes('{className}') ? classes : ['']) {
      const filled = under.replace('{className}', className).replaceAll(/\{\w+\}/g, objectId)
      const answer = await server.call('GET', filled, undefined, reading)
      expect(answer.status, filled).toBeLessThan(500)
      if (answer.status === 200) seen.push(filled)
      for (const [name, secret] of secrets) expect(answer.text, `${name} in ${filled}`).not.toContain(secret)
    }
  }
  // The walk has been where the data lies.
  expect(seen).toEqual(
    expect.arrayContaining(['/classes/_User', '/classes/_Session', `/users/${user}`, '/webhooks', '/config']),
  )
  // By pipelines, too, no column of the server's own comes out.
  for (const className of ['_User', '_Session']) {
    for (const pipeline of [[{ $match: {} }], [{ $project: { _password_hash: 1, _token_hash: 1 } }]]) {
      const text = encodeURIComponent(JSON.stringify(pipeline))
      const answer = await server.call('GET', `/aggregate/${className}?pipeline=${text}`, undefined, reading)
      for (const [name, secret] of secrets) expect(answer.text, name).not.toContain(secret)
    }
  }
})

test('SEC: the read-only master key opens no session, by GET either', async () => {
  const query = `username=ann&password=${encodeURIComponent('ann password')}`
  const answer = await server.call('GET', `/login?${query}`, undefined, reading)
  expect([answer.status, answer.body.code]).toEqual([400, 119])
  expect((await server.call('GET', `/login?${query}`)).status).toBe(200)
  const body = { _method: 'GET', username: 'ann', password: 'ann password' }
  expect((await server.call('POST', '/login', body, reading)).body.code).toBe(119)
})
