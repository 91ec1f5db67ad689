import { refuse } from '@countersign/protocol'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { needSession } from '../../users/needSession.ts'
import { noteActivity } from '../../users/noteActivity.ts'
import { notifyOwner } from '../../users/notifyOwner.ts'
import { keepLastWayIn } from '../keepLastWayIn.ts'

/** Takes a passkey away, unless it is the last way in. */
export async function removePasskey(context: Context, caller: Caller, objectId: string): Promise<Record<never, never>> {
  const { userId } = needSession(caller)
  return keepLastWayIn(context, caller, 'removePasskey', userId, async () => {
    const [gone] = await context.db.query<{ name: string }>({
      text: 'delete from countersign.passkeys where "objectId" = $1 and "user" = $2 returning name',
      values: [objectId, userId],
    })
    if (!gone) throw refuse('objectNotFound')
    await noteActivity(context, caller, userId, 'removePasskey', { objectId, name: gone.name })
    notifyOwner(context, userId, (say) => say('passkeyRemoved'))
    return {}
  })
}
