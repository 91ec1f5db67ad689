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

export const waysInEndpoints: Endpoint[] = [
  defineEndpoint('listWaysIn', { handle: ({ context, caller }) => listWaysIn(context, caller) }),
  defineEndpoint('updateWallet', {
    handle: ({ context, caller, input, params }) => updateWallet(context, caller, params.objectId, input),
  }),
  defineEndpoint('unlinkWallet', {
    handle: ({ context, caller, params }) => unlinkWallet(context, caller, params.objectId),
  }),
  defineEndpoint('restoreWallet', {
    handle: ({ context, caller, params }) => restoreWallet(context, caller, params.objectId),
  }),
  defineEndpoint('stepUp', { handle: ({ context, caller, input }) => stepUp(context, caller, input) }),
  defineEndpoint('previewMerge', { handle: ({ context, caller, input }) => previewMerge(context, caller, input) }),
  defineEndpoint('merge', { handle: ({ context, caller, params }) => merge(context, caller, params.objectId) }),
  defineEndpoint('undoMerge', { handle: ({ context, caller, params }) => undoMerge(context, caller, params.objectId) }),
  defineEndpoint('listActivity', { handle: ({ context, caller, input }) => listActivity(context, caller, input) }),
]
