import { z } from 'zod'
import type { Chain } from '../../../chain/nodes/Chain.ts'
import { getChains } from '../../../chain/nodes/getChains.ts'
import type { Caller } from '../../../context/Caller.ts'
import type { Context } from '../../../context/Context.ts'
import { defineBuiltIn } from '../../defineBuiltIn.ts'
import { type Endpoint, respond, type Sent } from '../../Endpoint.ts'
import type { Body } from '../../readBody.ts'
import { checkChainAccess } from '../checkChainAccess.ts'
import { readInput } from '../readInput.ts'

export type OlderRequest = { context: Context; caller: Caller; chain: Chain; sent: Sent | undefined }

type Parts<Shape extends z.ZodRawShape> = {
  summary: string
  input?: Shape
  spellings?: string[]
  /** What it counts for in the limit of reads. */
  cost?: number
  /** What it counts for besides, by what is asked. */
  extraCost?(input: z.output<z.ZodObject<Shape>>): number
  /** Whether the answer holds until the head moves, being from the nodes alone. */
  holds?: boolean
  run(request: OlderRequest, input: z.output<z.ZodObject<Shape>>): Promise<unknown>
}

/** Parameters that travelled in the body of a request; all others were part of its address. */
const bodyNames = new Set(['abi', 'params', 'tokens', 'contracts', 'data', 'addresses', 'symbols', 'wallet_addresses'])
const describeMissing = (name: string) =>
  bodyNames.has(name) ? `param ${name} is required!` : `required param ${name} not provided`

const chainInput = z.object({
  chain: z.union([z.string(), z.number()]).default('eth').describe('Name, alias, decimal or hex id of a chain'),
})

/** What each function counts for in the limit of reads, by its path. */
export const costs = new Map<string, number>()

/** A function of the older data API, by its older name: reads what it took and answers what it answered. */
export function defineOlder<Shape extends z.ZodRawShape>(
  name: string,
  { summary, spellings, input: shape, cost, extraCost, holds, run }: Parts<Shape>,
): Endpoint {
  const schema = z.object(shape ?? ({} as Shape))
  costs.set(`/functions/${name}`, cost ?? 1)
  return defineBuiltIn(name, {
    name: `web3Api_${name}`,
    summary,
    ...(spellings && { spellings: [name, ...spellings] }),
    describedInput: chainInput.extend(shape ?? {}),
    async handle({ context, caller, input: body, sent }) {
      checkChainAccess(context, caller, cost)
      const chain = getChains(context).get(readInput(chainInput, body).chain)
      const input = readInput(schema, withAddress(body, caller), describeMissing)
      // Before what is shared: those who ask the same at the same time are counted each.
      const extra = extraCost?.(input) ?? 0
      if (extra > 0) checkChainAccess(context, caller, extra)
      const request = { context, caller, chain, sent }
      if (!holds) return { result: await run(request, input) }
      const { value } = await chain.remember(`older ${name} ${JSON.stringify(input)}`, async () => {
        const answer = { result: await run(request, input) }
        const written = JSON.stringify(answer)
        return { value: respond(answer, { text: written }), size: written.length * 3 }
      })
      return value
    },
  })
}

/** The client adds it by itself; others who call the function may leave it out too. */
function withAddress(body: Body, caller: Caller): Body {
  const own = caller.session?.user.ethAddress
  return body.address || typeof own !== 'string' ? body : { ...body, address: own }
}
