import type { UseResolveCallOptions } from '../hooks/useResolveCall.ts'
import { usePluginCall } from './usePluginCall.ts'

type Params = { coin?: string; receiver?: string }

/**
 * Buys coins for money. The service is gone: it answers with an error that says so, unless the server has `fiat_buy`.
 * A window that its answer wants to open is not opened, as with `disableTriggers`.
 *
 * @example
 * const { buy, data, error } = useFiatBuy({ coin: 'ETH', receiver })
 */
export function useFiatBuy(params: Params = {}, options: UseResolveCallOptions & { disableTriggers?: boolean } = {}) {
  const { coin, receiver } = params
  const { fetch, data, isFetching, isLoading, error } = usePluginCall(
    { plugin: 'fiat', name: 'buy', params: { coin, receiver } },
    options,
  )
  return { buy: fetch, data, isFetching, isLoading, error }
}
