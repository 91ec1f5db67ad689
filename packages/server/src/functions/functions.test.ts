import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestServer, type TestServer } from '../testing/createTestServer.ts'

const files = {
  'greetings.ts': `
    import { CountersignError, defineFunction, z } from 'countersign'
    import { decorate } from './lib/decorate.ts'
    const name: string = 'Ada'
    export const hello = defineFunction({
      input: z.object({ name: z.string().default(name), at: z.date().optional(), deep: z.object({ n: z.int() }).optional() }),
      handle: ({ input, user, caller }) => ({
        text: decorate(input.name), at: input.at, later: input.at && new Date(input.at.getTime() + 1000),
        user: user && user.username, master: caller.isMaster, context: caller.context, headers: Object.keys(caller.headers),
      }),
    })
    export const dotted = defineFunction({ name: 'shop.list-items', handle: () => ['a'] })
    export const message = defineFunction({ name: 'requestMessage', handle: () => 'of the application' })
    export const nothing = defineFunction({ handle: () => undefined })
    export const typed = defineFunction({ output: z.object({ n: z.number() }), handle: ({ input }) => input })
    export const nonsense = defineFunction({ handle: ({ input }) => ({ bigint: 1n, nan: NaN, map: new Map(), odd: () => 1 })[input.what as string] })
    const loop: { self?: object } = {}
    loop.self = loop
    export const endless = defineFunction({ handle: () => loop })
    export const fails = defineFunction({ handle: ({ input }) => {
      if (input.how === 'text') throw 'only a text'
      if (input.how === 'error') throw new Error('an error of mine')
      if (input.how === 'code') throw new CountersignError('ObjectNotFound', 'no such thing')
      if (input.how === 'own') throw Object.assign(new Error('own code'), { code: 4711 })
      throw undefined
    } })
    export const mine = defineFunction({ requireUser: true, handle: ({ user }) => user.objectId })
    export const staff = defineFunction({ requireRoles: ['staff', 'admin'], handle: () => 'welcome' })
    export const master = defineFunction({ requireMaster: true, handle: () => 'yes' })
    export const rare = defineFunction({ rateLimit: { count: 2, window: 60_000 }, handle: () => 1 })
    export default defineFunction({ handle: () => 'by the name of the file' })
    export const notOurs = { handle: () => 'secret' }
  `,
  'documents.mjs': `
    import { defineFunction, defineHook, defineJob } from 'countersign'
    export const play = defineFunction({ async handle({ input, objects, masterObjects, user }) {
      const made = await objects.create('Play', { title: input.title, at: new Date(5), ACL: {} })
      const seen = await objects.find('Play').then((list) => list.length)
      await masterObjects.update('Play', made.objectId, { score: { __op: 'Increment', amount: 3 } })
      const echoed = await masterObjects.update('Play', made.objectId, { score: { __op: 'Increment', amount: 3 } })
      const twin = await masterObjects.create('Play', { title: 'twin', of: made })
      const [found] = await masterObjects.find('Play', { where: { at: { $lte: new Date(5) }, objectId: made.objectId } })
      const pointing = await masterObjects.first('Play', { where: { of: made }, include: ['of'] })
      const count = await masterObjects.count('Play', { where: { title: input.title } })
      await masterObjects.delete('Play', twin.objectId)
      return { made, seen, score: echoed.score, found, at: found.at instanceof Date, of: pointing.of.title, count,
               gone: await masterObjects.first('Play', { where: { title: 'twin' } }) === undefined }
    } })
    export const missing = defineFunction({ handle: ({ objects }) => objects.get('Play', 'nowhere') })
    export const rename = defineFunction({ requireUser: true, async handle({ objects, user, input }) {
      await objects.update('_User', input.id ?? user.objectId, { nickname: 'changed' })
      return objects.get('_User', user.objectId)
    } })
    export const together = defineFunction({ handle: ({ transaction, masterObjects }) => transaction(async () => {
      await masterObjects.create('Together', { n: 1 })
      throw new Error('taken back')
    }) })
    export const stuck = defineFunction({ timeoutMs: 300, handle: ({ transaction, masterObjects }) => transaction(async () => {
      await masterObjects.create('Together', { n: 2 })
      await new Promise(() => {})
    }) })
    export const late = defineFunction({ timeoutMs: 100, async handle({ masterObjects, signal }) {
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      await masterObjects.create('Late', { n: 1 })
    } })
    export const hangs = defineFunction({ timeoutMs: 150, handle: () => new Promise(() => {}) })
    export const count = defineJob({ schedule: '0 3 * * *', maxAttempts: 2, async handle({ params, progress, masterObjects }) {
      await progress('half', 0.5)
      await masterObjects.create('Counted', { at: params.at })
      return 'done'
    } })
    export const stamp = defineHook({ on: 'beforeSave', className: 'Stamped', timeoutMs: 200, handle: ({ object, original, user }) => {
      if (object.bad) throw new Error('bad is refused')
      if (object.hang) return new Promise(() => {})
      return { stampedAt: new Date(7), title: object.title + '!' }
    } })
  `,
  'isolated.ts': `
    import { CountersignError, defineFunction, z } from 'countersign'
    let calls = 0
    export const apart = defineFunction({ isolate: true, input: z.object({ n: z.number() }), async handle({ input, user, objects, masterObjects, log }) {
      log('in a process', { n: input.n })
      const made = await objects.create('Apart', { n: input.n, ACL: {} })
      const seen = (await objects.find('Apart')).length
      const all = (await masterObjects.find('Apart', { where: { n: input.n } })).map((item) => item.createdAt instanceof Date)
      return { calls: ++calls, seen, all, user: user && user.objectId, at: new Date(9) }
    } })
    export const apartFails = defineFunction({ isolate: true, async handle({ input, objects }) {
      if (input.how === 'step') await objects.get('Apart', 'nowhere')
      if (input.how === 'code') throw new CountersignError('ExceededQuota', 'too many')
      if (input.how === 'exit') process.exit(3)
      if (input.how === 'later') return new Promise(() => setTimeout(() => { throw new Error('in a timer') }, 10))
      throw new Error('plain')
    } })
    export const spin = defineFunction({ isolate: true, timeoutMs: 1500, handle() { for (;;) {} } })
    export const flood = defineFunction({ isolate: true, timeoutMs: 20_000, handle() { const all: unknown[] = []; for (;;) all.push({ text: 'x' + all.length, list: [all.length] }) } })
    export const floodBuffers = defineFunction({ isolate: true, timeoutMs: 20_000, async handle() {
      const all: Buffer[] = []
      for (;; await new Promise((resolve) => setTimeout(resolve, 5))) all.push(Buffer.alloc(4_000_000, 1))
    } })
    export const floodSteps = defineFunction({ isolate: true, timeoutMs: 20_000, async handle({ objects }) { for (let i = 0; i < 100_000; i++) objects.count('Apart'); await new Promise(() => {}) } })
    export const leftOver = defineFunction({ isolate: true, handle({ objects }) { setTimeout(() => objects.create('Left', { n: 1 }), 30); return 1 } })
    export const wait = defineFunction({ isolate: true, handle: () => new Promise((resolve) => setTimeout(resolve, 120)) })
  `,
  'lib/decorate.ts': "export const decorate = (text: string): string => 'Hello ' + text",
  'skipped.test.ts': 'throw new Error("tests are not loaded")',
  '_draft.ts': 'throw new Error("drafts are not loaded")',
  'types.d.ts': 'export type X = 1',
}

async function writeFiles(folder: string, contents: { [name: string]: string }): Promise<void> {
  for (const [name, text] of Object.entries(contents)) {
    await mkdir(join(folder, name, '..'), { recursive: true })
    await writeFile(join(folder, name), text)
  }
}

let cloud: string
let server: TestServer
let ann: { objectId: string; token: string }
beforeAll(async () => {
  cloud = await mkdtemp(join(tmpdir(), 'cs-cloud-'))
  await writeFiles(cloud, files)
  server = await createTestServer({ cloud, functions: { memory: 48, workers: 1, timeoutMs: 60_000 } })
  ann = await server.signUp('ann')
})
afterAll(async () => {
  await server?.stop()
  await rm(cloud, { recursive: true, force: true })
})

const run = (name: string, params: object = {}, options: object = {}) =>
  server.call('POST', `/functions/${name}`, params, options)
const refusal = async (name: string, params: object = {}, options: object = {}) => {
  const { status, body } = await run(name, params, options)
  return [status, body.code, body.error]
}
const date = (ms: number) => ({ __type: 'Date', iso: new Date(ms).toISOString() })

describe('R21: functions of our own form', () => {
  test('are called by name with decoded input, and return encoded output', async () => {
    const { status, body } = await run(
      'hello',
      { name: 'Bob', at: date(1000) },
      { token: ann.token, headers: { 'X-Parse-Cloud-Context': '{"trace":1}', 'X-Odd': 'a' } },
    )
    expect(status).toBe(200)
    const result = body.result as { headers: string[] }
    expect(result).toMatchObject({ text: 'Hello Bob', at: date(1000), later: date(2000), user: 'ann', master: false })
    expect(result).toMatchObject({ context: { trace: 1 } })
    expect(result.headers).toContain('x-odd')
    expect(result.headers).not.toContain('x-parse-session-token')
    expect((await run('hello', {}, { master: true })).body.result).toMatchObject({ text: 'Hello Ada', master: true })
  })

  test('have the name of the export, of the file, or their own; returning nothing gives {}', async () => {
    expect((await run('shop.list-items')).body).toEqual({ result: ['a'] })
    expect((await run('greetings')).body).toEqual({ result: 'by the name of the file' })
    expect((await run('nothing')).text).toBe('{}')
    expect((await run('requestMessage')).body).toEqual({ result: 'of the application' })
  })

  test('input that does not fit is refused with 142 and the field', async () => {
    expect(await refusal('hello', { name: 5 })).toEqual([
      400,
      142,
      expect.stringMatching(/^Invalid call of hello: name: .*string/),
    ])
    expect(await refusal('hello', { deep: { n: 1.5 } })).toEqual([400, 142, expect.stringMatching(/deep\.n/)])
    const { body } = await run('hello', { name: 5, at: 'x' })
    expect(body.details).toMatch(/name: .*\nat: /)
  })

  test('output that does not fit is the mistake of the function', async () => {
    expect((await run('typed', { n: 1, more: true })).body).toEqual({ result: { n: 1 } })
    expect(await refusal('typed', { n: 'x' })).toEqual([400, 141, expect.stringMatching(/^typed returned .*n: /)])
    for (const what of ['bigint', 'nan', 'map', 'odd']) {
      expect(await refusal('nonsense', { what })).toEqual([400, 141, expect.stringMatching(/not valid in JSON/)])
    }
    expect(await refusal('endless')).toEqual([400, 141, expect.stringMatching(/levels deep/)])
  })

  test('errors reach the caller with text and code', async () => {
    expect(await refusal('fails', { how: 'text' })).toEqual([400, 141, 'only a text'])
    expect(await refusal('fails', { how: 'error' })).toEqual([400, 141, 'an error of mine'])
    expect(await refusal('fails', { how: 'code' })).toEqual([404, 101, 'no such thing'])
    expect(await refusal('fails', { how: 'own' })).toEqual([400, 4711, 'own code'])
    expect(await refusal('fails')).toEqual([400, 141, 'Script failed.'])
    expect(server.logs.some((line) => line.includes('an error of mine') && line.includes('greetings.ts'))).toBe(true)
  })

  test('permissions are declared beside them', async () => {
    expect(await refusal('mine')).toEqual([400, 209, expect.any(String)])
    expect(await refusal('mine', {}, { master: true })).toEqual([400, 209, expect.any(String)])
    expect((await run('mine', {}, { token: ann.token })).body.result).toBe(ann.objectId)
    expect(await refusal('master', {}, { token: ann.token })).toEqual([400, 119, expect.any(String)])
    expect((await run('master', {}, { master: true })).body.result).toBe('yes')
    expect(await refusal('staff')).toEqual([400, 209, expect.any(String)])
    expect(await refusal('staff', {}, { token: ann.token })).toEqual([400, 119, expect.stringMatching(/staff, admin/)])
    const users = { __op: 'AddRelation', objects: [{ __type: 'Pointer', className: '_User', objectId: ann.objectId }] }
    await server.call('POST', '/roles', { name: 'admin', ACL: {}, users }, { master: true })
    expect((await run('staff', {}, { token: ann.token })).body.result).toBe('welcome')
    expect((await run('staff', {}, { master: true })).body.result).toBe('welcome')
  })

  test('R23: calls over the limit are 429 with the headers, by caller and window', async () => {
    const bob = await server.signUp('bob')
    for (let call = 0; call < 2; call++) expect((await run('rare', {}, { token: ann.token })).status).toBe(200)
    const refused = await run('rare', {}, { token: ann.token })
    expect([refused.status, refused.body.code]).toEqual([429, 155])
    expect(refused.headers.get('ratelimit-limit')).toBe('2')
    expect(refused.headers.get('ratelimit-remaining')).toBe('0')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(50)
    expect((await run('rare', {}, { token: bob.token })).status).toBe(200)
    expect((await run('rare', {}, { master: true })).status).toBe(200)
    server.clock.forward(61_000)
    expect((await run('rare', {}, { token: ann.token })).status).toBe(200)
  })

  test('P2: names that every object has by birth, and exports that are no functions, are unknown', async () => {
    const names = [
      'constructor',
      'toString',
      '__proto__',
      '__proto__.x',
      'hasOwnProperty',
      'valueOf',
      'notOurs',
      'nowhere',
    ]
    for (const name of names) expect(await refusal(name)).toEqual([400, 141, `Invalid function: "${name}"`])
    expect((await run('getPluginSpecs')).body).toEqual({ result: [] })
  })
})

describe('documents', () => {
  test('are read and written as the caller and as master', async () => {
    const { body } = await run('play', { title: 'Hamlet' }, { token: ann.token })
    expect(body.result).toMatchObject({
      made: { __type: 'Object', className: 'Play', title: 'Hamlet', at: date(5), createdAt: expect.any(String) },
      ...{ seen: 0, score: 6, at: true, of: 'Hamlet', count: 1, gone: true },
      found: { className: 'Play', at: date(5), score: 6, createdAt: expect.stringMatching(/^20/) },
    })
    expect(await refusal('missing')).toEqual([404, 101, 'Object not found.'])
  })

  test('users are changed by their own rules, and no token is shown', async () => {
    const { body, text } = await run('rename', {}, { token: ann.token })
    expect(body.result).toMatchObject({ className: '_User', nickname: 'changed' })
    expect(text).not.toContain(ann.token)
    const bob = (await server.call('GET', '/users?where={"username":"bob"}', undefined, { master: true })).body
    const id = (bob.results as { objectId: string }[])[0]?.objectId
    expect((await run('rename', { id }, { token: ann.token })).body.code).toBe(206)
  })

  test('a transaction is all or nothing, and one that hangs is rolled back', async () => {
    expect(await refusal('together')).toEqual([400, 141, 'taken back'])
    const stuck = run('stuck')
    expect((await stuck).body.code).toBe(124)
    const { body } = await server.call('GET', '/classes/Together', undefined, { master: true })
    expect(body.results).toEqual([])
  })

  test('a function whose time is up writes no more', async () => {
    expect(await refusal('late')).toEqual([400, 124, expect.stringMatching(/late took longer than 100 ms/)])
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect((await server.call('GET', '/classes/Late', undefined, { master: true })).body.results).toEqual([])
  })
})

test('hooks change fields, reject, join the transaction, and delay no other caller', async () => {
  const save = (body: object) => server.call('POST', '/classes/Stamped', body)
  const { body } = await save({ title: 'a' })
  const { body: read } = await server.call('GET', `/classes/Stamped/${body.objectId}`)
  expect(read).toMatchObject({ title: 'a!', stampedAt: date(7) })
  expect((await save({ bad: true })).body).toMatchObject({ code: 141, error: 'bad is refused' })
  const [hung, other] = await Promise.all([save({ hang: true }), run('hello')])
  expect([hung.status, hung.body.code, other.status]).toEqual([400, 124, 200])
  expect((await server.call('GET', '/classes/Stamped?count=1&limit=0')).body.count).toBe(1)
})

test('jobs are registered with their schedule and run with the rights of the server', async () => {
  const job = server.context.registry.jobs.get('count')
  expect(job).toMatchObject({ schedule: '0 3 * * *', maxAttempts: 2 })
  const steps: unknown[] = []
  const message = await job?.run({
    name: 'count',
    params: { at: date(3) },
    progress: async (...step) => void steps.push(step),
    signal: AbortSignal.timeout(10_000),
  })
  expect([message, steps]).toEqual(['done', [['half', 0.5]]])
  const { body } = await server.call('GET', '/classes/Counted', undefined, { master: true })
  expect(body.results).toMatchObject([{ at: date(3) }])
})

describe('isolated functions', () => {
  test('work with documents from their process, which is kept for the next call', async () => {
    const first = await run('apart', { n: 1 }, { token: ann.token })
    expect(first.body.result).toEqual({ calls: 1, seen: 0, all: [true], user: ann.objectId, at: date(9) })
    expect((await run('apart', { n: 2 })).body.result).toEqual({ calls: 2, seen: 0, all: [true], at: date(9) })
    expect(await refusal('apart', { n: 'x' })).toEqual([400, 142, expect.stringMatching(/n: /)])
    expect(server.logs.some((line) => line.includes('in a process'))).toBe(true)
  })

  test('errors reach the caller', async () => {
    expect(await refusal('apartFails', { how: 'step' })).toEqual([404, 101, 'Object not found.'])
    expect(await refusal('apartFails', { how: 'code' })).toEqual([400, 140, 'too many'])
    expect(await refusal('apartFails')).toEqual([400, 141, 'plain'])
    expect(await refusal('apartFails', { how: 'exit' })).toEqual([
      400,
      141,
      expect.stringMatching(/process ended with 3/),
    ])
    expect(await refusal('apartFails', { how: 'later' })).toEqual([400, 141, expect.stringMatching(/in a timer/)])
    expect((await run('apart', { n: 3 })).status).toBe(200)
  })

  test('leftovers of a call have no rights', async () => {
    expect((await run('leftOver')).status).toBe(200)
    expect((await run('wait')).status).toBe(200)
    expect((await server.call('GET', '/classes/Left', undefined, { master: true })).body.results).toEqual([])
  })
})

// The database plays no part in it; cli/guardProcess.embedded.test.ts tries it on a whole server with the other one.
describe.runIf(process.env.TEST_DATABASE === 'postgres')(
  'P13: a function that hangs, loops or floods affects no other caller',
  () => {
    /** Other requests while the work is under way, and the longest of them. */
    async function beside(work: Promise<{ status: number; body: { code?: number; error?: string } }>) {
      let isDone = false
      const done = work.finally(() => {
        isDone = true
      })
      let longest = 0
      let served = 0
      do {
        const before = performance.now()
        expect((await run('hello')).status).toBe(200)
        expect((await server.call('GET', '/users/me', undefined, { token: ann.token })).status).toBe(200)
        longest = Math.max(longest, performance.now() - before)
        served++
        await new Promise((resolve) => setTimeout(resolve, 20))
      } while (!isDone)
      const { status, body } = await done
      return { status, body, longest, served }
    }

    test('hanging: 124 when its time is up', async () => {
      const { status, body, longest } = await beside(run('hangs'))
      expect([status, body.code]).toEqual([400, 124])
      expect(longest).toBeLessThan(1500)
    })

    test('an endless loop, isolated: 124, and others are served during it', async () => {
      const { status, body, longest, served } = await beside(run('spin'))
      expect([status, body.code]).toEqual([400, 124])
      expect(longest).toBeLessThan(1500)
      expect(served).toBeGreaterThan(3)
      expect((await run('apart', { n: 4 })).status).toBe(200)
    })

    test('a flood of memory, isolated: the process is ended', async () => {
      const { status, body, longest } = await beside(run('flood'))
      expect([status, body.code, body.error]).toEqual([400, 141, expect.stringMatching(/more than 48 MB/)])
      expect(longest).toBeLessThan(1500)
      expect((await run('apart', { n: 5 })).status).toBe(200)
    })

    test('a flood of buffers, isolated: the process is ended', async () => {
      const { status, body } = await beside(run('floodBuffers'))
      expect([status, body.code, body.error]).toEqual([400, 141, expect.stringMatching(/of memory/)])
      expect((await run('apart', { n: 6 })).status).toBe(200)
    })

    test('a flood of questions to the server, isolated: the process is ended', async () => {
      const { status, body } = await beside(run('floodSteps'))
      // Whichever limit it meets first on this machine.
      const reason = expect.stringMatching(/too much at once|more than 48 MB of memory/)
      expect([status, body.code, body.error]).toEqual([400, 141, reason])
    })
  },
)
