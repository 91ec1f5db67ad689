import { z } from 'zod'
import { issueServerTime } from '../../auth/older/issueServerTime.ts'
import { requestMessage } from '../../auth/older/requestMessage.ts'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { runFunction } from '../../functions/runFunction.ts'
import { defineEndpoint, type Endpoint } from '../Endpoint.ts'
import type { Body } from '../readBody.ts'

async function answerFunction(context: Context, caller: Caller, name: string, params: Body): Promise<object> {
  const result = await runFunction(context, caller, name, params)
  return result === undefined ? {} : { result }
}

/** Functions that the older clients call on their own. A session that has ended must not keep them from starting. */
const builtIn = (name: string, parts: Pick<Endpoint, 'summary' | 'handle' | 'input'>): Endpoint => ({
  name,
  method: 'POST',
  path: `/functions/${name}`,
  session: 'tolerated',
  ...parts,
  // An application may have a function of that name, and then it is that which its clients mean.
  handle: (context, caller, input, params, dispatch) =>
    context.registry.functions.has(name)
      ? answerFunction(context, caller, name, input)
      : parts.handle(context, caller, input, params, dispatch),
})

export const functionEndpoints: Endpoint[] = [
  builtIn('getPluginSpecs', {
    summary: 'The plugins of the older clients: there are none.',
    handle: async () => ({ result: [] }),
  }),
  builtIn('getServerTime', {
    summary: 'The time, with a nonce in it for one sign-in of this installation.',
    handle: async (context, caller) => ({ result: await issueServerTime(context, caller) }),
  }),
  builtIn('requestMessage', {
    summary: 'The message (EIP-4361) that a wallet signs, for the older clients.',
    input: z.object({
      address: z.string(),
      chain: z.union([z.number(), z.string()]).optional().describe('The chain id of an EVM chain'),
      network: z.string().optional().describe('The Solana network'),
      networkType: z.enum(['evm', 'solana']).optional(),
      purpose: z.enum(['signIn', 'link']).optional(),
    }),
    handle: async (context, caller, input) => ({ result: await requestMessage(context, caller, input) }),
  }),
  defineEndpoint('runFunction', {
    summary: 'Run a function of the application.',
    input: z.looseObject({}).describe('What the function takes'),
    handle: (context, caller, input, { _function = '' }) => answerFunction(context, caller, _function, input),
  }),
]
