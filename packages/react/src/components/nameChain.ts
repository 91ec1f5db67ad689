import type { Say } from './createSay.ts'

const names = new Map<unknown, string>([
  [1, 'Ethereum'],
  [10, 'Optimism'],
  [56, 'BNB Chain'],
  [100, 'Gnosis'],
  [137, 'Polygon'],
  [324, 'ZKsync'],
  [8453, 'Base'],
  [42161, 'Arbitrum'],
  [43114, 'Avalanche'],
  [59144, 'Linea'],
  [84532, 'Base Sepolia'],
  [11155111, 'Sepolia'],
])

/** The everyday name of a chain, where it has one. */
export function nameChain(say: Say, chainId: number | string | undefined): string | undefined {
  return names.get(Number(chainId)) ?? (chainId === undefined ? undefined : say('chainNumber', { id: String(chainId) }))
}
