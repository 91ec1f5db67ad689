import { randomUUID } from 'node:crypto'
import type { TestServer } from './createTestServer.ts'

/** Puts a passkey into the database, for tests that are not about how it gets there. */
export async function keepPasskey({ context }: TestServer, userId: string): Promise<string> {
  const objectId = randomUUID().slice(0, 8)
  await context.db.query({
    text: `insert into countersign.passkeys ("objectId", "user", credential, user_handle, public_key, counter, transports, backed_up, name, created)
           values ($1, $2, $3, $2, $4, 0, '{}', false, 'Key', $5)`,
    values: [objectId, userId, randomUUID(), Buffer.from([1]), context.clock.now()],
  })
  return objectId
}
