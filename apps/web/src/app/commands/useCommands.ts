import { useSession, useWallet } from '@countersign/react'
import { shortenAddress } from '@countersign/react/chain'
import {
  ArrowUpRight,
  Compass,
  Copy,
  Download,
  Gauge,
  History,
  House,
  Keyboard,
  KeyRound,
  LifeBuoy,
  LogIn,
  LogOut,
  Mail,
  Monitor,
  Moon,
  Plus,
  Search,
  Sun,
  Trash2,
  UserPlus,
} from 'lucide-react'
import { useNavigate } from 'react-router'
import { findSessionUser } from '../../account/session.ts'
import { signInSheet } from '../../account/signIn/signInSheet.ts'
import { useSignOut } from '../../account/signIn/useSignOut.ts'
import { useChecksum } from '../../chain/useChecksum.ts'
import { useConfig } from '../../config/config.ts'
import { consolePlaces } from '../../features/console/places.ts'
import { t } from '../../i18n/translate.ts'
import { toasts } from '../../ui/feedback/toasts.ts'
import { theme } from '../../ui/ThemeToggle.tsx'
import { consoleMark } from '../consoleMark.ts'
import { listPages } from '../listAccountPages.ts'
import { useIsConsole } from '../useIsConsole.ts'
import { keyHelp } from './commandPalette.ts'
import type { Command } from './rankCommands.ts'
import { listRecentPlaces } from './recentPlaces.ts'
import { useConsoleSearch } from './useConsoleSearch.ts'

/** Commands currently available in the palette. */
export function useCommands(query: string): Command[] {
  const navigate = useNavigate()
  const user = findSessionUser(useSession())
  const wallet = useWallet()
  const { outbox } = useConfig()
  const { signOut } = useSignOut()
  const checksum = useChecksum(user !== undefined)
  const go = (to: string) => () => void navigate(to)
  const text = query.trim()
  const found = useConsoleSearch(text, go)
  const isConsole = useIsConsole()

  const places = user
    ? listPages()
    : [
        { to: '/', label: t('Home'), icon: House },
        { to: '/explorer', label: t('Explorer'), icon: Compass },
      ]
  if (user && consoleMark.get()) places.push({ to: '/admin', label: t('Console'), icon: Gauge })
  const screens = consolePlaces.current.map(({ to, label, icon }) => ({
    to,
    label: `${t('Console')}: ${label()}`,
    icon,
  }))
  if (isConsole) places.unshift(...screens)
  else places.push(...screens)
  if (outbox) places.push({ to: '/outbox', label: t('Outbox'), icon: Mail })
  const commands: Command[] = []
  if (user && consoleMark.get())
    for (const { to, label } of listRecentPlaces(user.objectId))
      commands.push({ id: `recent ${to}`, group: 'recent', label, icon: History, run: go(to), to })
  commands.push(...found)
  const listed = places.map(
    ({ to, label, icon }): Command => ({
      id: to,
      group: 'goTo',
      label,
      words: wordsOf(to),
      icon,
      run: go(to),
      to,
    }),
  )
  commands.push(...listed)
  const act = (id: string, label: string, icon: Command['icon'], run: () => void, words = '') =>
    commands.push({ id, group: 'do', label, icon, run, words })

  if (user) {
    const connected = wallet.status === 'connected' ? wallet.account : undefined
    const primary = typeof user.ethAddress === 'string' ? user.ethAddress : undefined
    for (const address of new Set([primary, connected].map((each) => each && checksum(each))))
      if (address) {
        const label = t('Copy address {address}', { address: shortenAddress(address) })
        act(`copy-${address}`, label, Copy, () => void copyText(address), t('wallet'))
      }
    act('send', t('Send'), ArrowUpRight, go('/account/portfolio/send'), t('pay transfer money'))
    act('link', t('Link a wallet'), Plus, () => signInSheet.open({ purpose: 'link' }), t('add connect'))
    act('password', t('Change password'), KeyRound, go('/account/security#password'))
    act('passkey', t('Add a passkey'), KeyRound, go('/account/security#passkeys'), t('fingerprint face key'))
    act('codes', t('Recovery codes'), LifeBuoy, go('/account/security#recovery-codes'), t('backup lost'))
    act('others', t('Sign out other devices'), LogOut, go('/account/sessions#other-sessions'), t('devices sign out'))
    act('export', t('Export my data'), Download, go('/account/profile#export'), t('download copy'))
    act('delete', t('Delete my account'), Trash2, go('/account/profile#delete-account'), t('remove close'))
  } else {
    act('sign-in', t('Sign in'), LogIn, () => signInSheet.open(), t('log in wallet passkey password'))
    act('sign-up', t('Create account'), UserPlus, go('/sign-up'), t('register sign up new'))
    act('forgot', t('Forgot your password?'), KeyRound, go('/forgot'), t('reset lost'))
    act('recover', t('Use a recovery code'), LifeBuoy, go('/recover'), t('backup lost'))
  }
  act('light', t('Use light theme'), Sun, () => theme.set('light'), t('colors day bright'))
  act('dark', t('Use dark theme'), Moon, () => theme.set('dark'), t('colors night'))
  act('system', t('Use system theme'), Monitor, () => theme.set('system'), t('colors automatic'))
  act('keys', t('Keyboard shortcuts'), Keyboard, () => keyHelp.set(true), t('help keys'))
  if (user) act('sign-out', t('Sign out'), LogOut, signOut, t('log out leave end'))
  if (text)
    commands.push({
      id: 'explorer',
      group: 'search',
      label: t('Search the explorer for “{text}”', { text }),
      icon: Search,
      run: go(`/explorer?q=${encodeURIComponent(text)}`),
    })
  return commands
}

/** Other words by which people may look for a place. */
function wordsOf(place: string): string {
  if (place.startsWith('/admin/')) return t('admin operator users audit settings')
  switch (place) {
    case '/':
      return t('home start')
    case '/account/profile':
      return t('name username email picture language delete export')
    case '/account/wallets':
      return t('address link unlink')
    case '/account/sessions':
      return t('devices signed in')
    case '/account/security':
      return t('password passkeys recovery')
    case '/account/portfolio':
      return t('tokens nfts balance transfers assets')
    case '/account/activity':
      return t('log history')
    case '/admin':
      return t('admin operator users audit settings')
    case '/explorer':
      return t('block transaction address name chain')
    default:
      return t('mail messages')
  }
}

/** Puts a text on the clipboard and says so. */
async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    toasts.add(t('Copied.'), 'ok')
  } catch {
    toasts.add(t('Your browser blocked copying. Here’s the text: {text}', { text }), 'danger')
  }
}
