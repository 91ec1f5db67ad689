import type { User } from '@countersign/react'
import { LogOut } from 'lucide-react'
import { useLayoutEffect, useRef } from 'react'
import { useSignOut } from '../account/signIn/useSignOut.ts'
import { t } from '../i18n/translate.ts'
import { Menu, MenuItem, MenuLink } from '../ui/Menu.tsx'
import { AccountButton } from './AccountButton.tsx'
import { listPages } from './listAccountPages.ts'

/** Interaction with the placeholder button while this code was loading. */
export type TakeOver = 'nothing' | 'focus' | 'press'

export type AccountMenuPopupProps = { user: User; takeOver: TakeOver }

export function AccountMenuPopup({ user, takeOver }: AccountMenuPopupProps) {
  const { signOut } = useSignOut()
  const trigger = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    if (takeOver === 'nothing') return
    trigger.current?.focus()
    if (takeOver === 'press') trigger.current?.click()
  }, [takeOver])
  return (
    <Menu trigger={<AccountButton ref={trigger} username={user.username} />}>
      <div className="border-b border-line px-3 pt-2 pb-3">
        <p className="text-xs text-muted">{t('Signed in as')}</p>
        <p className="max-w-56 truncate text-sm font-semibold">
          <bdi>{user.email ?? user.username}</bdi>
        </p>
      </div>
      <div className="pt-1.5">
        {listPages().map(({ to, label, icon }) => (
          <MenuLink key={to} to={to} label={label} icon={icon} />
        ))}
        <MenuItem icon={LogOut} label={t('Sign out')} onSelect={signOut} />
      </div>
    </Menu>
  )
}
