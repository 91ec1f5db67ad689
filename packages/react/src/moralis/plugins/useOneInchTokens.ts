import { createPluginHook } from './createPluginHook.ts'

/**
 * The tokens that 1inch swaps. The service is gone: it answers with an error that says so, unless the server has
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
