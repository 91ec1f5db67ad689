import { createWalletClient, custom, defineChain, publicActions } from 'viem'
import type { Chain } from './Chain.ts'
import { deployer } from './deployer.ts'

/** A client that acts as the deployer, past the faults. The chain counts the nonces, so that it may be used in parallel. */
export const createDeployerClient = ({ chainId, url, request }: Chain) =>
  createWalletClient({
    account: deployer.address,
    chain: defineChain({
      id: chainId,
      name: `Test chain ${chainId}`,
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      rpcUrls: { default: { http: [url] } },
    }),
    transport: custom(
      { request: ({ method, params }: { method: string; params?: unknown[] }) => request(method, params) },
      { retryCount: 0 },
    ),
  }).extend(publicActions)
