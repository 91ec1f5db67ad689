import { issueServerTime, requestMessage } from '../auth/parseCompat/requestMessage.ts'
import type { Endpoint } from '../endpoint/Endpoint.ts'
import { defineBuiltIn } from './defineBuiltIn.ts'

export const functionEndpoints: Endpoint[] = [
  defineBuiltIn('getPluginSpecs', {
    handle: async () => ({ result: [] }),
  }),
  defineBuiltIn('getServerTime', {
    handle: async ({ context, caller }) => ({ result: await issueServerTime(context, caller) }),
  }),
  defineBuiltIn('requestMessage', {
    handle: async ({ context, caller, input }) => ({ result: await requestMessage(context, caller, input) }),
  }),
]
