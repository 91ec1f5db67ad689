import { getChains } from '../../chain/nodes/getChains.ts'
import {
  checkTokenGateNow,
  createTokenGate,
  deleteTokenGate,
  getTokenGate,
  listTokenGates,
} from '../../chain/tokenGates/tokenGates.ts'
import { defineEndpoint, type Endpoint } from '../Endpoint.ts'

export const tokenGateEndpoints: Endpoint[] = [
  defineEndpoint('listTokenGates', {
    handle: ({ context, input }) => listTokenGates(context, input.role || undefined),
  }),
  defineEndpoint('createTokenGate', {
    location: (output) => `/tokenGates/${(output as { objectId: string }).objectId}`,
    handle: ({ context, input }) => createTokenGate(context, getChains(context), input),
  }),
  defineEndpoint('getTokenGate', { handle: ({ context, params }) => getTokenGate(context, params.objectId) }),
  defineEndpoint('deleteTokenGate', { handle: ({ context, params }) => deleteTokenGate(context, params.objectId) }),
  defineEndpoint('checkTokenGate', {
    handle: ({ context, params }) => checkTokenGateNow(context, getChains(context), params.objectId),
  }),
]
