import type { Chain, Connector, WalletConnection } from '../../state/Connector.ts'
import { loadWalletLinks } from './loadWalletLinks.ts'

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
  async function open(wanted: number | undefined): Promise<WalletConnection> {
    const { openNetworkLink } = await loadWalletLinks()
    return openNetworkLink(chains, wanted ?? chainId)
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
