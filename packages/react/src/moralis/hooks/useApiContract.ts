import type { Attributes, Loose } from '../Loose.ts'
import { useMoralis } from './useMoralis.ts'
import { type UseResolveCallOptions, useResolveCall } from './useResolveCall.ts'

type ContractParams = { functionName: string; address?: string; abi: Loose; chain?: string; params?: Loose }

/**
 * Reads from a contract by the server, without a wallet.
 *
 * @example
 * const { runContractFunction, data } = useApiContract({ address, abi, functionName: 'totalSupply', chain: 'eth' })
 */
export function useApiContract(
  { functionName, address, abi, chain, params }: ContractParams,
  { autoFetch = false }: UseResolveCallOptions = {},
) {
  const { Moralis, isInitialized, account, chainId } = useMoralis()
  const { fetch, data, error, isLoading, isFetching } = useResolveCall<Loose, Attributes>({
    call: (input) => Moralis.Web3API.native.runContractFunction(input),
    initialData: null,
    params: {
      abi,
      params,
      function_name: functionName,
      address: address ?? account ?? '',
      chain: chain ?? chainId ?? 'eth',
    },
    autoFetch,
    isReady: isInitialized,
  })
  return { runContractFunction: fetch, data, error, isLoading, isFetching }
}
