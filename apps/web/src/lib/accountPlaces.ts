import { House, Laptop, type LucideIcon, ShieldCheck, UserRound, WalletMinimal } from 'lucide-react'

export type Place = { to: string; label: string; icon: LucideIcon }

/** Where a signed-in person can go, in the order of every menu. */
export const accountPlaces: Place[] = [
  { to: '/', label: 'Overview', icon: House },
  { to: '/account/profile', label: 'Profile', icon: UserRound },
  { to: '/account/wallets', label: 'Wallets', icon: WalletMinimal },
  { to: '/account/sessions', label: 'Sessions', icon: Laptop },
  { to: '/account/security', label: 'Security', icon: ShieldCheck },
]
