import { expect, test, vi } from 'vitest'
import { sql } from '../db/sql.ts'
import { createTestServer } from '../testing/createTestServer.ts'
import { findFirstOperator } from './operators.ts'

test('a server that starts while the first link is used prints no further link', async () => {
  const one = await createTestServer({})
  const two = await createTestServer({}, one.database)
  try {
    const { objectId } = await one.signUp('first')
    await one.context.db.query(sql`delete from countersign.operator_links`)
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    let found: Promise<unknown> = Promise.resolve()
    const claim = one.context.db.transaction(async () => {
      await one.context.db.query(sql`lock table countersign.operator_links in share row exclusive mode`)
      await released
      await one.context.db.query(
        sql`insert into countersign.operators ("user", role, since) values (${objectId}, 'admin', now())`,
      )
    })
    const isLocked = async (granted: boolean) =>
      (
        await two.context.db.query(sql`
          select from pg_locks
          where relation = 'countersign.operator_links'::regclass and mode = 'ShareRowExclusiveLock' and granted = ${granted}`)
      ).length
    await vi.waitFor(async () => expect(await isLocked(true)).toBe(1))
    found = findFirstOperator(two.context)
    await vi.waitFor(async () => expect(await isLocked(false)).toBe(1))
    release()
    await claim
    expect(await found).toBeUndefined()
  } finally {
    await two.stop()
    await one.stop()
  }
})
