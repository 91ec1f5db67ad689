import { ValidationError } from '../../errors/ValidationError.ts'
import type { Chain } from '../Chain.ts'
import type { Connector, WalletLink } from '../Connector.ts'
import { createRpcProvider } from '../createRpcProvider.ts'
import { watchEip1193 } from '../watchEip1193.ts'

export type NetworkOptions = {
  readonly chains: readonly Pick<Chain, 'id' | 'rpcUrls'>[]
  /** The chain that it begins with; the first by default. */
  readonly chainId?: number
  readonly name?: string
}

/**
 * Reads chains by JSON-RPC and has no account. Nothing is sent before it is connected and asked.
 *
 * @example
 * const network = createNetworkConnector({ chains: [{ id: 1, rpcUrls: ['https://rpc.example.org'] }] })
 * await connectWallet(client, { connector: network })
 */
export function createNetworkConnector({ chains, chainId, name = 'Read only' }: NetworkOptions): Connector {
  async function open(wanted: number | undefined): Promise<WalletLink> {
    const first = wanted ?? chainId ?? chains[0]?.id
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
  return {
    id: 'network',
    kind: 'network',
    namespace: 'eip155',
    name,
    connect: (options) => open(options.chainId),
    reconnect: () => open(undefined),
  }
}
