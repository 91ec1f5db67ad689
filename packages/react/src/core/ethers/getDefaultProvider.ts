import type { Chain } from '../wallet/Chain.ts'
import type { Eip1193Provider } from '../wallet/Eip1193Provider.ts'
import { createNodeProvider } from './createNodeProvider.ts'
import { createSocketProvider } from './createSocketProvider.ts'
import { HelperError } from './HelperError.ts'
import { networks } from './networks.ts'
import { show } from './show.ts'

/** The address of a node, the name of a chain, its number, or both. */
export type Network = string | number | { readonly chainId: number; readonly name?: string }

export type DefaultProviderOptions = {
  /** The nodes to choose from: those that the application configured, and no others. */
  readonly chains?: readonly (Pick<Chain, 'id' | 'rpcUrls'> & Partial<Chain>)[]
}

/**
 * A provider that reads a chain, by the name of the network (`homestead` when none is given), by its number, or by the
 * address of a node.
 *
 * @example
 * const provider = getDefaultProvider('homestead', { chains: [{ id: 1, rpcUrls: ['https://rpc.example.org'] }] })
 * const block = await provider.request({ method: 'eth_blockNumber' })
 */
export function getDefaultProvider(
  network: Network = 'homestead',
  { chains = [] }: DefaultProviderOptions = {},
): Eip1193Provider {
  const scheme = typeof network === 'string' ? network.match(/^([a-z][a-z0-9+.-]*):/i)?.[1] : undefined
  if (typeof network === 'string' && scheme) return openNode(network, scheme)
  const wanted = findChainId(network, chains)
  const url = chains.find(({ id }) => id === wanted)?.rpcUrls[0]
  if (!url) {
    const name = typeof network === 'object' ? `the chain ${network?.chainId}` : show(network)
    const mend = wanted ? 'Give one in chains, or its address.' : `Known are ${Object.keys(networks).join(', ')}.`
    throw new HelperError('unsupported getDefaultProvider network', 'NETWORK_ERROR', `No node for ${name}. ${mend}`)
  }
  return openNode(url, url.slice(0, url.indexOf(':')))
}

function openNode(url: string, scheme: string): Eip1193Provider {
  const kind = scheme.toLowerCase()
  if (kind === 'ws' || kind === 'wss') return createSocketProvider(url)
  if (kind === 'http' || kind === 'https') return createNodeProvider(url)
  const mend = `${show(url)} begins with neither http, https, ws nor wss.`
  throw new HelperError('unsupported URL scheme', 'INVALID_ARGUMENT', mend)
}

function findChainId(network: Network, chains: NonNullable<DefaultProviderOptions['chains']>): number | undefined {
  if (typeof network === 'number') return network
  if (typeof network === 'string') {
    if (Object.hasOwn(networks, network)) return networks[network]
    return chains.find(({ name }) => name?.toLowerCase() === network.toLowerCase())?.id
  }
  const { name = '', chainId } = Object(network)
  if (Object.hasOwn(networks, name) && networks[name] !== chainId) {
    const mend = `${name} is the chain ${networks[name]} and not ${chainId}.`
    throw new HelperError('network chainId mismatch', 'INVALID_ARGUMENT', mend)
  }
  return chainId
}
