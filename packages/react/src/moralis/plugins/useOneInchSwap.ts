import { createPluginHook } from './createPluginHook.ts'
import type { OneInchParams } from './OneInchParams.ts'

type Params = Partial<OneInchParams> & { slippage?: number }

/**
 * Swaps at 1inch. The service is gone: it answers with an error that says so, unless the server has `oneInch_swap`.
 *
 * @example
 * const { swap, data, error } = useOneInchSwap({ chain: 'eth', fromAmount: 1, fromToken, toToken })
 */
export const useOneInchSwap = createPluginHook<Params, 'swap'>('oneInch', 'swap', 'swap')
