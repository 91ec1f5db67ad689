import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { FolderInUse, lockFolder } from './lockFolder.ts'

const holder = fileURLToPath(new URL('./holdFolder.fixture.ts', import.meta.url))
const loader = import.meta.resolve('jiti/register')

let folder: string
let children: ChildProcess[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lock-'))
})

afterEach(async () => {
  for (const child of children) child.kill('SIGKILL')
  children = []
  await rm(folder, { recursive: true, force: true })
})

type Started = { child: ChildProcess; ready: Promise<unknown>; take: () => Promise<string> }

/** A process that takes the folder on command, says how it went, and keeps it. */
const start = (path = folder): Started => {
  const child = spawn(process.execPath, ['--import', loader, holder, path], { stdio: ['pipe', 'pipe', 'inherit'] })
  children.push(child)
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]()
  const ready = lines.next()
  const take = async () => {
    await ready
    child.stdin?.write('go\n')
    return String((await lines.next()).value)
  }
  return { child, ready, take }
}

const kill = (child: ChildProcess) =>
  new Promise((resolve) => {
    child.once('exit', resolve)
    child.kill('SIGKILL')
  })

const locks = async () => (await readdir(folder)).filter((name) => name.startsWith('lock-'))

test('of processes that race for one folder exactly one gets it', async () => {
  const started = Array.from({ length: 6 }, () => start())
  await Promise.all(started.map(({ ready }) => ready))
  // The second three race for the folder of one that was killed.
  for (const racing of [started.slice(0, 3), started.slice(3)]) {
    const outcomes = await Promise.all(racing.map(({ take }) => take()))
    expect(outcomes.filter((outcome) => outcome === 'got it')).toHaveLength(1)
    const winner = racing[outcomes.indexOf('got it')]
    for (const outcome of outcomes.filter((outcome) => outcome !== 'got it')) {
      expect(outcome).toContain(`The data folder ${folder} is in use by process ${winner?.child.pid} on `)
      expect(outcome).toContain('COUNTERSIGN_DATA')
      expect(outcome).toContain('DATABASE_URL')
    }
    await Promise.all(racing.map(({ child }) => kill(child)))
  }
}, 120_000)

test('within one process as well', async () => {
  for (let round = 0; round < 20; round++) {
    const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => lockFolder(folder)))
    const got = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
    expect(got).toHaveLength(1)
    await got[0]?.()
    expect(await locks()).toEqual([])
  }
})

test('after kill -9 the next one gets it, and what the dead one left is gone', async () => {
  for (let round = 0; round < 3; round++) {
    const { child, take } = start()
    expect(await take()).toBe('got it')
    await kill(child)
    expect(await locks()).toHaveLength(1)
  }
  const release = await lockFolder(folder)
  expect(await locks()).toHaveLength(1)
  await release()
  expect(await locks()).toEqual([])
})

test('a holder that is stopped, or too busy to respond, still counts', async () => {
  const { child, take } = start()
  expect(await take()).toBe('got it')
  child.kill('SIGSTOP')
  await expect(lockFolder(folder)).rejects.toThrow(FolderInUse)
  child.kill('SIGCONT')
}, 120_000)

test('a file that only looks like a lock does not count', async () => {
  await writeFile(join(folder, 'lock-0123456789abcdef.sock'), `${process.pid}`)
  const release = await lockFolder(folder)
  await release()
})

test('a folder whose path is longer than a socket address can be', async () => {
  const deep = join(folder, 'a'.repeat(80), 'b'.repeat(80))
  await mkdir(deep, { recursive: true })
  const { child, take } = start(deep)
  expect(await take()).toBe('got it')
  await expect(lockFolder(deep)).rejects.toThrow(FolderInUse)
  await kill(child)
  const release = await lockFolder(deep)
  await release()
})
