import { useMoralisWeb3ApiCall } from './useMoralisWeb3ApiCall.ts'
import type { ResolveCall, UseResolveCallOptions } from './useResolveCall.ts'

/**
 * A call of `useMoralisSolanaApi` with its state.
 *
 * @example
 * const { account } = useMoralisSolanaApi()
 * const { fetch, data } = useMoralisSolanaCall(account.balance, { network: 'mainnet', address })
 */
export function useMoralisSolanaCall<Params extends object, Result>(
  call: (params: Params) => Promise<Result>,
  params?: Params,
  options: UseResolveCallOptions = {},
): ResolveCall<Result | null, Params> {
  return useMoralisWeb3ApiCall(call, params, options)
}
