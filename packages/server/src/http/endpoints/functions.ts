import { CountersignError } from '@countersign/protocol'
import { z } from 'zod'
import { issueServerTime } from '../../auth/older/issueServerTime.ts'
import { requestMessage } from '../../auth/older/requestMessage.ts'
import type { Endpoint } from '../Endpoint.ts'

/** Functions that the older clients call on their own. A session that has ended must not keep them from starting. */
const builtIn = (name: string, parts: Pick<Endpoint, 'summary' | 'handle' | 'input'>): Endpoint => ({
  name,
  method: 'POST',
  path: `/functions/${name}`,
  session: 'tolerated',
  ...parts,
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
  {
    name: 'runFunction',
    method: 'POST',
    path: '/functions/:functionName',
    summary: 'Run a function of the application.',
    async handle(_context, _caller, _input, { functionName = '' }) {
      throw new CountersignError('ScriptFailed', `Invalid function: "${functionName.slice(0, 200)}"`)
    },
  },
]
