import { z } from 'zod'
import { listWaysIn } from '../../auth/listWaysIn.ts'
import { merge } from '../../auth/merge.ts'
import { previewMerge } from '../../auth/previewMerge.ts'
import { restoreWallet } from '../../auth/restoreWallet.ts'
import { stepUp } from '../../auth/stepUp.ts'
import { undoMerge } from '../../auth/undoMerge.ts'
import { unlinkWallet } from '../../auth/unlinkWallet.ts'
import { updateWallet } from '../../auth/updateWallet.ts'
import { listActivity } from '../../users/listActivity.ts'
import { defineEndpoint, type Endpoint } from '../Endpoint.ts'

const one = (params: Record<string, string>) => params.objectId ?? ''

export const waysInEndpoints: Endpoint[] = [
  defineEndpoint('listWaysIn', { handle: ({ context, caller }) => listWaysIn(context, caller) }),
  defineEndpoint('updateWallet', {
    handle: ({ context, caller, input, params }) => updateWallet(context, caller, params.objectId, input),
  }),
  defineEndpoint('unlinkWallet', {
    summary: 'Take a wallet away, unless it is the last way in. Needs a session confirmed of late.',
    handle: ({ context, caller, params }) => unlinkWallet(context, caller, one(params)),
  }),
  defineEndpoint('restoreWallet', {
    summary: 'Put back a wallet that was taken away in the last ten minutes. Needs a session confirmed of late.',
    handle: ({ context, caller, params }) => restoreWallet(context, caller, one(params)),
  }),
  defineEndpoint('stepUp', {
    summary: 'Confirm the session by a fresh proof. It goes on under a new token.',
    binds: 'ends',
    describedInput: z.object({
      password: z.string().optional(),
      message: z.string().optional(),
      signature: z.string().optional(),
      credential: z.looseObject({}).optional().describe('What PublicKeyCredential.toJSON() gives'),
    }),
    handle: ({ context, caller, input }) => stepUp(context, caller, input),
  }),
  defineEndpoint('previewMerge', {
    summary: "Prove another account by its wallet and see what a merge into the caller's would move.",
    status: 201,
    binds: 'ends',
    describedInput: z.object({ message: z.string(), signature: z.string() }),
    handle: ({ context, caller, input }) => previewMerge(context, caller, input),
  }),
  defineEndpoint('merge', {
    summary: 'Carry out a merge that was previewed, within five minutes of both proofs.',
    handle: ({ context, caller, params }) => merge(context, caller, one(params)),
  }),
  defineEndpoint('undoMerge', {
    summary: 'Take a merge back within 24 hours. Needs a session confirmed of late.',
    handle: ({ context, caller, params }) => undoMerge(context, caller, one(params)),
  }),
  defineEndpoint('listActivity', { handle: ({ context, caller, input }) => listActivity(context, caller, input) }),
]
