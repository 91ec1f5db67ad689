import { createAccountHook } from './createAccountHook.ts'

/**
 * The ERC-20 balances of an address: the wallet's, unless one is given.
 *
 * @example
 * const { fetchERC20Balances, data, isLoading } = useERC20Balances({ chain: 'polygon' })
 */
export const useERC20Balances = createAccountHook('getTokenBalances', 'fetchERC20Balances')
