import type { WireFields } from '@countersign/protocol'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { sql } from '../../db/sql.ts'
import { defineEndpoint } from '../../endpoint/defineEndpoint.ts'
import { runAfter } from '../../hooks/runHooks.ts'
import { forgetSessions } from './createSession.ts'

/** Ends the calling session. A session that is gone already is as good as ended. */
async function logOut(context: Context, caller: Caller): Promise<Record<never, never>> {
  if (!caller.session) return {}
  // A device that signs out itself continues as a guest's; one whose session is ended elsewhere gets nothing.
  await context.db.query(sql`update countersign.devices set session = null where session = ${caller.session.objectId}`)
  const ended = await context.db.query<{ _token_hash: Buffer }>(
    sql`delete from "_Session" where "objectId" = ${caller.session.objectId} returning "_token_hash"`,
  )
  forgetSessions(context, ended)
  await runAfter(context, caller, { hook: 'afterSignOut', className: '_User', object: describe(caller.session) })
  return {}
}

/** The session as it was. */
function describe({ objectId, userId, token }: NonNullable<Caller['session']>): WireFields {
  const user = { __type: 'Pointer', className: '_User', objectId: userId } as const
  return { objectId, user, sessionToken: token }
}

export const logOutEndpoint = defineEndpoint('logOut', { handle: ({ context, caller }) => logOut(context, caller) })
