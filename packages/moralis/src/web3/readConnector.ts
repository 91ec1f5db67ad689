import { type Client, type Connector, createEip1193Connector, ValidationError } from '@countersign/react/core'
import type { Loose } from '../Loose.ts'

export type EnableOptions = {
  /** `metamask` (default), `walletconnect`, `wc`, `network`, `magicLink`, `web3Auth`, `phantom`, or a connector's id. */
  provider?: string
  /** A connector of this package, or a class with `activate()` as the older SDK took it. */
  connector?: Loose
  /** The chain that the wallet is asked to be on; a hint. */
  chainId?: number | string
  anyNetwork?: boolean
  [option: string]: Loose
}

export type AuthenticateOptions = EnableOptions & { type?: string; signingMessage?: string }

const aliases: Record<string, string> = { metamask: 'injected', walletConnect: 'walletconnect' }
const kinds = new Set(['injected', 'walletconnect', 'wc', 'network', 'magicLink', 'web3Auth', 'phantom', 'demo'])

/** The wallet that the older options mean. */
export function readConnector(
  client: Client,
  { provider, connector, type, ...options }: AuthenticateOptions,
): Connector | string {
  if (typeof connector === 'function') return adoptConnector(new connector(options), options)
  if (connector) return connector
  if (type === 'sol') return 'phantom'
  if (type && /^(dot|polkadot|kusama|erd|elrond)$/.test(type)) {
    throw new ValidationError(
      `Signing in with ${type} is not supported.`,
      'The server can’t verify signatures of such wallets. Use an EVM or Solana wallet.',
    )
  }
  const name = aliases[provider ?? 'metamask'] ?? provider ?? ''
  // The name that a wallet announces has a dot, and may be on its way yet.
  if (kinds.has(name) || name.includes('.') || client.connectors.get().some(({ id }) => id === name)) return name
  return 'injected'
}

/** A connector class of the older SDK as one of this package. */
function adoptConnector(instance: Loose, options: object): Connector {
  const name: string = instance.type ?? 'custom'
  return createEip1193Connector(
    { id: name, kind: 'custom', name },
    async () => (await instance.activate(options)).provider,
  )
}
