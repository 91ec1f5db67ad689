import { z } from 'zod'
import { createRecoveryCodes } from '../../auth/recovery/createRecoveryCodes.ts'
import { getAccountSecurity } from '../../auth/recovery/getAccountSecurity.ts'
import { signInWithRecoveryCode } from '../../auth/recovery/signInWithRecoveryCode.ts'
import { updateAccountSecurity } from '../../auth/recovery/updateAccountSecurity.ts'
import { defineEndpoint, type Endpoint, respond } from '../Endpoint.ts'
import { exportAccount } from '../exportAccount.ts'

export const recoveryEndpoints: Endpoint[] = [
  defineEndpoint('getAccountSecurity', {
    summary: 'How many recovery codes are left, and whether new devices are told by mail.',
    handle: ({ context, caller }) => getAccountSecurity(context, caller),
  }),
  defineEndpoint('updateAccountSecurity', {
    summary: 'Turn alerts on or off; off needs a session confirmed of late.',
    describedInput: z.object({ signInAlerts: z.boolean() }),
    handle: ({ context, caller, input }) => updateAccountSecurity(context, caller, input),
  }),
  defineEndpoint('createRecoveryCodes', {
    summary: 'Ten new recovery codes, told once; the former end. Needs a session confirmed of late.',
    status: 201,
    handle: ({ context, caller }) => createRecoveryCodes(context, caller),
  }),
  defineEndpoint('signInWithRecoveryCode', {
    summary: 'Open a session by user name (or e-mail address) and a recovery code, which is spent by it.',
    session: 'dropped',
    describedInput: z.object({ username: z.string(), code: z.string() }),
    handle: ({ context, caller, input }) => signInWithRecoveryCode(context, caller, input),
  }),
  defineEndpoint('exportAccount', {
    summary: 'Everything that is kept of the caller, as one JSON file. Needs a session confirmed of late.',
    streams: true,
    handle: async ({ context, caller }) =>
      respond(await exportAccount(context, caller), {
        headers: {
          'Content-Type': 'application/json; charset=utf-8',
          'Content-Disposition': 'attachment; filename="my-data.json"',
          'Cache-Control': 'no-store',
        },
      }),
  }),
]
