import type { Loose } from '../Loose.ts'
import type { Web3TransferInput } from '../web3/transfer.ts'
import { useMoralis } from './useMoralis.ts'
import { type ResolveCall, type UseResolveCallOptions, useResolveCall } from './useResolveCall.ts'

/**
 * Sends coins or tokens, when `fetch` is called.
 *
 * @example
 * const { fetch, isFetching } = useWeb3Transfer({ type: 'native', receiver, amount: Moralis.Units.ETH(0.1) })
 */
export function useWeb3Transfer(
  params?: Web3TransferInput,
  { autoFetch = false }: UseResolveCallOptions = {},
): ResolveCall<Loose, Web3TransferInput> {
  const { Moralis, isWeb3Enabled } = useMoralis()
  return useResolveCall<Loose, Web3TransferInput>({
    call: Moralis.transfer,
    initialData: null,
    params,
    autoFetch,
    isReady: isWeb3Enabled,
  })
}
