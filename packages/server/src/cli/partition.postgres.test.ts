import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { findLayout, type WantedLayout } from '../classes/partitions/Layout.ts'
import { sql } from '../db/sql.ts'
import { createTestServer } from '../testing/createTestServer.ts'
import { isSpread, openSpread } from '../testing/openTestDatabase.ts'
import { startProcess } from '../testing/startProcess.ts'

type Case = { command: 'partition' | 'distribute'; setting: object; layout: WantedLayout; description: string }

const cases: Case[] = [
  {
    command: 'partition',
    setting: { by: 'hash', parts: 4 },
    layout: { by: 'hash', parts: 4 },
    description: '4 parts by objectId',
  },
  ...(process.env.TEST_CITUS_URL
    ? [
        {
          command: 'distribute',
          setting: { shards: 4 },
          layout: { by: 'shards', shards: 4 },
          description: '4 shards on the workers of Citus',
        } satisfies Case,
      ]
    : []),
]

test.each(cases)(
  '34-7, 34-8: countersign schema $command, killed twice while objects are written, loses and doubles none',
  async ({ command, setting, layout, description }) => {
    const folder = await mkdtemp(join(tmpdir(), 'countersign-partition-'))
    const database = command === 'distribute' || isSpread ? await openSpread() : undefined
    const server = await createTestServer({}, database)
    onTestFinished(async () => {
      await server.stop()
      await database?.close()
      await rm(folder, { recursive: true, force: true })
    })
    const { db } = server.context
    await server.call('POST', '/classes/Many', { n: 0 })
    await db.query(sql`
    insert into "Many" ("objectId", "createdAt", "updatedAt", n)
    select 'filled' || i, now(), now(), i from generate_series(1, 60000) i`)
    await db.query(sql`analyze "Many"`)
    const config = join(folder, 'countersign.config.json')
    await writeFile(config, JSON.stringify({ [command]: { Many: setting } }))
    const environment = { DATABASE_URL: server.database.databaseUrl ?? '', COUNTERSIGN_DATA: join(folder, 'data') }
    const start = (...args: string[]) => startProcess(environment, ['schema', command, '--config', config, ...args])

    const dry = await start('--dry-run')
    expect(await dry.exited).toBe(0)
    expect(dry.output()).toContain(`Many: one table would become ${description}.`)

    const acknowledged = new Map<string, number>()
    const failed: unknown[] = []
    let isOver = false
    const writer = (async () => {
      for (let n = 1; !isOver; n++) {
        const { status, body } = await server.call('POST', '/classes/Many', { n: -n })
        if (status === 201) acknowledged.set(String(body.objectId), -n)
        else failed.push(body)
      }
    })()
    const copied = async () =>
      (
        await db.query<{ copied: number }>(
          sql`select copied::integer as copied from countersign.class_moves where class_name = 'Many'`,
        )
      )[0]?.copied ?? 0
    let reached = 0
    for (let kills = 0; kills < 2; kills++) {
      const run = await start()
      while (run.child.exitCode === null && (await copied()) <= reached) await pause(5)
      run.child.kill('SIGKILL')
      await run.exited
      reached = await copied()
      expect(reached).toBeGreaterThan(0)
      expect(await findLayout(db, 'Many')).toEqual({ by: 'none' })
    }
    const last = await start()
    expect(await last.exited).toBe(0)
    isOver = true
    await writer
    expect(last.output()).toMatch(/Many: done/)
    expect(failed).toEqual([])
    expect(await findLayout(db, 'Many')).toEqual(layout)
    const [row] = await db.query(sql`
    select count(*)::integer as rows, count(distinct "objectId")::integer as ids,
      (count(*) filter (where "objectId" like 'filled%'))::integer as filled from "Many"`)
    const rows = 60_001 + acknowledged.size
    expect(row).toEqual({ rows, ids: rows, filled: 60_000 })
    const written = await db.query<{ objectId: string; n: number }>(sql`select "objectId", n from "Many" where n < 0`)
    expect(new Map(written.map(({ objectId, n }) => [objectId, n]))).toEqual(acknowledged)
  },
)
