import { expect, test } from 'vitest'
import { sql } from '../../db/sql.ts'
import { serveTests } from '../serveTests.ts'
import { closedTables, openTables, userTables } from './protectedState.ts'

const server = serveTests()

test('every table of the server is guarded by the fuzzer, or named as open', async () => {
  const rows = await server.context.db.query<{ name: string }>(sql`
    select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'countersign' and c.relkind in ('r', 'p') and not c.relispartition`)
  const known = [...closedTables, ...userTables, ...openTables]
  expect(rows.map(({ name }) => name).filter((name) => !known.includes(name))).toEqual([])
  expect(known.filter((name) => !rows.some((row) => row.name === name))).toEqual([])
  expect(new Set(known).size).toBe(known.length)
})
