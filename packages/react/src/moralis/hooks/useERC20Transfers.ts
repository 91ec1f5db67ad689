import { createAccountHook } from './createAccountHook.ts'

/**
 * The ERC-20 transfers of an address: the wallet's, unless one is given.
 *
 * @example
 * const { fetchERC20Transfers, data, isLoading } = useERC20Transfers({ chain: 'polygon' })
 */
export const useERC20Transfers = createAccountHook('getTokenTransfers', 'fetchERC20Transfers')
