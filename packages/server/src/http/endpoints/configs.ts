import { z } from 'zod'
import { getParams } from '../../objects/getParams.ts'
import { updateParams } from '../../objects/updateParams.ts'
import { defineEndpoint, type Endpoint } from '../Endpoint.ts'

export const configEndpoints: Endpoint[] = [
  defineEndpoint('getConfig', {
    summary: "The application's own settings. Some are for the master key alone.",
    handle: ({ context, caller }) => getParams(context, caller),
  }),
  defineEndpoint('updateConfig', {
    summary: "Change the application's own settings. Master key.",
    access: 'master',
    describedInput: z.object({
      params: z.looseObject({}),
      masterKeyOnly: z.record(z.string(), z.boolean()).optional(),
    }),
    handle: ({ context, input }) => updateParams(context, input),
  }),
]
