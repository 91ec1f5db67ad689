import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../../../config/readConfig.ts'
import type { Context } from '../../../context/Context.ts'
import { closeContext, createContext } from '../../../context/createContext.ts'
import type { Database } from '../../../db/Database.ts'
import { openDatabase } from '../../../db/openDatabase.ts'
import type { Statement } from '../../../db/Statement.ts'
import { sql } from '../../../db/sql.ts'
import { createLogger } from '../../../log/createLogger.ts'
import { openTestDatabase, type TestDatabase } from '../../../testing/openTestDatabase.ts'
import { server } from '../../events/writeEvents.ts'
import { indexProgress } from '../chainState.ts'
import { findCoverage } from './findCoverage.ts'

const someone = `0x${'a'.repeat(40)}`
const patience = { timeout: 60_000, interval: 20 }

let database: TestDatabase
let other: Database
let context: Context
let own: Context
let asked = 0
let end: () => Promise<void>

beforeAll(async () => {
  database = await openTestDatabase()
  const options = {
    config: await readConfig({ environment: {}, folder: '/nonexistent', flags: {} }),
    log: createLogger('silent'),
    db: database.db,
  }
  own = await createContext(options)
  const query = <Row>(statement: Statement) => {
    asked++
    return database.db.query<Row>(statement)
  }
  context = { ...own, db: { ...database.db, query } }
  other = await openDatabase({ databaseUrl: database.databaseUrl, dataFolder: 'memory://' })
  await other.query(sql`
    insert into countersign.chain_state (chain, tip, tip_hash, tip_time, head, finalized, updated)
    values (1, 10, 'ten', now(), 10, 10, now())`)
  await other.query(sql`insert into countersign.chain_sources values (1, 'address', '${sql.raw(someone)}', 3, now())`)
  end = () => closeContext(own, options)
})

afterAll(async () => {
  await end()
  await other.close()
  await database.close()
})

const find = () => findCoverage(context, server, 1, someone, 'address')
/** Asks until nothing is asked of the database any more. */
const remembered = () =>
  expect
    .poll(async () => {
      await find()
      const before = asked
      await find()
      return asked - before
    }, patience)
    .toBe(0)

test('R27: how far a chain is indexed is asked once, until another server moves it', async () => {
  await remembered()
  expect(await find()).toMatchObject({ followed: true, status: 'SYNCED', start: 3, block: { number: 10, hash: 'ten' } })
  await other.query(sql`update countersign.chain_state set tip = 11, tip_hash = 'eleven'`)
  await expect.poll(find, patience).toMatchObject({ block: { number: 11, hash: 'eleven' } })
})

test('R27: this server’s own writes are visible immediately', async () => {
  await remembered()
  await database.db.transaction(async () => {
    await context.db.query(sql`update countersign.chain_state set tip = 12, tip_hash = 'twelve'`)
    context.db.reportChange(indexProgress)
    expect(await find()).toMatchObject({ block: { number: 12 } })
  })
  expect(await find()).toMatchObject({ block: { number: 12, hash: 'twelve' } })
})

test('R27: older blocks that another server is to read are noticed, and while they are read nothing is remembered', async () => {
  await remembered()
  await other.query(sql`
    insert into countersign.chain_work (chain, kind, addresses, first, next, last)
    values (1, 'address', '{${sql.raw(someone)}}', 0, 0, 2)`)
  await expect.poll(find, patience).toMatchObject({ status: 'SYNCING' })
  await other.query(sql`update countersign.chain_work set next = 3`)
  expect(await find()).toMatchObject({ status: 'SYNCED' })
})
