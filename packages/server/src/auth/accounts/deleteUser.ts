import { defineEndpoint } from '../../endpoint/defineEndpoint.ts'
import { checkWrite } from '../../permissions/checkWrite.ts'
import { deleteUser } from '../../users/deleteUser.ts'

export const deleteUserEndpoint = defineEndpoint('deleteUser', {
  async handle({ context, caller, params }) {
    await checkWrite(context, caller, '_User', 'delete', {})
    return deleteUser(context, caller, params.objectId)
  },
})
