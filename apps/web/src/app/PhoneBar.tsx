import { Ellipsis } from 'lucide-react'
import { useRef } from 'react'
import { NavLink, useLocation } from 'react-router'
import { t } from '../i18n/translate.ts'
import { cx } from '../ui/cx.ts'
import { listPages } from './listAccountPages.ts'

const itemClass =
  // Icons stay in one line even if a label takes two.
  'flex min-h-16 w-full flex-col items-center gap-1 pt-2.5 text-center text-[0.72rem] leading-tight font-semibold transition-colors'
const look = (isActive: boolean) => (isActive ? 'text-accent' : 'text-muted hover:text-ink')

/** A phone's navigation: four places under the thumb, and the rest behind “More”. It is there on every screen. */
export function PhoneBar() {
  const more = useRef<HTMLDivElement>(null)
  const { pathname } = useLocation()
  const pages = listPages()
  const others = pages.filter(({ isInBar }) => !isInBar)
  const isOther = others.some(({ to }) => pathname === to || pathname.startsWith(`${to}/`))
  return (
    <nav
      aria-label={t('Account')}
      className="fixed inset-x-0 bottom-0 z-30 border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] md:hidden print:hidden"
    >
      <ul className="flex">
        {pages.map(
          ({ to, label, icon: Icon, isInBar }) =>
            isInBar && (
              <li key={to} className="min-w-0 flex-1">
                <NavLink to={to} end={to === '/'} className={({ isActive }) => cx(itemClass, look(isActive))}>
                  <Icon size={20} aria-hidden="true" />
                  {label}
                </NavLink>
              </li>
            ),
        )}
        <li className="min-w-0 flex-1">
          <button
            type="button"
            popoverTarget="more-pages"
            aria-current={isOther ? 'page' : undefined}
            className={cx(itemClass, look(isOther))}
          >
            <Ellipsis size={20} aria-hidden="true" />
            {t('More')}
          </button>
          {/* The browser's own: it opens above everything, and a press elsewhere or Esc closes it. */}
          <div
            ref={more}
            id="more-pages"
            popover="auto"
            className="fixed inset-auto end-3 bottom-[calc(4.5rem+env(safe-area-inset-bottom))] w-60 rounded-card border border-line bg-surface p-1.5 text-ink shadow-float md:hidden!"
          >
            <ul aria-label={t('More')}>
              {others.map(({ to, label, icon: Icon }) => (
                <li key={to}>
                  <NavLink
                    to={to}
                    onClick={() => more.current?.hidePopover()}
                    className={({ isActive }) =>
                      cx(
                        'flex min-h-11 items-center gap-3 rounded-control px-3 text-sm font-medium',
                        isActive ? 'bg-accent-soft text-accent' : 'hover:bg-sunken',
                      )
                    }
                  >
                    <Icon size={18} aria-hidden="true" />
                    {label}
                  </NavLink>
                </li>
              ))}
            </ul>
          </div>
        </li>
      </ul>
    </nav>
  )
}
