import { checkGateNow } from '../../chain/gates/checkGateNow.ts'
import { createGate } from '../../chain/gates/createGate.ts'
import { deleteGate } from '../../chain/gates/deleteGate.ts'
import { getGate, listGates } from '../../chain/gates/describeGates.ts'
import { getChains } from '../../chain/nodes/getChains.ts'
import { defineEndpoint, type Endpoint } from '../Endpoint.ts'

export const gateEndpoints: Endpoint[] = [
  defineEndpoint('listGates', { handle: ({ context, input }) => listGates(context, input.role || undefined) }),
  defineEndpoint('createGate', {
    location: (output) => `/gates/${(output as { objectId: string }).objectId}`,
    handle: ({ context, input }) => createGate(context, getChains(context), input),
  }),
  defineEndpoint('getGate', { handle: ({ context, params }) => getGate(context, params.objectId) }),
  defineEndpoint('deleteGate', { handle: ({ context, params }) => deleteGate(context, params.objectId) }),
  defineEndpoint('checkGate', {
    handle: ({ context, params }) => checkGateNow(context, getChains(context), params.objectId),
  }),
]
