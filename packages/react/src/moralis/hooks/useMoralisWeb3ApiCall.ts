import { useMoralis } from './useMoralis.ts'
import { type ResolveCall, type UseResolveCallOptions, useResolveCall } from './useResolveCall.ts'

/**
 * A call of `useMoralisWeb3Api` with its state.
 *
 * @example
 * const { account } = useMoralisWeb3Api()
 * const { fetch, data, error } = useMoralisWeb3ApiCall(account.getNFTs, { chain: 'eth' })
 */
export function useMoralisWeb3ApiCall<Params extends object, Result>(
  call: (params: Params) => Promise<Result>,
  params?: Params,
  { autoFetch = false }: UseResolveCallOptions = {},
): ResolveCall<Result | null, Params> {
  const { isInitialized } = useMoralis()
  return useResolveCall<Result | null, Params>({ call, initialData: null, params, autoFetch, isReady: isInitialized })
}
