import { addChain } from '../../core/actions/addChain.ts'
import type { Client } from '../../core/Client.ts'

export type NetworkParts = [
  chainId: string | number,
  name: string,
  currencyName: string,
  currencySymbol: string,
  rpcUrl: string,
  blockExplorerUrl?: string,
]

/** Tells the wallet of a chain. */
export async function addNetwork(client: Client, ...network: NetworkParts): Promise<void> {
  const [chainId, name, currencyName, symbol, rpcUrl, explorer] = network
  const nativeCurrency = { name: currencyName, symbol, decimals: 18 }
  const explorers = explorer ? { blockExplorerUrls: [explorer] } : {}
  const chain = { id: Number(chainId), name, nativeCurrency, rpcUrls: [rpcUrl], ...explorers }
  await addChain(client, chain, { throwOnError: true })
}
