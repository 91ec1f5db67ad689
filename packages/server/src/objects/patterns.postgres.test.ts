import { expect, test } from 'vitest'
import { tableOf } from '../classes/ClassSchema.ts'
import { sql } from '../db/sql.ts'
import { serveTests } from '../testing/serveTests.ts'

const server = serveTests({ requestComplexity: { regexTimeout: 50 } })

test('P13: a too slow pattern is canceled with 124, and the server continues', async () => {
  const { db } = server.database
  await server.call('POST', '/classes/Long', { text: 'x' }, { master: true })
  await db.query(sql`
    insert into ${tableOf(server.context.classes.get('Long'))} ("objectId", "createdAt", "updatedAt", "text")
    select 'row' || n, now(), now(), repeat('ab', 20000) from generate_series(1, 500) n`)
  const ask = ($regex: string) =>
    server.call('POST', '/classes/Long', { _method: 'GET', where: { text: { $regex } }, limit: 1 }, { master: true })
  const slow = await ask('(?:a|b)*a(?:a|b){100}c')
  expect([slow.status, slow.body.code]).toEqual([400, 124])
  expect(slow.body.error).toContain('simpler pattern')
  const after = await Promise.all(Array.from({ length: 20 }, () => ask('^x$')))
  expect(after.map(({ status }) => status)).toEqual(Array(20).fill(200))
  const [setting] = await db.query<{ statement_timeout: string }>(sql`show statement_timeout`)
  expect(setting?.statement_timeout).toBe('0')
})
