import { createPluginHook } from './createPluginHook.ts'
import type { OneInchParams } from './OneInchParams.ts'

/**
 * What a swap at 1inch would give. The service is gone: it answers with an error that says so, unless the server has
 * `oneInch_quote`.
 *
 * @example
 * const { getQuote, data, error } = useOneInchQuote({ chain: 'eth', fromAmount: 1, fromToken, toToken })
 */
export const useOneInchQuote = createPluginHook<Partial<OneInchParams>, 'getQuote'>('oneInch', 'quote', 'getQuote')
