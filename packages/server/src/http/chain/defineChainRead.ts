import type { EndpointName } from '@countersign/protocol'
import { z } from 'zod'
import type { Chain } from '../../chain/nodes/Chain.ts'
import { getChains } from '../../chain/nodes/getChains.ts'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { defineEndpoint, type Endpoint, type HandlerRequest } from '../Endpoint.ts'
import { checkChainAccess } from './checkChainAccess.ts'
import { readInput } from './readInput.ts'

export type ChainRequest = {
  context: Context
  caller: Caller
  chain: Chain
  /** The endpoint and what it was asked, as a key to remember the answer by. */
  key: string
}

type Parts<Shape extends z.ZodRawShape> = {
  summary: string
  input?: Shape
  /** What it counts for in the limit of reads. */
  cost?: number
  read(request: ChainRequest, input: z.output<z.ZodObject<Shape>>): Promise<object>
}

const chainField = z.string().describe('Name, alias, decimal or hex id of a chain')

/** An endpoint that reads a chain: `:chain` is found, the input is read, the caller may. */
export function defineChainRead<Shape extends z.ZodRawShape>(
  name: EndpointName,
  { summary, input: shape, cost, read }: Parts<Shape>,
): Endpoint {
  const schema = z.object(shape ?? ({} as Shape))
  return defineEndpoint(name, {
    summary,
    textQuery: true,
    describedInput: z.object({ chain: chainField, ...shape }),
    async handle({ context, caller, input: body, params }: HandlerRequest) {
      checkChainAccess(context, caller, cost)
      const chain = getChains(context).get(params.chain ?? '')
      const input = readInput(schema, { ...body, ...params })
      return read({ context, caller, chain, key: `${name} ${JSON.stringify(input)}` }, input)
    },
  })
}
