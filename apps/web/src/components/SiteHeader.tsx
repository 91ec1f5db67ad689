import { useSession } from '@countersign/react'
import { useLocation } from 'react-router'
import { findSessionUser } from '../lib/findSessionUser.ts'
import { say } from '../lib/say.ts'
import { AccountMenu } from './AccountMenu.tsx'
import { Brand } from './Brand.tsx'
import { ButtonLink } from './ButtonLink.tsx'
import { CommandButton } from './CommandButton.tsx'
import { SignInTrigger } from './SignInTrigger.tsx'

export function SiteHeader() {
  const user = findSessionUser(useSession())
  const isSigningIn = useLocation().pathname === '/sign-in'
  return (
    <header className="mx-auto flex w-full max-w-6xl items-center justify-between gap-4 px-4 py-3 sm:px-6 sm:py-4">
      <Brand />
      {user ? (
        <div className="flex min-w-0 shrink-0 items-center gap-1 sm:gap-2 print:hidden">
          <CommandButton />
          <AccountMenu user={user} />
        </div>
      ) : (
        <nav aria-label={say('Account')} className="flex shrink-0 items-center gap-1 sm:gap-2 print:hidden">
          <CommandButton />
          {!isSigningIn && <SignInTrigger look="ghost">{say('Sign in')}</SignInTrigger>}
          <ButtonLink to="/sign-up" look="secondary" className="max-sm:hidden">
            {say('Create account')}
          </ButtonLink>
        </nav>
      )}
    </header>
  )
}
