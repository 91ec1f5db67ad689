import { expect, test } from 'vitest'
import { sql } from '../db/sql.ts'
import { serveTests } from '../testing/serveTests.ts'
import { tableOf } from './ClassSchema.ts'

const server = serveTests({ allowCustomObjectId: true })

/** Drops a class as another server does, before this one has been notified. */
async function dropElsewhere(className: string): Promise<void> {
  await server.call('POST', `/schemas/${className}`, { className }, { master: true })
  await server.context.db.transaction(async () => {
    await server.context.db.query(sql`drop table ${tableOf(server.context.classes.get(className))} cascade`)
    await server.context.db.query(sql`delete from countersign.classes where "className" = ${className}`)
  })
}

test.each([
  [
    'the console’s page of a user',
    ({ objectId }) => server.call('GET', `/console/users/${objectId}`, undefined, { master: true }),
  ],
  ['the export of an account', ({ token }) => server.call('GET', '/auth/export', undefined, { token })],
  [
    'a sign-up with a chosen id',
    () => server.call('POST', '/users', { username: 'chosen', password: 'x', objectId: 'chosen0001' }),
  ],
] satisfies [string, (user: { objectId: string; token: string }) => Promise<{ status: number }>][])(
  'a class that was just dropped does not break %s',
  async (name, ask) => {
    const user = await server.signUp(`dropped-${name.length}`)
    await dropElsewhere(`Dropped${name.length}`)
    expect((await ask(user)).status).toBeLessThan(300)
  },
)
