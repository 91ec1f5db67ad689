import type { User } from '@countersign/react'
import { LogOut } from 'lucide-react'
import { accountPlaces } from '../lib/accountPlaces.ts'
import { useSignOut } from '../lib/useSignOut.ts'
import { AccountButton } from './AccountButton.tsx'
import { Menu } from './Menu.tsx'
import { MenuItem } from './MenuItem.tsx'
import { MenuLink } from './MenuLink.tsx'

export function AccountMenuPopup({ user }: { user: User }) {
  const { signOut } = useSignOut()
  return (
    <Menu defaultOpen trigger={<AccountButton username={user.username} />}>
      <div className="border-b border-line px-3 pt-2 pb-3">
        <p className="text-xs text-muted">Signed in as</p>
        <p className="max-w-56 truncate text-sm font-semibold">{user.email ?? user.username}</p>
      </div>
      <div className="pt-1.5">
        {accountPlaces.map((place) => (
          <MenuLink key={place.to} {...place} />
        ))}
        <MenuItem icon={LogOut} label="Sign out" onSelect={signOut} />
      </div>
    </Menu>
  )
}
