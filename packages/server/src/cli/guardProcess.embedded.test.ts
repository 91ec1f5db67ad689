import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { seedFolder } from '../testing/seedFolder.ts'
import { ready, type ServerProcess, startProcess } from '../testing/startProcess.ts'

const code = `
  import { defineFunction } from 'countersign'
  export const fine = defineFunction({ handle: () => 1 })
  export const forgets = defineFunction({ handle({ objects }) {
    Promise.reject(new Error('a promise of mine'))
    objects.get('Nothing', 'nowhere')
    return 1
  } })
  export const later = defineFunction({ handle() { setTimeout(() => { throw new Error('a timer of mine') }, 10); return 1 } })
  export const apart = defineFunction({ isolate: true, handle: () => 1 })
  export const loops = defineFunction({ isolate: true, timeoutMs: 5_000, handle() { for (;;) {} } })
  export const ends = defineFunction({ isolate: true, handle() { process.kill(process.pid, 'SIGKILL') } })
  export const aborts = defineFunction({ isolate: true, handle() { process.abort() } })
  export const bursts = defineFunction({ isolate: true, timeoutMs: 100_000, handle() {
    const all = []
    for (;;) all.push(new Array(5_000_000).fill(all.length))
  } })
  export const ready = defineFunction({ isolate: true, handle() { process.send?.('ready'); process.send?.('null'); return 1 } })
  export const answers = defineFunction({ isolate: true, timeoutMs: 100_000, handle: () => 'x'.repeat(40_000_000) })
  export const env = defineFunction({ isolate: true, handle: () => ({ pid: process.pid, names: Object.keys(process.env), own: process.env.SHOP_KEY }) })
  export const spins = defineFunction({ isolate: true, timeoutMs: 60_000, handle() { for (;;) {} } })
  export const floods = defineFunction({ isolate: true, timeoutMs: 100_000, handle() {
    const all = []
    for (;;) all.push([all.length])
  } })
`

let folder: string
let server: ServerProcess
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cs-'))
  await writeFile(join(folder, 'main.mjs'), code)
  await seedFolder(join(folder, 'data'))
  await writeFile(join(folder, 'config.json'), JSON.stringify({ functions: { environment: ['SHOP_KEY'] } }))
  server = await startProcess({
    COUNTERSIGN_DATA: join(folder, 'data'),
    COUNTERSIGN_CLOUD: join(folder, 'main.mjs'),
    COUNTERSIGN_APP_ID: 'app',
    COUNTERSIGN_MASTER_KEY: 'a master key of thirty-two letters',
    COUNTERSIGN_CONFIG: join(folder, 'config.json'),
    SHOP_KEY: 'of the application',
    MAIL_KEY: 'of something else',
  })
  await ready(server)
})
afterAll(async () => {
  server?.child.kill('SIGTERM')
  await server?.exited
  await rm(folder, { recursive: true, force: true })
})

async function run(name: string, on = server) {
  const response = await fetch(`${on.url}/server/functions/${name}`, {
    method: 'POST',
    headers: { 'X-Parse-Application-Id': 'app', 'Content-Type': 'application/json' },
    body: '{}',
  })
  return (await response.json()) as { result?: unknown; code?: number; error?: string }
}

describe('P13: the process outlives code of the application', () => {
  test('that forgets a promise, or throws in a timer', async () => {
    for (const [name, text] of [
      ['forgets', 'a promise of mine'],
      ['later', 'a timer of mine'],
    ] as const) {
      expect(await run(name)).toEqual({ result: 1 })
      await expect.poll(() => server.output(), { timeout: 60_000 }).toContain(text)
      expect(await run('fine')).toEqual({ result: 1 })
    }
    expect(server.child.exitCode).toBe(null)
  })

  test('that loops or floods in a separate process', { timeout: 400_000 }, async () => {
    expect(await run('apart')).toEqual({ result: 1 })
    const [looped, meanwhile] = await Promise.all([run('loops'), run('fine')])
    expect([looped.code, meanwhile]).toEqual([124, { result: 1 }])
    expect((await run('floods')).error).toMatch(/more than 128 MB/)
    expect(await run('apart')).toEqual({ result: 1 })
    expect(server.child.exitCode).toBe(null)
  })
})

describe('an isolated function has a separate process', () => {
  test('that ends without the server', { timeout: 400_000 }, async () => {
    expect((await run('ends')).error).toMatch(/ends was stopped: its process ended with SIGKILL/)
    expect((await run('aborts')).error).toMatch(/aborts was stopped: its process ended with SIGABRT/)
    expect((await run('bursts')).error).toMatch(/more than 128 MB of memory/)
    expect((await run('answers')).error).toMatch(/at most/)
    expect(await run('ready')).toEqual({ result: 1 })
    expect(await run('fine')).toEqual({ result: 1 })
    expect(await run('apart')).toEqual({ result: 1 })
    expect(server.child.exitCode).toBe(null)
  })

  test('SEC-67: that has the variables that the operator named, and none of the server', async () => {
    const { result } = (await run('env')) as { result: { pid: number; names: string[]; own: string } }
    expect(result.pid).not.toBe(server.child.pid)
    expect(result.own).toBe('of the application')
    expect(result.names.filter((name) => /^(COUNTERSIGN_|DATABASE_URL|PG|MAIL_KEY)/.test(name))).toEqual([])
  })

  test('and does not outlive it, not even in an endless loop', { timeout: 400_000 }, async () => {
    await seedFolder(join(folder, 'third'))
    const other = await startProcess({
      COUNTERSIGN_DATA: join(folder, 'third'),
      COUNTERSIGN_CLOUD: join(folder, 'main.mjs'),
      COUNTERSIGN_APP_ID: 'app',
    })
    await ready(other)
    const pidOf = async () => ((await run('env', other)) as { result: { pid: number } }).result.pid
    const pid = await pidOf()
    // Of two processes one spins, and the other waits for work.
    const spinning = run('spins', other).catch(() => {})
    const waiting = await pidOf()
    expect(waiting).not.toBe(pid)
    other.child.kill('SIGKILL')
    await other.exited
    await spinning
    for (const each of [pid, waiting]) await expect.poll(() => isAlive(each), { timeout: 60_000 }).toBe(false)
  })
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('a mistake in cloud code is reported in one message, without a stack', { timeout: 400_000 }, async () => {
  const broken = join(folder, 'broken.ts')
  await writeFile(broken, 'export const a = 1\nconst b = ;')
  await seedFolder(join(folder, 'other'))
  const failed = await startProcess({ COUNTERSIGN_DATA: join(folder, 'other'), COUNTERSIGN_CLOUD: broken })
  expect(await failed.exited).toBe(1)
  expect(failed.output()).toMatch(/broken\.ts cannot be loaded \(line 2\): Unexpected token/)
  expect(failed.output()).not.toMatch(/\n\s+at /)
})
