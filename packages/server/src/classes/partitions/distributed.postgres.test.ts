import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { restoreBackup } from '../../backup/restoreBackup.ts'
import { writeBackup } from '../../backup/writeBackup.ts'
import { openDatabase } from '../../db/openDatabase.ts'
import { sql } from '../../db/sql.ts'
import { createTestServer } from '../../testing/createTestServer.ts'
import { openTestDatabase, type TestDatabase } from '../../testing/openTestDatabase.ts'
import { listDistributed } from './refuseDistributed.ts'

/** Coordinator of a Citus cluster with at least one worker, with a role that may create databases. */
const citus = process.env.TEST_CITUS_URL
const workers = (process.env.TEST_CITUS_WORKERS ?? '').split(',').filter(Boolean)

test('34-8: a database without Citus has no distributed tables', async () => {
  const database = await openTestDatabase({ template: 'migrated' })
  expect(await listDistributed(database.db)).toEqual([])
  await database.close()
})

describe.skipIf(!citus)('on Citus', () => {
  const name = `test_${randomBytes(8).toString('hex')}`
  const at = (server: string, database: string) => Object.assign(new URL(server), { pathname: `/${database}` }).href
  const nodes = [citus ?? '', ...workers]
  let database: TestDatabase

  beforeAll(async () => {
    for (const node of nodes) {
      await run(node, `create database ${name}`)
      await run(at(node, name), 'create extension citus')
    }
    const { hostname, port } = new URL(nodes[0] ?? '')
    await run(at(nodes[0] ?? '', name), `select citus_set_coordinator_host('${hostname}', ${port})`)
    for (const worker of workers) {
      const { hostname, port } = new URL(worker)
      await run(at(nodes[0] ?? '', name), `select citus_add_node('${hostname}', ${port})`)
    }
    const databaseUrl = at(nodes[0] ?? '', name)
    const db = await openDatabase({ databaseUrl, dataFolder: 'memory://' })
    database = { db, databaseUrl, close: db.close }
  })
  afterAll(async () => {
    await database?.close()
    for (const node of nodes) await run(node, `drop database if exists ${name} with (force)`)
  })

  test('34-8: a class that somebody distributed is refused at start with the reason, until it is local again', async () => {
    const { db } = database
    const first = await createTestServer({}, database)
    for (let n = 1; n <= 5; n++) await first.call('POST', '/classes/Big', { n })
    const { config, keys } = first.context
    await first.stop()
    await db.query(sql`select create_distributed_table('public."Big"', 'objectId')`)
    await expect(createTestServer({}, database)).rejects.toThrow('Citus has distributed public."Big"')
    // A backup of such an installation is complete: it is the way back.
    const target = await openTestDatabase()
    await restoreBackup({ db: target.db, config, bytes: writeBackup({ db, config, keys }) })
    expect(await target.db.query(sql`select n from "Big" order by n`)).toEqual([1, 2, 3, 4, 5].map((n) => ({ n })))
    await target.close()
    await db.query(sql`select undistribute_table('public."Big"')`)
    const again = await createTestServer({}, database)
    expect((await again.call('GET', '/classes/Big?count=1&limit=0')).body).toMatchObject({ count: 5 })
    await again.stop()
  })
})

async function run(url: string, text: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}
