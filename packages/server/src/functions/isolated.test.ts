import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createTestServer, type TestServer } from '../testing/createTestServer.ts'
import { parseMessage } from './isolated/parseMessage.ts'

const code = `
  import { writeSync } from 'node:fs'
  import { CloudError, CountersignError, defineFunction } from 'countersign'
  let calls = 0
  const frame = (text) => {
    const head = Buffer.alloc(4)
    head.writeUInt32BE(Buffer.byteLength(text))
    return Buffer.concat([head, Buffer.from(text)])
  }
  const say = (what) => {
    if (what.sent !== undefined) process.send?.(what.sent)
    if (what.raw !== undefined) writeSync(3, Buffer.from(what.raw, 'latin1'))
    if (what.framed !== undefined) writeSync(3, frame(what.framed))
  }
  export const plain = defineFunction({ isolate: true, handle: () => ++calls })
  export const says = defineFunction({ isolate: true, async handle({ input }) {
    say(input)
    await new Promise((resolve) => setTimeout(resolve, input.wait ?? 300))
    return 'unharmed'
  } })
  export const saysLater = defineFunction({ isolate: true, handle({ input }) {
    setTimeout(() => say(input), 50)
    return 'left'
  } })
  export const refuses = defineFunction({ isolate: true, handle() {
    throw new CountersignError('ObjectNotFound', 'Nobody has reviewed this yet.')
  } })
  export const missing = defineFunction({ isolate: true, async handle({ objects }) {
    try {
      await objects.get('Review', 'nowhere')
    } catch (error) {
      return [error instanceof CountersignError, error.code, error.message]
    }
  } })
  export const misnamed = defineFunction({ isolate: true, handle() { throw new CloudError('no') } })
  export const environment = defineFunction({ isolate: true, handle: () => ({ ...process.env }) })
`

let folder: string
let server: TestServer

beforeAll(async () => {
  process.env.COUNTERSIGN_TEST_SECRET = 'of the server'
  process.env.TEST_CLOUD_SECRET = 'of somebody else'
  process.env.TEST_SHOP_KEY = 'of the application'
  folder = await mkdtemp(join(tmpdir(), 'countersign-cloud-'))
  await writeFile(join(folder, 'main.mjs'), code)
  server = await createTestServer({
    cloud: folder,
    functions: { workers: 1, timeoutMs: 60_000, environment: ['TEST_SHOP_KEY', 'TEST_NOT_SET'] },
  })
})
afterAll(async () => {
  await server.stop()
  await rm(folder, { recursive: true })
})

const run = async (name: string, input: object = {}) => (await server.call('POST', `/functions/${name}`, input)).body

test.each(['ready', 'null', '{}', '{"kind":"failed","call":1,"failure":null}', 5, null, { kind: 'done' }])(
  'SEC-67: process.send(%j) in an isolated function says nothing to the server',
  async (sent) => {
    expect(await run('says', { sent })).toEqual({ result: 'unharmed' })
  },
)

const forged = Array.from({ length: 100 }, (_, call) => call)

test.each([
  ['no frame', { raw: 'ready\n' }],
  ['longer than any may be', { raw: '\xff\xff\xff\xff' }],
  ['a failure without content', { framed: '{"kind":"failed","call":1,"failure":null}' }],
])('SEC-67: a message that is %s ends the process that sent it, and nothing else', async (_name, said) => {
  expect(await run('says', { ...said, wait: 60_000 })).toEqual({
    code: 141,
    error: expect.stringMatching(/^says was stopped: its process sent an invalid message/),
    reason: expect.any(String),
  })
  expect(await run('plain')).toEqual({ result: 1 })
  expect((await server.call('GET', '/classes/Any')).status).toBe(200)
})

test('errors of the package are the same class in an isolated function, and keep their code', async () => {
  expect(await run('refuses')).toMatchObject({ code: 101, error: 'Nobody has reviewed this yet.' })
  expect(await run('missing')).toEqual({ result: [true, 101, 'Object not found.'] })
  expect(await run('misnamed')).toMatchObject({
    code: 141,
    error: expect.stringMatching(/^countersign does not export CloudError\./),
  })
})

test('SEC-67: rejects messages that do not fit the schema', () => {
  const step = { method: 'get', className: 'Game', objectId: 'a', input: {} }
  const good = [
    { kind: 'done', call: 1 },
    { kind: 'done', call: 1, answer: [{ n: null }] },
    { kind: 'failed', call: 1, failure: { code: 141, message: 'no', details: 'd', stack: 's' } },
    { kind: 'step', call: 1, id: 2, as: 'master', step },
    { kind: 'log', message: 'm', details: { n: 1 } },
    { kind: 'crashed', message: 'm' },
  ]
  for (const message of good) expect(parseMessage(JSON.stringify(message))).toEqual(message)
  const bad = [
    ...['ready', null, 5, [], {}, { kind: 'ready' }, { kind: 'toString' }, { kind: 'done' }],
    { kind: 'done', call: '1' },
    { kind: 'done', call: 1, more: 1 },
    { kind: 'failed', call: 1, failure: null },
    { kind: 'failed', call: 1, failure: { message: {}, code: 1 } },
    { kind: 'failed', call: 1, failure: { message: 'm', code: 'x' } },
    { kind: 'step', call: 1, id: 2, as: 'operator', step },
    { kind: 'step', call: 1, id: 2, as: 'master', step: null },
    { kind: 'step', call: 1, id: 2, as: 'master', step: { ...step, method: 'drop' } },
    { kind: 'step', call: 1, id: 2, as: 'master', step: { ...step, className: ['Game'] } },
    { kind: 'step', call: 1, id: 2, as: 'master', step: { ...step, input: [] } },
    { kind: 'log', message: 5, details: {} },
    { kind: 'log', message: 'm', details: null },
    { kind: 'crashed', message: null },
  ]
  for (const message of bad) expect(parseMessage(JSON.stringify(message)), JSON.stringify(message)).toBeUndefined()
  for (const text of ['', '{', 'ready', '\0']) expect(parseMessage(text)).toBeUndefined()
})

test('SEC-67: leftovers cannot respond to a later call, nor fill the server’s memory', async () => {
  const before = (await run('plain')).result as number
  expect(await run('saysLater', { framed: forged.map((call) => `{"kind":"done","call":${call}}`).join('') })).toEqual({
    result: 'left',
  })
  // It sends invalid data between calls: the next call gets a new process.
  await vi.waitFor(async () => expect(await run('plain')).toEqual({ result: 1 }), { timeout: 20_000 })
  expect(before).toBeGreaterThan(0)
})

test('SEC-67: an isolated function has the variables that the operator named, and no others', async () => {
  const { result } = (await run('environment')) as { result: Record<string, string> }
  expect(result.TEST_SHOP_KEY).toBe('of the application')
  expect(result).not.toHaveProperty('TEST_NOT_SET')
  const usual =
    /^(PATH|HOME|USER|LOGNAME|LANG|LC_\w+|TZ|TMPDIR|NODE_ENV|NODE_EXTRA_CA_CERTS|SSL_CERT_\w+|TEST_SHOP_KEY)$/
  expect(Object.keys(result).filter((name) => !usual.test(name))).toEqual([])
  expect(JSON.stringify(result)).not.toMatch(/of the server|of somebody else/)
})
