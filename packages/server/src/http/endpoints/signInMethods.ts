import { merge, previewMerge } from '../../auth/merge/mergeAccounts.ts'
import { undoMerge } from '../../auth/merge/undoAccountMerge.ts'
import { listProviders } from '../../auth/providers/providerSignIn.ts'
import { reauthenticate } from '../../auth/reauthenticate.ts'
import { listSignInMethods } from '../../auth/signInMethods.ts'
import { restoreWallet, unlinkWallet } from '../../auth/wallets/unlinkWallet.ts'
import { updateWallet } from '../../auth/wallets/wallets.ts'
import { listActivity } from '../../users/activity.ts'
import { createInvitation, deleteInvitation, getSignInOptions, listInvitations } from '../../users/signUpRules.ts'
import { defineEndpoint, type Endpoint } from '../Endpoint.ts'

export const signInMethodEndpoints: Endpoint[] = [
  defineEndpoint('listSignInMethods', { handle: ({ context, caller }) => listSignInMethods(context, caller) }),
  defineEndpoint('getSignInOptions', {
    handle: async ({ context }) => ({ ...getSignInOptions(context), providers: listProviders(context).results }),
  }),
  defineEndpoint('listInvitations', { handle: ({ context }) => listInvitations(context) }),
  defineEndpoint('createInvitation', { handle: ({ context, input }) => createInvitation(context, input) }),
  defineEndpoint('deleteInvitation', {
    handle: ({ context, params }) => deleteInvitation(context, params.objectId),
  }),
  defineEndpoint('updateWallet', {
    handle: ({ context, caller, input, params }) => updateWallet(context, caller, params.objectId, input),
  }),
  defineEndpoint('unlinkWallet', {
    handle: ({ context, caller, params }) => unlinkWallet(context, caller, params.objectId),
  }),
  defineEndpoint('restoreWallet', {
    handle: ({ context, caller, params }) => restoreWallet(context, caller, params.objectId),
  }),
  defineEndpoint('reauthenticate', { handle: ({ context, caller, input }) => reauthenticate(context, caller, input) }),
  defineEndpoint('previewMerge', { handle: ({ context, caller, input }) => previewMerge(context, caller, input) }),
  defineEndpoint('merge', { handle: ({ context, caller, params }) => merge(context, caller, params.objectId) }),
  defineEndpoint('undoMerge', { handle: ({ context, caller, params }) => undoMerge(context, caller, params.objectId) }),
  defineEndpoint('listActivity', { handle: ({ context, caller, input }) => listActivity(context, caller, input) }),
]
