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
  defineEndpoint('listWaysIn', {
    summary: "Every way into the caller's account.",
    handle: (context, caller) => listWaysIn(context, caller),
  }),
  defineEndpoint('updateWallet', {
    summary: 'Label a wallet, or make it the primary one of its namespace.',
    input: z.object({ label: z.string().max(60).nullable().optional(), primary: z.literal(true).optional() }),
    handle: (context, caller, input, params) => updateWallet(context, caller, one(params), input),
  }),
  defineEndpoint('unlinkWallet', {
    summary: 'Take a wallet away, unless it is the last way in. Needs a session confirmed of late.',
    handle: (context, caller, _input, params) => unlinkWallet(context, caller, one(params)),
  }),
  defineEndpoint('restoreWallet', {
    summary: 'Put back a wallet that was taken away in the last ten minutes. Needs a session confirmed of late.',
    handle: (context, caller, _input, params) => restoreWallet(context, caller, one(params)),
  }),
  defineEndpoint('stepUp', {
    summary: 'Confirm the session by a fresh proof. It goes on under a new token.',
    binds: 'ends',
    input: z.object({
      password: z.string().optional(),
      message: z.string().optional(),
      signature: z.string().optional(),
      credential: z.looseObject({}).optional().describe('What PublicKeyCredential.toJSON() gives'),
    }),
    handle: (context, caller, input) => stepUp(context, caller, input),
  }),
  defineEndpoint('previewMerge', {
    summary: "Prove another account by its wallet and see what a merge into the caller's would move.",
    status: 201,
    binds: 'ends',
    input: z.object({ message: z.string(), signature: z.string() }),
    handle: (context, caller, input) => previewMerge(context, caller, input),
  }),
  defineEndpoint('merge', {
    summary: 'Carry out a merge that was previewed, within five minutes of both proofs.',
    handle: (context, caller, _input, params) => merge(context, caller, one(params)),
  }),
  defineEndpoint('undoMerge', {
    summary: 'Take a merge back within 24 hours. Needs a session confirmed of late.',
    handle: (context, caller, _input, params) => undoMerge(context, caller, one(params)),
  }),
  defineEndpoint('listActivity', {
    summary: "What happened to the caller's account, newest first.",
    input: z.object({
      before: z.iso.datetime().optional(),
      limit: z.number().int().min(1).max(100).optional(),
      actions: z.array(z.string()).max(100).optional(),
      userAgents: z.array(z.string()).max(100).optional(),
    }),
    handle: (context, caller, input) => listActivity(context, caller, input),
  }),
]
