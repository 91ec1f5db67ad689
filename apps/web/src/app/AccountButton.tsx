import { ChevronDown } from 'lucide-react'
import type { ComponentProps } from 'react'
import { Avatar } from '../account/Avatar.tsx'

/** Button of the account menu: the same before and after the menu's code is loaded. */
export function AccountButton({ username, ...rest }: ComponentProps<'button'> & { username: string }) {
  return (
    <button
      type="button"
      aria-haspopup="menu"
      {...rest}
      className="flex min-h-11 min-w-0 shrink-0 items-center gap-2 rounded-full border border-line bg-surface py-1 ps-1 pe-2.5 text-sm font-semibold transition-colors hover:bg-sunken"
    >
      <Avatar name={username} size={34} />
      <bdi className="max-sm:sr-only sm:max-w-48 sm:truncate">{username}</bdi>
      <ChevronDown size={16} aria-hidden="true" className="text-muted" />
    </button>
  )
}
