import { ValidationError } from '../errors/ValidationError.ts'
import type { Chain } from './Chain.ts'

/** A chain in the form of EIP-3085, checked first: wallets answer to a bad one with anything. */
export function toChainParameter({ id, name, nativeCurrency, rpcUrls, blockExplorerUrls }: Chain): object {
  if (!Number.isSafeInteger(id) || id < 1) throw new ValidationError('id of a chain can only be a positive number')
  if (!name || !nativeCurrency?.symbol || !Array.isArray(rpcUrls) || rpcUrls.length === 0) {
    throw new ValidationError('A chain needs name, nativeCurrency and rpcUrls')
  }
  return {
    chainId: `0x${id.toString(16)}`,
    chainName: name,
    nativeCurrency,
    rpcUrls,
    ...(blockExplorerUrls && { blockExplorerUrls }),
  }
}
