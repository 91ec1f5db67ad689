import { randomUUID } from 'node:crypto'
import { sql } from '../../db/sql.ts'
import type { TestServer } from '../createTestServer.ts'

/** Puts a passkey into the database, for tests that are not about how it gets there. `removedUntil`: as one to restore. */
export async function keepPasskey({ context }: TestServer, userId: string, removedUntil?: Date): Promise<string> {
  const objectId = randomUUID().slice(0, 8)
  const columns = sql`
    "objectId", "user", credential, user_handle, public_key, counter, transports, backed_up, name, created`
  const values = sql`
    ${objectId}, ${userId}, ${randomUUID()}, ${userId}, ${Buffer.from([1])}, 0, '{}', false, 'Key',
    ${context.clock.now()}`
  await context.db.query(
    removedUntil
      ? sql`insert into countersign.removed_passkeys (${columns}, expires) values (${values}, ${removedUntil})`
      : sql`insert into countersign.passkeys (${columns}) values (${values})`,
  )
  return objectId
}
