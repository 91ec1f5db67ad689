import { NavLink } from 'react-router'
import { cx } from '../lib/cx.ts'
import { listAccountPlaces } from '../lib/listAccountPlaces.ts'
import { say } from '../lib/say.ts'

export function AccountNav() {
  return (
    <nav
      aria-label={say('Account')}
      className="z-30 print:hidden max-md:fixed max-md:inset-x-0 max-md:bottom-0 max-md:border-t max-md:border-line max-md:bg-surface max-md:pb-[env(safe-area-inset-bottom)]"
    >
      <ul className="flex md:sticky md:top-6 md:flex-col md:gap-1">
        {listAccountPlaces().map(({ to, label, icon: Icon, roomy }) => (
          <li key={to} className={roomy ? 'max-md:hidden' : 'max-md:flex-1'}>
            <NavLink
              to={to}
              end
              className={({ isActive }) =>
                cx(
                  'flex min-h-11 items-center font-semibold transition-colors',
                  // Where a word takes two lines, the pictures still stand in one.
                  'max-md:min-h-16 max-md:flex-col max-md:gap-1 max-md:pt-2.5 max-md:text-center max-md:text-[0.72rem] max-md:leading-tight',
                  'md:gap-3 md:rounded-control md:px-3.5 md:text-sm',
                  isActive ? 'text-accent md:bg-accent-soft' : 'text-muted hover:text-ink md:hover:bg-sunken',
                )
              }
            >
              <Icon size={20} aria-hidden="true" />
              {label}
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}
