import { getParams } from '../../objects/getParams.ts'
import { updateParams } from '../../objects/updateParams.ts'
import { defineEndpoint, type Endpoint } from '../Endpoint.ts'

export const configEndpoints: Endpoint[] = [
  defineEndpoint('getConfig', { handle: ({ context, caller }) => getParams(context, caller) }),
  defineEndpoint('updateConfig', { handle: ({ context, input }) => updateParams(context, input) }),
]
