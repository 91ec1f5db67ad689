import type { Attributes, Loose } from '../Loose.ts'
import { useMoralis } from './useMoralis.ts'
import { type ResolveCall, type UseResolveCallOptions, useResolveCall } from './useResolveCall.ts'

/**
 * Runs a function of the server, automatically unless `autoFetch` is false, and again when its input changes.
 *
 * @example
 * const { data, error, isLoading } = useMoralisCloudFunction('topScores', { limit: 10 })
 */
export function useMoralisCloudFunction(
  name: string,
  params?: Attributes,
  { autoFetch = true }: UseResolveCallOptions = {},
): ResolveCall<Loose, Attributes> {
  const { Moralis, isInitialized } = useMoralis()
  return useResolveCall<Loose, Attributes>({
    call: (input) => Moralis.Cloud.run(name, input),
    initialData: null,
    params,
    autoFetch,
    isReady: isInitialized,
    key: name,
  })
}
