import { addChain, type Chain, type Client, ProviderError, switchChain } from '@countersign/react/core'
import { ReactMoralisError } from '../errors.ts'
import { getChain } from './chains.ts'

/** Asks the wallet to change to a chain, and adds the chain first if the wallet lacks it (4902). */
export async function switchNetwork(client: Client, given: string | number): Promise<void> {
  const chainId = Number(given)
  const state = client.internal.wallet.get()
  if (state.status === 'connected' && state.chainId === chainId) return
  try {
    await switchChain(client, { chainId })
  } catch (error) {
    if (!isUnknownChain(error)) throw error
    const chain = findWalletChain(`0x${chainId.toString(16)}`)
    if (!chain) throw new ReactMoralisError(`Chain ${given} not supported or is not specified`, -1, { cause: error })
    await addChain(client, chain)
    await switchChain(client, { chainId })
  }
}

/** Some wallets put 4902 inside the data of another error. */
function isUnknownChain(error: unknown): boolean {
  const { cause } = Object(error)
  if (!(cause instanceof ProviderError)) return false
  return cause.code === 4902 || Object(Object(cause.data).originalError).code === 4902
}

export type NetworkParts = [
  chainId: string | number,
  name: string,
  currencyName: string,
  currencySymbol: string,
  rpcUrl: string,
  blockExplorerUrl?: string,
]

/** Adds a chain to the wallet. */
export async function addNetwork(client: Client, ...network: NetworkParts): Promise<void> {
  const [chainId, name, currencyName, symbol, rpcUrl, explorer] = network
  const nativeCurrency = { name: currencyName, symbol, decimals: 18 }
  const explorers = explorer ? { blockExplorerUrls: [explorer] } : {}
  const chain = { id: Number(chainId), name, nativeCurrency, rpcUrls: [rpcUrl], ...explorers }
  await addChain(client, chain)
}

/** The chain in the form that `addChain` takes; none where it no longer has a node. */
function findWalletChain(chainId: string): Chain | undefined {
  const { networkId, name, nativeCurrency, rpc, blockExplorerUrl } = getChain(chainId) ?? {}
  if (!networkId || !name || !nativeCurrency || !rpc?.length) return undefined
  const explorer = blockExplorerUrl ? { blockExplorerUrls: [blockExplorerUrl] } : {}
  return { id: networkId, name, nativeCurrency, rpcUrls: rpc, ...explorer }
}
