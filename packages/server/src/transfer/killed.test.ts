import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../db/openDatabase.ts'
import { sql } from '../db/sql.ts'
import { openTestDatabase, type TestDatabase } from '../testing/openTestDatabase.ts'
import { startProcess } from '../testing/startProcess.ts'

const count = process.env.TEST_DATABASE === 'postgres' ? 200_000 : 50_000
let folder: string
let database: TestDatabase | undefined

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'countersign-killed-'))
  if (process.env.TEST_DATABASE === 'postgres') database = await openTestDatabase({ template: 'migrated' })
  const file = createWriteStream(join(folder, 'things.json'))
  file.write('[')
  for (let index = 0; index < count; index++) {
    const thing = {
      objectId: `thing${index}`,
      number: index,
      text: `thing number ${index}`,
      createdAt: '2020-01-01T00:00:00.000Z',
    }
    file.write(`${index > 0 ? ',\n' : ''}${JSON.stringify(thing)}`)
  }
  file.end(']')
  await finished(file)
})
afterAll(async () => {
  await database?.close()
  await rm(folder, { recursive: true, force: true })
})

test('a killed import continues where it was: nothing is missing, nothing doubled', async () => {
  const data = join(folder, 'data')
  const environment = {
    COUNTERSIGN_DATA: data,
    ...(database?.databaseUrl && { DATABASE_URL: database.databaseUrl }),
  }
  const args = ['import', 'json', join(folder, 'things.json'), '--class', 'Thing']
  for (let kills = 0; kills < 2; kills++) {
    const run = await startProcess(environment, args)
    while (run.child.exitCode === null && !/Thing: [1-9]\d* read/.test(run.output())) await pause(10)
    expect(run.child.exitCode).toBeNull()
    run.child.kill('SIGKILL')
    await run.exited
  }
  const last = await startProcess(environment, args)
  expect(await last.exited, last.output()).toBe(0)
  // Each object was written once, over all runs, and none was met a second time.
  expect(last.output()).toMatch(new RegExp(`Thing +${count} +${count} +0 +0\\n`))
  const db = database?.db ?? (await openDatabase({ dataFolder: data }))
  const [row] = await db.query(sql`select count(*)::integer as count, sum("number")::float8 as sum from "Thing"`)
  expect(row).toEqual({ count, sum: (count * (count - 1)) / 2 })
  if (!database) await db.close()
}, 600_000)
