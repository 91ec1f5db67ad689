import { useMoralis } from '../hooks/useMoralis.ts'
import type { UseResolveCallOptions } from '../hooks/useResolveCall.ts'
import type { OneInchParams } from './OneInchParams.ts'
import { usePluginCall } from './usePluginCall.ts'

/**
 * Swaps at 1inch. The service is gone: it answers with an error that says so, unless the server has `oneInch_swap`.
 *
 * @example
 * const { swap, data, error } = useOneInchSwap({ chain: 'eth', fromAmount: 1, fromToken, toToken })
 */
export function useOneInchSwap(
  params: Partial<OneInchParams> & { slippage?: number },
  options?: UseResolveCallOptions,
) {
  const { account } = useMoralis()
  const { chain = 'eth', fromAmount, fromToken, toToken, slippage = 1 } = params
  const asked = {
    chain,
    fromTokenAddress: fromToken?.address,
    toTokenAddress: toToken?.address,
    amount: fromAmount,
    fromAddress: account,
    slippage,
  }
  const validate = () => (account ? undefined : 'No web3 account found, run enableWeb3() first')
  const { fetch, data, isFetching, isLoading, error } = usePluginCall(
    { plugin: 'oneInch', name: 'swap', params: asked, validate },
    options,
  )
  return { swap: fetch, data, isFetching, isLoading, error }
}
