import { contract } from '@countersign/protocol/contract'
import { z } from 'zod'
import { resetPassword } from '../../auth/recovery/resetPassword.ts'
import type { Endpoint } from '../../endpoint/Endpoint.ts'
import { verifyPasswordEndpoint } from '../../users/passwords/logIn.ts'

const { password, token } = contract.resetPassword.input.shape
/** The fields of the older pages. */
const resetForm = z.object({ new_password: password, token })

/** Other forms in which the older clients and pages send the same. */
export const olderFormEndpoints: Endpoint[] = [
  { ...verifyPasswordEndpoint, name: 'verifyPasswordByGet', method: 'GET', sameAs: 'verifyPassword', textQuery: true },
  {
    name: 'resetPasswordByForm',
    method: 'POST',
    path: '/apps/:appId/request_password_reset',
    summary: 'Password reset form of legacy pages.',
    sameAs: 'resetPassword',
    session: 'dropped',
    input: resetForm,
    handle({ context, caller, input }) {
      const { new_password: password, token } = input as z.output<typeof resetForm>
      return resetPassword(context, caller, { password, token })
    },
  },
]
