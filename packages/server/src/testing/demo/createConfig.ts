import type { ConfigInput } from '../../config/Config.ts'
import type { Node } from './startNode.ts'
import type { World } from './World.ts'

/** The settings of the server: this chain alone, and everything on it kept. */
export function createConfig(node: Node, world: World): ConfigInput {
  return {
    appId: 'demo',
    appName: 'Countersign demo',
    logLevel: 'warn',
    usePublicNodes: false,
    emailCode: { enabled: true },
    chains: [
      {
        id: world.chainId,
        name: 'Demo chain',
        aliases: ['demo', 'eth'],
        rpcUrls: [node.url],
        nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
        headCacheTtl: 500,
        requestsPerSecond: 10_000,
        contracts: {
          multicall: world.multicall,
          ensRegistry: world.names.registry,
          v2: [{ name: 'demoswap-v2', factory: world.exchanges.v2 }],
          v3: [{ name: 'demoswap-v3', factory: world.exchanges.v3 }],
          wrapped: world.wrapped,
          stablecoins: [world.dollar],
        },
        index: { mode: 'all', startBlock: 0, transactions: true, pollInterval: 1_000 },
      },
    ],
  }
}
