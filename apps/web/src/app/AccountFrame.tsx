import { type ReactNode, Suspense } from 'react'
import { NavLink } from 'react-router'
import { t } from '../i18n/translate.ts'
import { cx } from '../ui/cx.ts'
import { Main } from '../ui/Page.tsx'
import { listAccountPages } from './listAccountPages.ts'
import { ScreenSkeleton } from './ScreenSkeleton.tsx'

/** The account area with its navigation at the side. On phones `PhoneBar` has it, under the thumb. */
export function AccountFrame({ children }: { children: ReactNode }) {
  return (
    <div className="mx-auto grid print:block w-full max-w-6xl gap-x-10 px-4 pt-4 pb-10 sm:px-6 md:grid-cols-[12.5rem_minmax(0,1fr)] lg:gap-x-14">
      <nav aria-label={t('Account')} className="print:hidden max-md:hidden">
        <ul className="sticky top-6 flex flex-col gap-1">
          {listAccountPages().map(({ to, label, icon: Icon }) => (
            <li key={to}>
              <NavLink
                to={to}
                end={to === '/'}
                className={({ isActive }) =>
                  cx(
                    'flex min-h-11 items-center gap-3 rounded-control px-3.5 text-sm font-semibold transition-colors',
                    isActive ? 'bg-accent-soft text-accent' : 'text-muted hover:bg-sunken hover:text-ink',
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
      <Main className="min-w-0">
        <Suspense fallback={<ScreenSkeleton />}>{children}</Suspense>
      </Main>
    </div>
  )
}
