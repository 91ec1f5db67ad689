import type { Wallet } from '@countersign/react/account'
import { shortenAddress } from '@countersign/react/chain'
import { t } from '../../i18n/translate.ts'

const kinds: Record<Wallet['kind'], () => string> = {
  eoa: () => t('Standard account'),
  contract: () => t('Smart account'),
  delegated: () => t('Standard account (EIP-7702)'),
  solana: () => t('Standard account'),
}

/** Kind and chain of a wallet. A standard account is the same on all chains. */
export function describeWallet(
  { kind, namespace, chainId }: Wallet,
  nameChain: (id: string | number) => string,
): { kind: string; chain: string } {
  if (namespace === 'solana') return { kind: kinds[kind](), chain: 'Solana' }
  if (chainId === undefined) return { kind: kinds[kind](), chain: t('All EVM chains') }
  return { kind: kinds[kind](), chain: nameChain(chainId) }
}

/** Compares two addresses: letter case is only a checksum for EVM, and counts for Solana. */
export function isSameAddress(one: string, other: string): boolean {
  return one.startsWith('0x') ? one.toLowerCase() === other.toLowerCase() : one === other
}

type Named = Pick<Wallet, 'label' | 'address'>

/** Name of a wallet: its label, its ENS name if `nameOf` knows one, or the ends of its address. */
export function nameWallet({ label, address }: Named, nameOf?: (address: string) => string | undefined): string {
  return label ?? nameOf?.(address) ?? shortenAddress(address)
}
