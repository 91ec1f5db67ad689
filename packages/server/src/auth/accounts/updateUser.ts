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
    const change = () =>
      changes.authData === undefined
        ? updateUser(context, caller, objectId, changes)
        : updateByAuthData(context, caller, objectId, changes)
    const changed =
      takesAddressAway(changes) && context.config.emailCode.enabled && !caller.isMaster
        ? await requireRemainingMethod(context, caller, 'changeEmail', objectId, change)
        : await change()
    return changed as WireFields & { updatedAt: string }
  },
})

/** Where codes are mailed, the address may be the last sign-in method. */
function takesAddressAway({ email }: WireChanges): boolean {
  return email === null || Reflect.get(Object(email), '__op') === 'Delete'
}
