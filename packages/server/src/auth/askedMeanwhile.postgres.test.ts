import { expect, test } from 'vitest'
import { sql } from '../db/sql.ts'
import { refused } from '../testing/accounts/secondFactorAnswers.ts'
import { serveTests } from '../testing/serveTests.ts'
import { lockUsers } from '../users/UserRow.ts'

const server = serveTests({ rateLimit: [] })

/** Resolves once a statement waits for a lock that another transaction holds. */
async function isWaiting(): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    // Otherwise the transaction sees what it saw first.
    await server.context.db.query(sql`select pg_stat_clear_snapshot()`)
    const waiting = await server.context.db.query(
      sql`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
    )
    if (waiting.length > 0) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('nothing waits')
}

test('SEC-75: the current password alone sets no new one once a second factor is on', async () => {
  const { db, clock } = server.context
  const { objectId, token } = await server.signUp('ada')
  server.clock.forward(16 * 60_000)
  const input = { currentPassword: 'ada password', newPassword: 'of a thief' }
  // The owner turns the factor on while the request is under way.
  const theft = await db.transaction(async () => {
    await lockUsers(server.context, [objectId])
    const asked = server.call('POST', '/changePassword', input, { token })
    await isWaiting()
    const now = clock.now()
    await db.query(sql`
      insert into countersign.second_factors ("user", confirmed, created) values (${objectId}, ${now}, ${now})`)
    return { asked }
  })
  expect(refused(await theft.asked)).toEqual([403, 'reauthenticationRequired'])
})

test('an account that is deleted during its own change gets a refusal', async () => {
  const { db } = server.context
  const { objectId, token } = await server.signUp('deleted')
  const { changed } = await db.transaction(async () => {
    await db.query(sql`delete from "_User" where "objectId" = ${objectId}`)
    const changed = server.call('PUT', '/auth/security', { signInAlerts: true }, { token })
    await isWaiting()
    return { changed }
  })
  expect(await changed).toMatchObject({ status: 404, body: { code: 101, reason: 'objectNotFound' } })
})
