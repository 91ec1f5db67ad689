import type { WireChanges, WireFields } from '@countersign/protocol'
import { defineEndpoint } from '../../endpoint/defineEndpoint.ts'
import { checkWrite } from '../../permissions/checkWrite.ts'
import { updateUser } from '../../users/updateUser.ts'
import { updateByAuthData } from '../parseCompat/updateByAuthData.ts'
import { requireRemainingMethod } from '../signInMethods.ts'

export const updateUserEndpoint = defineEndpoint('updateUser', {
  async handle({ context, caller, input, params: { objectId } }) {
    const changes = input as WireChanges
    await checkWrite(context, caller, '_User', 'update', changes, objectId)
    const isLast = takesAddressAway(changes) && context.config.emailCode.enabled && !caller.isMaster
    const guard = (work: () => Promise<WireFields>) =>
      requireRemainingMethod(context, caller, 'changeEmail', objectId, work)
    const update = () => updateUser(context, caller, objectId, changes)
    const changed =
      changes.authData === undefined
        ? await (isLast ? guard(update) : update())
        : await updateByAuthData(context, caller, objectId, changes, isLast ? guard : undefined)
    return changed as WireFields & { updatedAt: string }
  },
})

/** Detects the removal of the address, which may be the last sign-in method where codes are mailed. */
function takesAddressAway({ email }: WireChanges): boolean {
  return email === null || Reflect.get(Object(email), '__op') === 'Delete'
}
