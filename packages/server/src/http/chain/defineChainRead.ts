import type { EndpointName } from '@countersign/protocol'
import type { Contract } from '@countersign/protocol/contract'
import type { Chain } from '../../chain/nodes/Chain.ts'
import { getChains } from '../../chain/nodes/getChains.ts'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import {
  defineEndpoint,
  type Endpoint,
  type HandlerRequest,
  type InputOf,
  type OutputOf,
  type ParamsOf,
  type Responded,
} from '../Endpoint.ts'
import { checkChainAccess } from './checkChainAccess.ts'

export type ChainRequest = {
  context: Context
  caller: Caller
  chain: Chain
  /** The endpoint and what it was asked, as a key to remember the answer by. */
  key: string
}

type OfChain = { [Name in keyof Contract]: 'chain' extends keyof ParamsOf<Name> ? Name : never }[keyof Contract]

type Parts<Name extends EndpointName> = {
  /** What it counts for in the limit of reads. */
  cost?: number
  read(
    request: ChainRequest,
    input: InputOf<Name> & Omit<ParamsOf<Name>, 'chain'>,
  ): Promise<OutputOf<Name> | Responded<OutputOf<Name>>>
}

/** An endpoint that reads a chain: `:chain` is found, and the caller may. */
export function defineChainRead<Name extends OfChain & EndpointName>(
  name: Name,
  { cost, read }: Parts<Name>,
): Endpoint {
  const handle = async ({ context, caller, input: given, params }: HandlerRequest) => {
    const { chain: named = '', ...place } = params
    const chain = getChains(context).get(named)
    const input = { ...given, ...place }
    const key = `${name} ${JSON.stringify(input)}`
    return read({ context, caller, chain, key }, input as unknown as Parameters<typeof read>[1])
  }
  // What the gate has parsed is what the contract says.
  return defineEndpoint<EndpointName>(name, {
    admit: (context, caller) => checkChainAccess(context, caller, cost),
    handle: handle as never,
  })
}
