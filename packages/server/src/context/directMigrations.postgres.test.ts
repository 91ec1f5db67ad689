import { expect, test } from 'vitest'
import { readConfig } from '../config/readConfig.ts'
import { sql } from '../db/sql.ts'
import { createLogger } from '../log/createLogger.ts'
import { openTestDatabase } from '../testing/openTestDatabase.ts'
import { closeContext, createContext } from './createContext.ts'

test('migrations go to the direct address of the database', async () => {
  // Two databases stand for the two ways to one, so that it shows which way a statement took.
  const [pooled, direct] = [await openTestDatabase({ template: 'migrated' }), await openTestDatabase()]
  try {
    const { databaseUrl = '' } = direct
    const config = await readConfig({ environment: { COUNTERSIGN_DIRECT_DATABASE_URL: databaseUrl } })
    const options = { config, log: createLogger('silent'), db: pooled.db }
    const context = await createContext(options)
    const count = sql`select count(*)::int as count from countersign.migrations`
    expect(await direct.db.query(count)).toEqual(await pooled.db.query(count))
    await closeContext(context, options)
  } finally {
    await pooled.close()
    await direct.close()
  }
})
