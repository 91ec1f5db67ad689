import { CountersignError, type EndpointName } from '@countersign/protocol'
import type { Contract } from '@countersign/protocol/contract'
import type { Chain, Payer } from '../../chain/nodes/Chain.ts'
import { getChains } from '../../chain/nodes/getChains.ts'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { defineEndpoint, type InputOf, type OutputOf, type ParamsOf } from '../../endpoint/defineEndpoint.ts'
import type { Endpoint, HandlerRequest } from '../../endpoint/Endpoint.ts'
import type { Responded } from '../../endpoint/respond.ts'
import { networkOf } from '../../network/clientAddress.ts'
import { requireSession } from '../../users/sessions/sessions.ts'
import { rateKeyOf } from '../../users/tokens/holdCredential.ts'
import { createRateLimiter, type RateLimiter } from '../request/createRateLimiter.ts'

export type ChainRequest = {
  context: Context
  caller: Caller
  chain: Chain
  /** Cache key of the response: endpoint and input. */
  key: string
}

type OfChain = { [Name in keyof Contract]: 'chain' extends keyof ParamsOf<Name> ? Name : never }[keyof Contract]

type Parts<Name extends EndpointName> = {
  /** Minimum cost in the limit of reads: each further node call counts one more. */
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
    const chain = getChains(context)
      .get(named)
      .paidBy(payerOf(context, caller, cost))
    const input = { ...given, ...place }
    const key = `${name} ${JSON.stringify(input)}`
    return read({ context, caller, chain, key }, input as unknown as Parameters<typeof read>[1])
  }
  // The parsed input has the contract's type.
  return defineEndpoint<EndpointName>(name, {
    admit: (context, caller) => checkChainAccess(context, caller, cost),
    handle: handle as never,
  })
}

declare module '../../context/Context.ts' {
  interface Services {
    chainRateLimiter?: RateLimiter
  }
}

/** Checks that the caller may read chains, and is within this minute's limit. */
export async function checkChainAccess(context: Context, caller: Caller, cost = 1): Promise<void> {
  if (caller.isMaster && !caller.token) return
  const { access } = context.config.chainApi
  if (access === 'master' && !caller.isMaster)
    throw new CountersignError('OperationForbidden', 'This server requires the master key to read chain data.')
  if (access === 'signedIn' && !caller.token) requireSession(caller)
  if (caller.isCode) return
  const limiter = limiterOf(context)
  const request = {
    ...{ method: 'GET', path: '/chain', address: caller.ipAddress, isForwarded: caller.isForwarded ?? false },
    token: caller.token && rateKeyOf(caller.token),
  }
  await limiter.count(request, cost)
}

/** Counts node requests for a caller, beyond the cost of the request itself. */
export function payerOf(context: Context, caller: Caller, counted = 1): Payer {
  let left = counted
  return {
    key: keyOf(caller),
    async charge(calls) {
      const beyond = Math.max(0, calls - left)
      left = Math.max(0, left - calls)
      if (beyond > 0) await checkChainAccess(context, caller, beyond)
    },
  }
}

function keyOf(caller: Caller): string {
  if (caller.token) return rateKeyOf(caller.token)
  return caller.isMaster || caller.isCode ? 'application' : networkOf(caller.ipAddress)
}

/** One count for the endpoints and the functions: a caller refused by one must not go on by the other. */
function limiterOf(context: Context): RateLimiter {
  const known = context.services.chainRateLimiter
  if (known) return known
  const { requestsPerMinute } = context.config.chainApi
  const rule = {
    requestPath: '/chain',
    requestTimeWindow: 60_000,
    requestCount: requestsPerMinute,
    errorResponseMessage: 'Too many chain requests. Try again in a minute.',
    includeInternalRequests: false,
  }
  const rules = requestsPerMinute > 0 ? [rule] : []
  const made = createRateLimiter(() => rules, context.limits, 'chain')
  context.services.chainRateLimiter = made
  return made
}
