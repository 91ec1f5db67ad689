// @vitest-environment node
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { transformWithOxc } from 'vite'
import { afterEach, expect, test, vi } from 'vitest'
import { createOfflineDevice, type OfflineDevice } from '../../testing/openOfflineDevice.ts'
import { serveTests } from '../../testing/serveTests.ts'

const server = serveTests({ offline: { classes: ['Note'] } })
const program = join(import.meta.dirname, '../../testing/nativeApplication.mjs')
const page = join(import.meta.dirname, '../../../../../docs/offline.md')
const running: ChildProcess[] = []
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL')
})

type Row = { readonly objectId: string; readonly n: number; readonly total: number; readonly owner: string }
type Application = {
  readonly act: (action: string, input?: object) => void
  /** Ids of documents whose create and increment have both resolved. */
  readonly acknowledged: string[]
  readonly shown: () => { readonly rows: readonly Row[]; readonly isStale: boolean }
  readonly writes: () => { readonly waiting: number; readonly failed: number; readonly isCurrent: boolean }
  readonly answers: Map<string, Record<string, unknown>>
  /** Ends the process as a crash does. */
  readonly kill: () => Promise<void>
}

async function start(device: OfflineDevice, folder: string, kind: string): Promise<Application> {
  const child = spawn(process.execPath, [program], {
    env: { APP_ID: server.appId, SERVER_URL: device.serverUrl, FOLDER: folder, STORE: kind },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  running.push(child)
  let errors = ''
  child.stderr?.on('data', (chunk) => {
    errors += chunk
  })
  const acknowledged: string[] = []
  const answers = new Map<string, Record<string, unknown>>()
  child.on('message', (message: { kind: string; objectId?: string }) => {
    answers.set(message.kind, message)
    if (message.kind === 'acknowledged') acknowledged.push(String(message.objectId))
  })
  await vi.waitFor(() => {
    if (child.exitCode !== null) throw new Error(errors)
    expect(answers.has('ready')).toBe(true)
  }, waiting)
  return {
    act: (action, input = {}) => void child.send({ action, input }),
    acknowledged,
    shown: () => answers.get('shown') as never,
    writes: () => answers.get('writes') as never,
    answers,
    async kill() {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGKILL')
      await ended
    },
  }
}

const waiting = { timeout: 60_000, interval: 20 }
const rowsOf = async (owner: string) => {
  const where = encodeURIComponent(JSON.stringify({ owner }))
  const { results } = await server.asMaster('GET', `/classes/Note?limit=1000&order=n&where=${where}`)
  return results as Row[]
}

/** Writes the store of the documentation as a module. */
async function writeOwnStore(folder: string): Promise<void> {
  const [, sample = ''] = /```ts\n(import [^`]*?openFileStore[\s\S]*?)\n```/.exec(await readFile(page, 'utf8')) ?? []
  const { code } = await transformWithOxc(sample, 'openFileStore.ts')
  await writeFile(join(folder, 'openFileStore.mjs'), code)
}

test.each([
  ['openNativeStore over a storage like AsyncStorage', 'native'],
  ['a store of your own, as documented', 'own'],
])(
  '%s: the process is killed while it queues and while it sends, and nothing is lost or doubled',
  async (_, kind) => {
    const folder = await mkdtemp(join(tmpdir(), 'countersign-native-'))
    await writeOwnStore(folder)
    const device = await createOfflineDevice(server)
    const first = await start(device, folder, kind)
    first.act('signUp', { username: `native-${kind}`, password: 'correct horse battery' })
    await vi.waitFor(() => expect(first.writes()).toMatchObject({ isCurrent: true, isKept: true }), waiting)
    const owner = String(first.answers.get('user')?.id)
    device.cut()
    first.act('write', { from: 0, to: 1_000, owner })
    await vi.waitFor(() => expect(first.acknowledged.length).toBeGreaterThan(40), waiting)
    await first.kill()

    const second = await start(device, folder, kind)
    // Each has a create and an increment; the last ones may have been cut off.
    await vi.waitFor(
      () =>
        expect(second.shown().rows.map(({ objectId }) => objectId)).toEqual(expect.arrayContaining(first.acknowledged)),
      waiting,
    )
    expect(second.shown().isStale).toBe(true)
    expect(second.writes().waiting).toBeGreaterThanOrEqual(first.acknowledged.length * 2)
    second.act('write', { from: 1_000, to: 1_020, owner })
    await vi.waitFor(() => expect(second.acknowledged).toHaveLength(20), waiting)
    device.join()
    await vi.waitFor(async () => expect((await rowsOf(owner)).length).toBeGreaterThan(10), waiting)
    await second.kill()

    const third = await start(device, folder, kind)
    await vi.waitFor(() => expect(third.writes()).toMatchObject({ waiting: 0, failed: 0, isCurrent: true }), waiting)
    const rows = await rowsOf(owner)
    const ids = rows.map(({ objectId }) => objectId)
    expect(ids).toEqual(expect.arrayContaining([...first.acknowledged, ...second.acknowledged]))
    // At most the one that was being written is there besides.
    expect(rows.length).toBeLessThanOrEqual(first.acknowledged.length + second.acknowledged.length + 1)
    expect(new Set(rows.map(({ n }) => n)).size).toBe(rows.length)
    const acknowledged = new Set([...first.acknowledged, ...second.acknowledged])
    for (const { objectId, total } of rows) if (acknowledged.has(objectId)) expect(total).toBe(1)
    const own = () => third.shown().rows.filter((row) => row.owner === owner)
    await vi.waitFor(() => expect(own().map(({ objectId }) => objectId)).toEqual(ids), waiting)
    third.act('upload')
    await vi.waitFor(
      () => expect(third.answers.get('upload')?.refusal).toMatch(/^This store (cannot keep|keeps no) files/),
      waiting,
    )
    expect(third.writes().waiting).toBe(0)
    await third.kill()
    device.remove()
    await rm(folder, { recursive: true })
  },
  240_000,
)
