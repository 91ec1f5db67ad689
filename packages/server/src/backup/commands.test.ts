import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../testing/openTestDatabase.ts'
import { seedFolder } from '../testing/seedFolder.ts'
import { ready, type ServerProcess, startProcess } from '../testing/startProcess.ts'

let folder: string
let data: string
let target: TestDatabase | undefined

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'countersign-commands-'))
  data = join(folder, 'data')
  await seedFolder(data)
  if (process.env.TEST_DATABASE === 'postgres') target = await openTestDatabase()
})
afterAll(async () => {
  await target?.close()
  await rm(folder, { recursive: true, force: true })
})

const headers = { 'X-Parse-Application-Id': 'app', 'Content-Type': 'application/json' }
const post = (server: ServerProcess, path: string, body: object) =>
  fetch(`${server.url}/server${path}`, { method: 'POST', headers, body: JSON.stringify(body) })

async function run(args: string[], environment: Record<string, string>) {
  const command = await startProcess(environment, args)
  return { code: await command.exited, output: command.output() }
}

test('a running server is backed up, restored elsewhere, and taken to PostgreSQL', async () => {
  const here = { COUNTERSIGN_DATA: data, COUNTERSIGN_APP_ID: 'app' }
  const passphrase = join(folder, 'passphrase')
  await writeFile(passphrase, 'correct horse battery staple\n')
  const server = await ready(await startProcess(here))
  expect((await post(server, '/users', { username: 'ada', password: 'ada password' })).status).toBe(201)
  const file = join(folder, 'one.backup')
  const made = await run(['backup', file, '--passphrase-file', passphrase, '--hold-writes'], here)
  expect(made.code, made.output).toBe(0)
  expect(made.output).toContain('encrypted')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  server.child.kill('SIGTERM')
  await server.exited

  const there = { COUNTERSIGN_DATA: join(folder, 'restored') }
  const refused = await run(['restore', file], there)
  expect([refused.code, refused.output]).toEqual([1, expect.stringContaining('is encrypted')])
  expect((await run(['restore', file, '--passphrase-file', passphrase], here)).output).toContain('is not empty')
  const restored = await run(['restore', file, '--passphrase-file', passphrase], there)
  expect(restored.code, restored.output).toBe(0)
  const places: Record<string, string>[] = [there]
  if (target?.databaseUrl) {
    const moved = await run(['move', '--to', target.databaseUrl], here)
    expect(moved.code, moved.output).toBe(0)
    expect(moved.output).toContain('DATABASE_URL')
    places.push({ COUNTERSIGN_DATA: join(folder, 'nothing'), DATABASE_URL: target.databaseUrl })
  }
  for (const place of places) {
    const again = await ready(await startProcess(place))
    const login = await post(again, '/login', { username: 'ada', password: 'ada password' })
    expect(login.status).toBe(200)
    again.child.kill('SIGTERM')
    await again.exited
  }
}, 600_000)
