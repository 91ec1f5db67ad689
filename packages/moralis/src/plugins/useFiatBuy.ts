import { createPluginHook } from './createPluginHook.ts'

type Params = { coin?: string; receiver?: string }

/**
 * Buys coins for money. The service is gone: it answers with an error that says so, unless the server has `fiat_buy`.
 * A window that its answer wants to open is not opened, as with `disableTriggers`.
 *
 * @example
 * const { buy, data, error } = useFiatBuy({ coin: 'ETH', receiver })
 */
export const useFiatBuy = createPluginHook<Params, 'buy'>('fiat', 'buy', 'buy')
