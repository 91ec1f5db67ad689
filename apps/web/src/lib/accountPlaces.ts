import { ChartPie, History, House, Laptop, type LucideIcon, ShieldCheck, UserRound, WalletMinimal } from 'lucide-react'

export type Place = {
  to: string
  label: string
  icon: LucideIcon
  /** Not in the bar at a phone's bottom edge, where five fit: other screens and the menu lead there. */
  roomy?: boolean
}

/** Where a signed-in person can go, in the order of every menu. */
export const accountPlaces: Place[] = [
  { to: '/', label: 'Overview', icon: House },
  { to: '/account/profile', label: 'Profile', icon: UserRound },
  { to: '/account/wallets', label: 'Wallets', icon: WalletMinimal },
  { to: '/account/portfolio', label: 'Portfolio', icon: ChartPie, roomy: true },
  { to: '/account/sessions', label: 'Sessions', icon: Laptop },
  { to: '/account/security', label: 'Security', icon: ShieldCheck },
  { to: '/account/activity', label: 'Activity', icon: History, roomy: true },
]
