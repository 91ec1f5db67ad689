import { shortenAddress, useSession, useWallet } from '@countersign/react'
import { Compass, Copy, House, LogIn, LogOut, Monitor, Moon, Plus, Search, Sun, UserPlus } from 'lucide-react'
import { useNavigate } from 'react-router'
import { accountPlaces } from './accountPlaces.ts'
import type { Command } from './Command.ts'
import { copyText } from './copyText.ts'
import { findSessionUser } from './findSessionUser.ts'
import { signInSheet } from './signInSheet.ts'
import { theme } from './theme.ts'
import { useSignOut } from './useSignOut.ts'

const wordsOfPlace: Record<string, string> = {
  '/': 'home start',
  '/account/profile': 'name username e-mail picture delete export',
  '/account/wallets': 'address link unlink',
  '/account/sessions': 'devices signed in',
  '/account/security': 'password passkeys recovery',
  '/account/portfolio': 'tokens nfts balance transfers assets',
  '/account/activity': 'log history',
  '/explorer': 'block transaction address name chain',
}

/** Everything that can be chosen in the command palette now. */
export function useCommands(query: string): Command[] {
  const navigate = useNavigate()
  const user = findSessionUser(useSession())
  const wallet = useWallet()
  const { signOut } = useSignOut()
  const go = (to: string) => () => void navigate(to)
  const text = query.trim()

  const explorer = { to: '/explorer', label: 'Explorer', icon: Compass }
  const own = user ? accountPlaces : [{ to: '/', label: 'Home', icon: House }]
  const places = own.some(({ to }) => to === explorer.to) ? own : [...own, explorer]
  const commands: Command[] = places.map(({ to, label, icon }) => ({
    id: to,
    group: 'Go to',
    label,
    words: wordsOfPlace[to] ?? '',
    icon,
    run: go(to),
  }))
  const act = (id: string, label: string, icon: Command['icon'], run: () => void, words = '') =>
    commands.push({ id, group: 'Do', label, icon, run, words })

  if (user) {
    const connected = wallet.status === 'connected' ? wallet.account : undefined
    const primary = typeof user.ethAddress === 'string' ? user.ethAddress : undefined
    for (const address of new Set([primary, connected]))
      if (address)
        act(`copy-${address}`, `Copy address ${shortenAddress(address)}`, Copy, () => void copyText(address), 'wallet')
    act('link', 'Link a wallet', Plus, () => signInSheet.open({ purpose: 'link' }), 'add connect')
  } else {
    act('sign-in', 'Sign in', LogIn, () => signInSheet.open(), 'log in wallet passkey password')
    act('sign-up', 'Create account', UserPlus, go('/sign-up'), 'register sign up new')
  }
  act('light', 'Use the light theme', Sun, () => theme.set('light'), 'colours day bright')
  act('dark', 'Use the dark theme', Moon, () => theme.set('dark'), 'colours night')
  act('system', 'Use the theme of the system', Monitor, () => theme.set('system'), 'colours automatic')
  if (user) act('sign-out', 'Sign out', LogOut, signOut, 'log out leave end')
  if (text)
    commands.push({
      id: 'explorer',
      group: 'Search',
      label: `Search the explorer for “${text}”`,
      icon: Search,
      run: go(`/explorer?q=${encodeURIComponent(text)}`),
    })
  return commands
}
