import type { Wallet } from '@countersign/react'
import { say } from './say.ts'

const kinds: Record<Wallet['kind'], () => string> = {
  eoa: () => say('Key pair'),
  contract: () => say('Smart account'),
  delegated: () => say('Key pair with code'),
  solana: () => say('Key pair'),
}

const chains = new Map<string, string>([
  ['1', 'Ethereum'],
  ['10', 'Optimism'],
  ['56', 'BNB Chain'],
  ['100', 'Gnosis'],
  ['137', 'Polygon'],
  ['8453', 'Base'],
  ['42161', 'Arbitrum'],
  ['84532', 'Base Sepolia'],
  ['11155111', 'Sepolia'],
])

/** What a wallet is, in a word or two: its kind, and the chain it lives on. A key pair is the same on all of them. */
export function describeWallet({ kind, namespace, chainId }: Wallet): { kind: string; chain: string } {
  if (namespace === 'solana') return { kind: kinds[kind](), chain: 'Solana' }
  if (chainId === undefined) return { kind: kinds[kind](), chain: say('Every EVM chain') }
  return { kind: kinds[kind](), chain: chains.get(chainId) ?? say('Chain {id}', { id: chainId }) }
}
