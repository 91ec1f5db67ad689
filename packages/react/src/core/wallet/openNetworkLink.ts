import { ValidationError } from '../errors/ValidationError.ts'
import type { Chain } from './Chain.ts'
import type { WalletLink } from './Connector.ts'
import { createRpcProvider } from './createRpcProvider.ts'
import { watchEip1193 } from './watchEip1193.ts'

/** A connection that reads chains by their nodes and has no account. */
export function openNetworkLink(
  chains: readonly Pick<Chain, 'id' | 'rpcUrls'>[],
  first: number | undefined = chains[0]?.id,
): WalletLink {
  if (first === undefined || !chains.some(({ id }) => id === first)) {
    throw new ValidationError(`The connector network has no node for the chain ${first}.`)
  }
  const provider = createRpcProvider(chains, first)
  return {
    accounts: [],
    chainId: first,
    provider,
    watch: (listener) => watchEip1193(provider, listener),
    disconnect: async () => undefined,
  }
}
