import type { WireFields } from '@countersign/protocol'
import { getAccountSecurity, updateAccountSecurity } from '../../auth/recovery/accountSecurity.ts'
import { createRecoveryCodes, signInWithRecoveryCode } from '../../auth/recovery/recoveryCodes.ts'
import { undoEmailChange } from '../../auth/recovery/undoEmailChange.ts'
import { exportAccount } from '../../transfer/exportAccount.ts'
import { defineEndpoint, type Endpoint, respond } from '../Endpoint.ts'

export const recoveryEndpoints: Endpoint[] = [
  defineEndpoint('getAccountSecurity', { handle: ({ context, caller }) => getAccountSecurity(context, caller) }),
  defineEndpoint('updateAccountSecurity', {
    handle: ({ context, caller, input }) => updateAccountSecurity(context, caller, input),
  }),
  defineEndpoint('createRecoveryCodes', { handle: ({ context, caller }) => createRecoveryCodes(context, caller) }),
  defineEndpoint('signInWithRecoveryCode', {
    handle: ({ context, caller, input }) => signInWithRecoveryCode(context, caller, input),
  }),
  defineEndpoint('undoEmailChange', {
    handle: ({ context, caller, input }) => undoEmailChange(context, caller, input.token),
  }),
  defineEndpoint('exportAccount', {
    streams: true,
    handle: async ({ context, caller }) =>
      // Written while it is read.
      respond((await exportAccount(context, caller)) as object as WireFields, {
        headers: {
          'Content-Type': 'application/json; charset=utf-8',
          'Content-Disposition': 'attachment; filename="my-data.json"',
          'Cache-Control': 'no-store',
        },
      }),
  }),
]
