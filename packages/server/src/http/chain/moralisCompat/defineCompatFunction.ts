import { refuse } from '@countersign/protocol'
import { chainFields, chainReadFunctions, describeMissing } from '@countersign/protocol/contract'
import type { Chain } from '../../../chain/nodes/Chain.ts'
import { getChains } from '../../../chain/nodes/getChains.ts'
import type { Caller } from '../../../context/Caller.ts'
import type { Context } from '../../../context/Context.ts'
import { safeParse } from '../../../encoding/safeParse.ts'
import type { Endpoint, Sent } from '../../../endpoint/Endpoint.ts'
import { respond } from '../../../endpoint/respond.ts'
import { type BuiltInInput, type BuiltInResult, defineBuiltIn } from '../../../functions/defineBuiltIn.ts'
import { checkChainAccess, payerOf } from '../defineChainRead.ts'

export type CompatRequest = { context: Context; caller: Caller; chain: Chain; sent: Sent }

type Name = keyof typeof chainReadFunctions

/** Input of a function besides the chain. A missing address is the caller's own. */
export type CompatInput<Of extends Name> = Omit<BuiltInInput<Of>, 'chain' | 'address'> &
  ('address' extends keyof BuiltInInput<Of> ? { address: `0x${string}` } : unknown)

type Parts<Of extends Name> = {
  /** Other names under which it is called. */
  spellings?: string[]
  /** Cost in the limit of reads. */
  cost?: number
  /** Additional cost by input. */
  extraCost?(input: CompatInput<Of>): number
  /** True if the response stays valid until the head moves, because it comes from nodes alone. */
  holds?: boolean
  run(request: CompatRequest, input: CompatInput<Of>): Promise<BuiltInResult<Of>>
}

/** Cost of each function in the limit of reads, by path. */
export const costs = new Map<string, number>()

/** A function of the older data API, with its older name, input and output. */
export function defineCompatFunction<Of extends Name>(
  name: Of,
  { spellings, cost, extraCost, holds, run }: Parts<Of>,
): Endpoint {
  costs.set(`/functions/${name}`, cost ?? 1)
  const takesAddress = 'address' in chainReadFunctions[name].input.shape
  return defineBuiltIn(name, {
    name: `web3Api_${name}`,
    ...(spellings && { spellings: [name, ...spellings] }),
    admit: (context, caller) => checkChainAccess(context, caller, cost),
    async handle({ context, caller, input: given, sent }) {
      const { chain: named, ...rest } = given as { chain: string | number; address?: `0x${string}` }
      const input = (takesAddress ? { ...rest, address: rest.address ?? ownAddress(caller) } : rest) as CompatInput<Of>
      // Before the shared part: concurrent callers with the same input are counted each.
      const extra = extraCost?.(input) ?? 0
      if (extra > 0) await checkChainAccess(context, caller, extra)
      const chain = getChains(context)
        .get(named)
        .paidBy(payerOf(context, caller, (cost ?? 1) + extra))
      const request = { context, caller, chain, sent }
      if (!holds) return { result: await run(request, input) }
      const { value } = await chain.remember(`compat ${name} ${JSON.stringify(input)}`, async () => {
        const answer = { result: await run(request, input) }
        const written = JSON.stringify(answer)
        return { value: respond(answer, { text: written }), size: written.length * 3 }
      })
      return value
    },
  })
}

function ownAddress({ session }: Caller): `0x${string}` {
  const own = safeParse(chainFields.address, session?.user.ethAddress)
  if (own.success) return own.data
  throw refuse('invalidInput', { field: 'address', problem: 'is required' }, { sentence: describeMissing('address') })
}
