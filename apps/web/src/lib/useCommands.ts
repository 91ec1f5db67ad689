import { shortenAddress, useSession, useWallet } from '@countersign/react'
import {
  Compass,
  Copy,
  Download,
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
import type { Command } from './Command.ts'
import { copyText } from './copyText.ts'
import { findSessionUser } from './findSessionUser.ts'
import { keyHelp } from './keyHelp.ts'
import { listAccountPlaces } from './listAccountPlaces.ts'
import { say } from './say.ts'
import { signInSheet } from './signInSheet.ts'
import { theme } from './theme.ts'
import { useConfig } from './useConfig.ts'
import { useSignOut } from './useSignOut.ts'

/** Everything that can be chosen in the command palette now. */
export function useCommands(query: string): Command[] {
  const navigate = useNavigate()
  const user = findSessionUser(useSession())
  const wallet = useWallet()
  const { outbox } = useConfig()
  const { signOut } = useSignOut()
  const go = (to: string) => () => void navigate(to)
  const text = query.trim()

  const places = user ? listAccountPlaces() : [{ to: '/', label: say('Home'), icon: House }]
  places.push({ to: '/explorer', label: say('Explorer'), icon: Compass })
  if (outbox) places.push({ to: '/outbox', label: say('Outbox'), icon: Mail })
  const commands: Command[] = places.map(({ to, label, icon }) => ({
    id: to,
    group: 'goTo',
    label,
    words: wordsOf(to),
    icon,
    run: go(to),
  }))
  const act = (id: string, label: string, icon: Command['icon'], run: () => void, words = '') =>
    commands.push({ id, group: 'do', label, icon, run, words })

  if (user) {
    const connected = wallet.status === 'connected' ? wallet.account : undefined
    const primary = typeof user.ethAddress === 'string' ? user.ethAddress : undefined
    for (const address of new Set([primary, connected]))
      if (address) {
        const label = say('Copy address {address}', { address: shortenAddress(address) })
        act(`copy-${address}`, label, Copy, () => void copyText(address), say('wallet'))
      }
    act('link', say('Link a wallet'), Plus, () => signInSheet.open({ purpose: 'link' }), say('add connect'))
    act('password', say('Change password'), KeyRound, go('/account/security#password'))
    act('passkey', say('Add a passkey'), KeyRound, go('/account/security#passkeys'), say('fingerprint face key'))
    act('codes', say('Recovery codes'), LifeBuoy, go('/account/security#recovery-codes'), say('backup lost'))
    act('others', say('End other sessions'), LogOut, go('/account/sessions#other-sessions'), say('devices sign out'))
    act('export', say('Export my data'), Download, go('/account/profile#export'), say('download copy'))
    act('delete', say('Delete my account'), Trash2, go('/account/profile#delete-account'), say('remove close'))
  } else {
    act('sign-in', say('Sign in'), LogIn, () => signInSheet.open(), say('log in wallet passkey password'))
    act('sign-up', say('Create account'), UserPlus, go('/sign-up'), say('register sign up new'))
    act('forgot', say('Forgot your password?'), KeyRound, go('/forgot'), say('reset lost'))
    act('recover', say('Use a recovery code'), LifeBuoy, go('/recover'), say('backup lost'))
  }
  act('light', say('Use the light theme'), Sun, () => theme.set('light'), say('colours day bright'))
  act('dark', say('Use the dark theme'), Moon, () => theme.set('dark'), say('colours night'))
  act('system', say('Use the theme of the system'), Monitor, () => theme.set('system'), say('colours automatic'))
  act('keys', say('Keyboard shortcuts'), Keyboard, () => keyHelp.set(true), say('help keys'))
  if (user) act('sign-out', say('Sign out'), LogOut, signOut, say('log out leave end'))
  if (text)
    commands.push({
      id: 'explorer',
      group: 'search',
      label: say('Search the explorer for “{text}”', { text }),
      icon: Search,
      run: go(`/explorer?q=${encodeURIComponent(text)}`),
    })
  return commands
}

/** Other words by which people may look for a place. */
function wordsOf(place: string): string {
  switch (place) {
    case '/':
      return say('home start')
    case '/account/profile':
      return say('name username e-mail picture language delete export')
    case '/account/wallets':
      return say('address link unlink')
    case '/account/sessions':
      return say('devices signed in')
    case '/account/security':
      return say('password passkeys recovery')
    case '/account/portfolio':
      return say('tokens nfts balance transfers assets')
    case '/account/activity':
      return say('log history')
    case '/explorer':
      return say('block transaction address name chain')
    default:
      return say('mail messages')
  }
}
