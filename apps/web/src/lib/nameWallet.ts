import { shortenAddress, type Wallet } from '@countersign/react'

/** What a person knows a wallet by: the name that they gave it, or the ends of its address. */
export function nameWallet({ label, address }: Pick<Wallet, 'label' | 'address'>): string {
  return label ?? shortenAddress(address)
}
