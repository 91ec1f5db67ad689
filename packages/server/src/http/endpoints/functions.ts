import { issueServerTime, requestMessage } from '../../auth/parseCompat/requestMessage.ts'
import { answerFunction, defineBuiltIn } from '../defineBuiltIn.ts'
import { defineEndpoint, type Endpoint } from '../Endpoint.ts'

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
  defineEndpoint('runFunction', {
    handle: ({ context, caller, input, params }) => answerFunction(context, caller, params._function, input),
  }),
]
