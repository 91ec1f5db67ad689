import { type PasskeyRecord, refuse } from '@countersign/protocol'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { sql } from '../../db/sql.ts'
import { defineEndpoint } from '../../endpoint/defineEndpoint.ts'
import { refuseHidden } from '../../users/hiddenCharacters.ts'
import { requireSession } from '../../users/sessions/sessions.ts'
import { encodePasskey, type PasskeyRow } from './passkeys.ts'

/** Renames a passkey of the caller. Needs no recent proof: the name opens nothing. */
async function updatePasskey({ db }: Context, caller: Caller, objectId: string, name: string): Promise<PasskeyRecord> {
  const { userId } = requireSession(caller)
  refuseHidden(name, 'name')
  const [row] = await db.query<PasskeyRow>(sql`
    update countersign.passkeys set name = ${name} where "objectId" = ${objectId} and "user" = ${userId} returning *`)
  if (!row) throw refuse('objectNotFound')
  return encodePasskey(row)
}

export const updatePasskeyEndpoint = defineEndpoint('updatePasskey', {
  handle: ({ context, caller, params, input }) => updatePasskey(context, caller, params.objectId, input.name),
})
