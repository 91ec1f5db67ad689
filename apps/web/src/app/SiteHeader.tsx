import { useSession } from '@countersign/react'
import { Search } from 'lucide-react'
import { Link, useLocation } from 'react-router'
import { findSessionUser } from '../account/session.ts'
import { SignInTrigger } from '../account/signIn/SignInTrigger.tsx'
import { withNext } from '../account/signIn/safeNext.ts'
import { useNext } from '../account/signIn/useNext.ts'
import { useConfig } from '../config/config.ts'
import { t } from '../i18n/translate.ts'
import { ButtonLink, IconButton } from '../ui/Button.tsx'
import { cx } from '../ui/cx.ts'
import { Logo } from '../ui/Logo.tsx'
import { AccountMenu } from './AccountMenu.tsx'
import { commandPalette } from './commands/commandPalette.ts'
import { useIsConsole } from './useIsConsole.ts'

export function SiteHeader() {
  const user = findSessionUser(useSession())
  const { pathname } = useLocation()
  const next = useNext()
  return (
    <header
      className={cx(
        'mx-auto flex w-full items-center justify-between gap-4 px-4 py-3 sm:px-6',
        useIsConsole() ? 'sm:py-2' : 'max-w-6xl sm:py-4',
      )}
    >
      <Brand />
      {user ? (
        <div className="flex min-w-0 shrink-0 items-center gap-1 sm:gap-2 print:hidden">
          <CommandButton />
          <AccountMenu user={user} />
        </div>
      ) : (
        <nav aria-label={t('Account')} className="flex shrink-0 items-center gap-1 sm:gap-2 print:hidden">
          <CommandButton />
          {!/^\/sign-in(\/|$)/.test(pathname) && (
            <SignInTrigger look={pathname === '/' ? 'secondary' : 'ghost'} label={t('Sign in')} />
          )}
          {/* Home has it in its middle. */}
          {pathname !== '/' && (
            <ButtonLink to={withNext('/sign-up', next)} look="secondary" className="max-sm:hidden">
              {t('Create account')}
            </ButtonLink>
          )}
        </nav>
      )}
    </header>
  )
}

function Brand() {
  const { appName } = useConfig()
  return (
    <Link
      to="/"
      className="flex min-h-11 min-w-0 items-center gap-2.5 rounded-control text-lg font-bold tracking-tight"
    >
      <Logo />
      <bdi className="truncate">{appName}</bdi>
    </Link>
  )
}

const preload = () => {
  import('./commands/CommandPalette.tsx').catch(() => {
    // The press retries and shows the error.
  })
}

/** Opens the command palette without its keyboard shortcut. */
function CommandButton() {
  return (
    <IconButton
      label={t('Search and commands')}
      aria-haspopup="dialog"
      aria-keyshortcuts="Control+K Meta+K"
      onPointerEnter={preload}
      onFocus={preload}
      onClick={() => commandPalette.set(true)}
    >
      <Search size={20} aria-hidden="true" />
    </IconButton>
  )
}
