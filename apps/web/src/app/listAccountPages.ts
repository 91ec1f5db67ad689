import {
  AppWindow,
  ChartPie,
  Compass,
  History,
  House,
  Laptop,
  type LucideIcon,
  ShieldCheck,
  UserRound,
  WalletMinimal,
} from 'lucide-react'
import { t } from '../i18n/translate.ts'

export type AccountPage = {
  to: string
  label: string
  icon: LucideIcon
  /** True for the four pages in the bar of a phone; the others are under “More” there. */
  isInBar?: boolean
}

/** Pages of a signed-in user, in the order of every menu. */
export function listAccountPages(): AccountPage[] {
  return [
    { to: '/', label: t('Overview'), icon: House, isInBar: true },
    { to: '/account/portfolio', label: t('Portfolio'), icon: ChartPie, isInBar: true },
    { to: '/account/wallets', label: t('Wallets'), icon: WalletMinimal, isInBar: true },
    { to: '/account/security', label: t('Security'), icon: ShieldCheck, isInBar: true },
    { to: '/account/sessions', label: t('Sessions'), icon: Laptop },
    { to: '/account/apps', label: t('Connected apps'), icon: AppWindow },
    { to: '/account/activity', label: t('Activity'), icon: History },
    { to: '/account/profile', label: t('Profile'), icon: UserRound },
  ]
}

/** The account's pages and the explorer, which is outside the account area. */
export function listPages(): AccountPage[] {
  return [...listAccountPages(), { to: '/explorer', label: t('Explorer'), icon: Compass }]
}
