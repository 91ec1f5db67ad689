import { createPluginHook } from './createPluginHook.ts'

type Params = { coin?: string; receiver?: string }

/**
 * Buys coins for money. The service has ended: fails with an error that says so, unless the server has `fiat_buy`. A
 * window requested by its response is not opened, as with `disableTriggers`.
 *
 * @example
 * const { buy, data, error } = useFiatBuy({ coin: 'ETH', receiver })
 */
export const useFiatBuy = createPluginHook<Params, 'buy'>('fiat', 'buy', 'buy')
