import { CountersignError } from '@countersign/protocol'
import type { Context } from '../../context/Context.ts'
import { createSolanaNetwork, noNode } from './createSolanaNetwork.ts'
import type { SolanaNetwork, SolanaNetworkName } from './Solana.ts'

/** Nodes of the foundation that anyone may ask, a little. */
const publicNodes: Record<SolanaNetworkName, string> = {
  mainnet: 'https://api.mainnet-beta.solana.com',
  devnet: 'https://api.devnet.solana.com',
}
const aliases: Record<string, SolanaNetworkName> = { mainnet: 'mainnet', 'mainnet-beta': 'mainnet', devnet: 'devnet' }

const known = new WeakMap<Context, Map<SolanaNetworkName, SolanaNetwork>>()

/** A network of Solana by its name. One of each a server, so that all who ask share its limits. */
export function getSolana(context: Context, network: unknown): SolanaNetwork {
  const name = typeof network === 'string' && Object.hasOwn(aliases, network) ? aliases[network] : undefined
  if (!name) throw new CountersignError('InvalidValue', 'network must be mainnet or devnet.')
  const networks = known.get(context) ?? new Map<SolanaNetworkName, SolanaNetwork>()
  known.set(context, networks)
  const found = networks.get(name)
  if (found) return found
  const settings = context.config.solana[name]
  const urls = settings.rpcUrls.length > 0 || !context.config.publicNodes ? settings.rpcUrls : [publicNodes[name]]
  if (urls.length === 0) throw noNode(name)
  const made = createSolanaNetwork({ name, settings, urls, log: context.log })
  networks.set(name, made)
  return made
}
