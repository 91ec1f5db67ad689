import { contract } from '@countersign/protocol/contract'
import { z } from 'zod'
import { issueServerTime } from '../../auth/older/issueServerTime.ts'
import { requestMessage } from '../../auth/older/requestMessage.ts'
import { answerFunction } from '../answerFunction.ts'
import { defineBuiltIn } from '../defineBuiltIn.ts'
import { defineEndpoint, type Endpoint } from '../Endpoint.ts'

const { address, chainId, purpose } = contract.createChallenge.input.shape
const messageRequest = z.object({
  address: address.unwrap().unwrap(),
  chain: chainId.describe('The chain id of an EVM chain'),
  network: z.string().max(60).nullish().describe('The Solana network'),
  networkType: z.enum(['evm', 'solana']).optional(),
  purpose,
})

export const functionEndpoints: Endpoint[] = [
  defineBuiltIn('getPluginSpecs', {
    summary: 'The plugins of the older clients: there are none.',
    handle: async () => ({ result: [] }),
  }),
  defineBuiltIn('getServerTime', {
    summary: 'The time, with a nonce in it for one sign-in of this installation.',
    handle: async ({ context, caller }) => ({ result: await issueServerTime(context, caller) }),
  }),
  defineBuiltIn('requestMessage', {
    summary: 'The message (EIP-4361) that a wallet signs, for the older clients.',
    input: messageRequest,
    handle: async ({ context, caller, input }) => ({
      result: await requestMessage(context, caller, input as z.output<typeof messageRequest>),
    }),
  }),
  defineEndpoint('runFunction', {
    handle: ({ context, caller, input, params }) => answerFunction(context, caller, params._function, input),
  }),
]
