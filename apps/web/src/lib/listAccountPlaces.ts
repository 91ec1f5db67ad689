import { ChartPie, History, House, Laptop, type LucideIcon, ShieldCheck, UserRound, WalletMinimal } from 'lucide-react'
import { say } from './say.ts'

export type Place = {
  to: string
  label: string
  icon: LucideIcon
  /** Not in the bar at a phone's bottom edge, where five fit: other screens and the menu lead there. */
  roomy?: boolean
}

/** Where a signed-in person can go, in the order of every menu. */
export function listAccountPlaces(): Place[] {
  return [
    { to: '/', label: say('Overview'), icon: House },
    { to: '/account/profile', label: say('Profile'), icon: UserRound },
    { to: '/account/wallets', label: say('Wallets'), icon: WalletMinimal },
    { to: '/account/portfolio', label: say('Portfolio'), icon: ChartPie, roomy: true },
    { to: '/account/sessions', label: say('Sessions'), icon: Laptop },
    { to: '/account/security', label: say('Security'), icon: ShieldCheck },
    { to: '/account/activity', label: say('Activity'), icon: History, roomy: true },
  ]
}
