import { useMoralis } from '../hooks/useMoralis.ts'
import type { UseResolveCallOptions } from '../hooks/useResolveCall.ts'
import type { OneInchParams } from './OneInchParams.ts'
import { usePluginCall } from './usePluginCall.ts'

/**
 * What a swap at 1inch would give. The service is gone: it answers with an error that says so, unless the server has
 * `oneInch_quote`.
 *
 * @example
 * const { getQuote, data, error } = useOneInchQuote({ chain: 'eth', fromAmount: 1, fromToken, toToken })
 */
export function useOneInchQuote(params: Partial<OneInchParams>, options?: UseResolveCallOptions) {
  const { Moralis } = useMoralis()
  const { chain = 'eth', fromAmount = 0, fromToken, toToken } = params
  const asked = {
    chain,
    fromTokenAddress: fromToken?.address,
    toTokenAddress: toToken?.address,
    amount: Moralis.Units.Token(fromAmount, fromToken?.decimals),
  }
  const { fetch, data, isFetching, isLoading, error } = usePluginCall(
    { plugin: 'oneInch', name: 'quote', params: asked },
    options,
  )
  return { getQuote: fetch, data, isFetching, isLoading, error }
}
