import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { WireFields } from '@countersign/protocol'
import Parse from 'parse/node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestServer, type TestServer } from '../../testing/createTestServer.ts'

let server: TestServer
let remote: Server
let base: string
const asked: { path: string; key: string | undefined; body: WireFields }[] = []
const master = { master: true }

/** Remote code: responds by path. */
function answer(path: string, body: WireFields): string {
  if (path === '/greet') return JSON.stringify({ success: `hello ${(body.params as WireFields).name}` })
  if (path === '/refuse') return JSON.stringify({ error: { code: 4242, error: 'not today' } })
  if (path === '/pollute') return '{"success":{"__proto__":{"polluted":true},"name":"x"}}'
  if (path === '/beforeSave') {
    const { name } = body.object as WireFields
    if (name === 'bad') return JSON.stringify({ error: 'no bad names' })
    return JSON.stringify({ success: { ...(body.object as WireFields), shout: String(name).toUpperCase() } })
  }
  return 'not JSON'
}

beforeAll(async () => {
  remote = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request.setEncoding('utf8')) text += chunk
    const path = request.url ?? ''
    const body = JSON.parse(text) as WireFields
    asked.push({ path, key: request.headers['x-parse-webhook-key'] as string | undefined, body })
    response.end(answer(path, body))
  }).listen(0, '127.0.0.1')
  await once(remote, 'listening')
  base = `http://127.0.0.1:${(remote.address() as AddressInfo).port}`
  server = await createTestServer({ webhookKey: 'between-us', webhooks: { allowPrivateAddresses: true } })
  const { initialize } = Parse as unknown as { initialize(appId: string, key?: string, masterKey?: string): void }
  initialize(server.appId, undefined, server.masterKey)
  Parse.serverURL = server.serverUrl
})
afterAll(async () => {
  await server.stop()
  remote.closeAllConnections()
  remote.close()
})

async function until(check: () => Promise<boolean> | boolean): Promise<void> {
  const deadline = Date.now() + 10_000
  while (!(await check())) {
    if (Date.now() > deadline) throw new Error('not in time')
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

const known = (name: string) => until(() => server.context.registry.functions.has(name))

async function declare(functionName: string, url = `${base}/${functionName}`): Promise<void> {
  const { status } = await server.call('POST', '/hooks/functions', { functionName, url }, master)
  expect(status).toBe(200)
  await known(functionName)
}

test('a function that runs elsewhere is called with the key, and without the session of its caller', async () => {
  await declare('greet')
  const { token, objectId } = await server.signUp('caller')
  const { body } = await server.call('POST', '/functions/greet', { name: 'world' }, { token })
  expect(body).toEqual({ result: 'hello world' })
  const call = asked.find(({ path }) => path === '/greet')
  expect(call?.key).toBe('between-us')
  expect(call?.body).toMatchObject({ functionName: 'greet', master: false, user: { objectId } })
  expect(JSON.stringify(call?.body)).not.toContain(token)
})

test('its refusal reaches the caller, and an invalid response is a refusal too', async () => {
  await declare('refuse')
  await declare('garbled')
  await declare('gone', 'http://127.0.0.1:1/')
  const run = async (name: string) => (await server.call('POST', `/functions/${name}`, {})).body
  expect(await run('refuse')).toMatchObject({ code: 4242, error: 'not today' })
  expect(await run('garbled')).toMatchObject({ code: 141, error: 'Malformed response' })
  const gone = await run('gone')
  expect(gone.code).toBe(141)
  expect(gone.error).not.toContain('127.0.0.1')
})

test('P1: rejects a response that reaches for the prototype', async () => {
  await declare('pollute')
  expect((await server.call('POST', '/functions/pollute', {})).body).toMatchObject({ code: 141 })
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
})

test('a hook that runs elsewhere changes and refuses what is saved', async () => {
  const hook = { className: 'Noted', triggerName: 'beforeSave', url: `${base}/beforeSave` }
  expect((await server.call('POST', '/hooks/triggers', hook, master)).body).toEqual(hook)
  await until(() => server.context.registry.hooks.has('beforeSave Noted'))
  const made = await server.call('POST', '/classes/Noted', { name: 'quiet' })
  const read = await server.call('GET', `/classes/Noted/${made.body.objectId}`)
  expect(read.body).toMatchObject({ name: 'quiet', shout: 'QUIET' })
  const refused = await server.call('POST', '/classes/Noted', { name: 'bad' })
  expect(refused.body).toMatchObject({ code: 141, error: 'no bad names' })
  const call = asked.find(({ path }) => path === '/beforeSave')
  expect(call?.body).toMatchObject({ triggerName: 'beforeSave', object: { className: 'Noted', name: 'quiet' } })

  await server.call('PUT', '/hooks/triggers/Noted/beforeSave', { __op: 'Delete' }, master)
  await until(() => !server.context.registry.hooks.has('beforeSave Noted'))
  expect((await server.call('POST', '/classes/Noted', { name: 'bad' })).status).toBe(201)
})

test('the public parse client makes, reads, changes and removes them', async () => {
  const url = `${base}/greet`
  expect(await Parse.Hooks.createFunction('viaSdk', url)).toMatchObject({ functionName: 'viaSdk', url })
  await known('viaSdk')
  expect(await Parse.Cloud.run('viaSdk', { name: 'sdk' })).toBe('hello sdk')
  expect(await Parse.Hooks.getFunction('viaSdk')).toMatchObject({ url })
  expect(await Parse.Hooks.getFunctions()).toContainEqual({ functionName: 'viaSdk', url })
  await expect(Parse.Hooks.createFunction('viaSdk', url)).rejects.toMatchObject({ code: 143 })
  expect(await Parse.Hooks.updateFunction('viaSdk', `${base}/other`)).toMatchObject({ url: `${base}/other` })
  await Parse.Hooks.removeFunction('viaSdk')
  await expect(Parse.Hooks.getFunction('viaSdk')).rejects.toMatchObject({ code: 143 })
  await until(() => !server.context.registry.functions.has('viaSdk'))

  expect(await Parse.Hooks.createTrigger('Sdk', 'afterSave', url)).toMatchObject({ className: 'Sdk', url })
  expect(await Parse.Hooks.getTriggers()).toHaveLength(1)
  await Parse.Hooks.removeTrigger('Sdk', 'afterSave')
  expect(await Parse.Hooks.getTriggers()).toEqual([])
})

test('rejects an unknown hook', async () => {
  const post = async (path: string, body: object) => (await server.call('POST', path, body, master)).body.code
  const url = `${base}/x`
  expect(await post('/hooks/functions', { functionName: 'a b', url })).toBe(143)
  expect(await post('/hooks/functions', { url })).toBe(143)
  expect(await post('/hooks/triggers', { className: 'A', triggerName: 'constructor', url })).toBe(143)
  expect(await post('/hooks/triggers', { className: 'no class', triggerName: 'afterSave', url })).toBe(143)
  expect(await post('/hooks/functions', { functionName: 'odd', url: 'file:///etc/passwd' })).toBe(143)
})
