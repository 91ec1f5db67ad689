import type { Nft } from '@countersign/react/chain'
import { formatAmount } from '../../chain/Amount.tsx'
import { type Holding, keyOfToken } from '../../chain/gatherHoldings.ts'

/** Something that can be sent: a currency, a token or a collectible, on one chain. */
export type SendAsset = {
  /** As a holding has it; a collectible has its id behind its contract. */
  key: string
  kind: 'native' | 'erc20' | 'erc721' | 'erc1155'
  chain: number
  chainName: string
  /** The contract; absent for the chain's own currency. */
  token?: string
  tokenId?: string
  name: string
  symbol?: string
  decimals?: number
  balance: bigint
  /** Total value. */
  usd?: bigint
  isNamesake?: boolean
}

export function toAssets(holdings: readonly Holding[]): SendAsset[] {
  return holdings
    .filter(({ balance }) => balance > 0n)
    .map(({ wallets: _, ...holding }) => ({ ...holding, kind: holding.token === undefined ? 'native' : 'erc20' }))
}

export function toCollectible(nft: Nft, chain: number, chainName: string): SendAsset {
  const { token, tokenId, kind, amount, normalized, name } = nft
  return {
    key: `${keyOfToken(chain, token)} ${tokenId}`,
    kind,
    chain,
    chainName,
    token,
    tokenId,
    name: normalized?.name || `${name || 'NFT'} #${tokenId}`,
    decimals: 0,
    balance: kind === 'erc721' ? 1n : amount,
  }
}

export const nameAsset = ({ name, symbol }: SendAsset): string =>
  symbol && symbol !== name ? `${name} (${symbol})` : name

/** An asset in one line: name, balance and chain. */
export function describeAsset(asset: SendAsset): string {
  const { kind, decimals, balance, chainName } = asset
  const amount = kind === 'erc721' ? '' : ` · ${formatAmount(balance, decimals ?? 0).short}`
  return `${nameAsset(asset)}${amount} · ${chainName}`
}
