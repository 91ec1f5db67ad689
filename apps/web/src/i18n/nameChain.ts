import { t } from './translate.ts'

const names = new Map<string, string>([
  ['1', 'Ethereum'],
  ['10', 'Optimism'],
  ['56', 'BNB Chain'],
  ['100', 'Gnosis'],
  ['137', 'Polygon'],
  ['324', 'ZKsync'],
  ['8453', 'Base'],
  ['42161', 'Arbitrum'],
  ['43114', 'Avalanche'],
  ['59144', 'Linea'],
  ['84532', 'Base Sepolia'],
  ['11155111', 'Sepolia'],
])

/** Name of a well-known EVM chain by its id. */
export const findChainName = (id: string | number): string | undefined => names.get(String(id))

/** Name of a well-known EVM chain by its id, else the id. */
export const nameChain = (id: string | number): string => findChainName(id) ?? t('Chain {id}', { id: String(id) })
