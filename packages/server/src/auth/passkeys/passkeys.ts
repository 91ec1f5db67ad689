import type { PasskeyRecord } from '@countersign/protocol'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { sql } from '../../db/sql.ts'
import { defineEndpoint } from '../../endpoint/defineEndpoint.ts'
import { requireSession } from '../../users/sessions/sessions.ts'

export type PasskeyRow = {
  objectId: string
  user: string
  credential: string
  user_handle: string
  public_key: Buffer
  counter: number
  transports: string[]
  backed_up: boolean
  name: string
  created: Date
  last_used: Date | null
}

/** A passkey as its owner sees it. */
export function encodePasskey(row: PasskeyRow): PasskeyRecord {
  return {
    objectId: row.objectId,
    name: row.name,
    createdAt: row.created.toISOString(),
    ...(row.last_used && { lastUsedAt: row.last_used.toISOString() }),
    backedUp: row.backed_up,
  }
}

/** A user's passkeys, the oldest first. */
export function findPasskeys({ db }: Context, userId: string): Promise<PasskeyRow[]> {
  return db.query<PasskeyRow>(
    sql`select * from countersign.passkeys where "user" = ${userId} order by created, "objectId"`,
  )
}

/** The caller's passkeys, the oldest first. */
async function listPasskeys(context: Context, caller: Caller): Promise<{ results: PasskeyRecord[] }> {
  const rows = await findPasskeys(context, requireSession(caller).userId)
  return { results: rows.map(encodePasskey) }
}

export const listPasskeysEndpoint = defineEndpoint('listPasskeys', {
  handle: ({ context, caller }) => listPasskeys(context, caller),
})
