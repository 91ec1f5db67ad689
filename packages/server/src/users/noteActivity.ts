import { randomUUID } from 'node:crypto'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'

/** Writes down what happened to an account, in the transaction of the change. */
export async function noteActivity(
  { db, clock }: Context,
  caller: Caller,
  userId: string,
  action: string,
  details: object = {},
): Promise<void> {
  await db.query({
    name: 'note-activity',
    text: `insert into countersign.activity (id, "user", action, details, "ipAddress", "userAgent", at) values ($1, $2, $3, $4, $5, $6, $7)`,
    values: [
      randomUUID(),
      userId,
      action,
      details,
      caller.ipAddress,
      caller.userAgent?.slice(0, 512) ?? null,
      clock.now(),
    ],
  })
}
