import type { WireFields } from '@countersign/protocol'
import { z } from 'zod'
import { checkGateNow } from '../../chain/gates/checkGateNow.ts'
import { createGate } from '../../chain/gates/createGate.ts'
import { deleteGate } from '../../chain/gates/deleteGate.ts'
import { getGate, listGates } from '../../chain/gates/describeGates.ts'
import { getChains } from '../../chain/nodes/getChains.ts'
import type { Endpoint } from '../Endpoint.ts'

const gate = z.object({
  role: z.string().describe('The name of the role'),
  chain: z.union([z.string(), z.number()]).describe('Name or id'),
  kind: z.enum(['native', 'erc20', 'erc721', 'erc1155']),
  token: z.string().optional().describe('The contract; not for the native currency'),
  tokenId: z.string().optional().describe('Of an ERC-1155; of an ERC-721 where one certain NFT is meant'),
  amount: z.string().optional().describe('At least so much, in the smallest unit; 1 unless given'),
})

const define = (endpoint: Omit<Endpoint, 'access'>): Endpoint => ({ ...endpoint, access: 'master' })

export const gateEndpoints: Endpoint[] = [
  define({
    name: 'listGates',
    method: 'GET',
    path: '/gates',
    summary: 'Which tokens open which roles; of one role with `role`. Master key.',
    describedInput: z.object({ role: z.string().optional() }),
    handle: ({ context, input }) =>
      listGates(context, typeof input.role === 'string' && input.role !== '' ? input.role : undefined),
  }),
  define({
    name: 'createGate',
    method: 'POST',
    path: '/gates',
    summary: 'Give a role to everyone who holds a token in a linked wallet, for as long as they do. Master key.',
    status: 201,
    describedInput: gate,
    location: (output) => `/gates/${(output as { objectId: string }).objectId}`,
    handle: ({ context, input }) => createGate(context, getChains(context), input as WireFields),
  }),
  define({
    name: 'getGate',
    method: 'GET',
    path: '/gates/:objectId',
    summary: 'One of them: when it was last checked, and how many hold the role by it. Master key.',
    handle: ({ context, params: { objectId = '' } }) => getGate(context, objectId),
  }),
  define({
    name: 'deleteGate',
    method: 'DELETE',
    path: '/gates/:objectId',
    summary: 'Delete one of them. Who held the role by it alone holds it no more. Master key.',
    handle: ({ context, params: { objectId = '' } }) => deleteGate(context, objectId),
  }),
  define({
    name: 'checkGate',
    method: 'POST',
    path: '/gates/:objectId/check',
    summary: 'Look at every wallet for it now. Master key.',
    handle: ({ context, params: { objectId = '' } }) => checkGateNow(context, getChains(context), objectId),
  }),
]
