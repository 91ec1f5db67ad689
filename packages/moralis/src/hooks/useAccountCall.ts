import type { Attributes, Loose } from '../Loose.ts'
import type { ApiCall } from '../web3/createApis.ts'
import { useMoralis } from './useMoralis.ts'
import { type ResolveCall, type UseResolveCallOptions, useResolveCall } from './useResolveCall.ts'

export type AccountParams = Attributes & { address?: string; chain?: string }

/** A Web3API call about an address: the given one or the wallet's, on its chain by default. */
export function useAccountCall<Result = Loose>(
  call: ApiCall,
  params: AccountParams = {},
  { autoFetch }: UseResolveCallOptions = {},
): ResolveCall<Result | null, AccountParams> & { chainId: string } {
  const { isInitialized, account, chainId } = useMoralis()
  const address = params.address ?? account ?? ''
  const chain = params.chain ?? chainId ?? 'eth'
  const answer = useResolveCall<Result | null, AccountParams>({
    call,
    initialData: null,
    params: { ...params, address, chain },
    autoFetch: autoFetch ?? address !== '',
    isReady: isInitialized,
  })
  return { ...answer, chainId: chain }
}
