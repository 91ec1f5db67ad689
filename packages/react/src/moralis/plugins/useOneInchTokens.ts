import type { UseResolveCallOptions } from '../hooks/useResolveCall.ts'
import { usePluginCall } from './usePluginCall.ts'

/**
 * The tokens that 1inch swaps. The service is gone: it answers with an error that says so, unless the server has
 * `oneInch_getSupportedTokens`.
 *
 * @example
 * const { getSupportedTokens, data, error } = useOneInchTokens({ chain: 'eth' })
 */
export function useOneInchTokens({ chain = 'eth' }: { chain?: string } = {}, options?: UseResolveCallOptions) {
  const { fetch, data, isFetching, isLoading, error } = usePluginCall(
    { plugin: 'oneInch', name: 'getSupportedTokens', params: { chain }, initialData: [], autoFetch: true },
    options,
  )
  return { getSupportedTokens: fetch, data, isFetching, isLoading, error }
}
