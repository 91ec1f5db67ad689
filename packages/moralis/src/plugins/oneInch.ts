import { createPluginHook } from './createPluginHook.ts'

type Token = { address: string; decimals: number }

type SwapParams = {
  chain?: string
  fromAmount: string | number
  fromToken: Token
  toToken: Token
}

/**
 * Quote of a swap at 1inch. The service has ended: fails with an error that says so, unless the server has
 * `oneInch_quote`.
 *
 * @example
 * const { getQuote, data, error } = useOneInchQuote({ chain: 'eth', fromAmount: 1, fromToken, toToken })
 */
export const useOneInchQuote = createPluginHook<Partial<SwapParams>, 'getQuote'>('oneInch', 'quote', 'getQuote')

/**
 * Swaps at 1inch. The service has ended: fails with an error that says so, unless the server has `oneInch_swap`.
 *
 * @example
 * const { swap, data, error } = useOneInchSwap({ chain: 'eth', fromAmount: 1, fromToken, toToken })
 */
export const useOneInchSwap = createPluginHook<Partial<SwapParams> & { slippage?: number }, 'swap'>(
  'oneInch',
  'swap',
  'swap',
)

/**
 * The tokens that 1inch swaps. The service has ended: fails with an error that says so, unless the server has
 * `oneInch_getSupportedTokens`.
 *
 * @example
 * const { getSupportedTokens, data, error } = useOneInchTokens({ chain: 'eth' })
 */
export const useOneInchTokens = createPluginHook<{ chain?: string }, 'getSupportedTokens'>(
  'oneInch',
  'getSupportedTokens',
  'getSupportedTokens',
  { autoFetch: true, initialData: [] },
)
