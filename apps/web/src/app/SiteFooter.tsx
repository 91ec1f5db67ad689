import { useSession } from '@countersign/react'
import { useLocation } from 'react-router'
import { findSessionUser } from '../account/session.ts'
import { useConfig } from '../config/config.ts'
import { chooseText, t } from '../i18n/translate.ts'
import { Badge } from '../ui/Badge.tsx'
import { cx } from '../ui/cx.ts'
import { ExternalLink, TextLink } from '../ui/Links.tsx'
import { ThemeToggle } from '../ui/ThemeToggle.tsx'
import { useIsConsole } from './useIsConsole.ts'

export function SiteFooter() {
  const { outbox, brand } = useConfig()
  const isSignedIn = findSessionUser(useSession()) !== undefined
  const { pathname, search } = useLocation()
  // The app that asks for the sign-in or the consent is a third party.
  const next = new URLSearchParams(search).get('next') ?? pathname
  const isForApp = next.startsWith('/authorize/')
  const ownFooter = isForApp
    ? t('Your sign-in stays on this server.')
    : t('Your sign-in stays on this server. No third party is involved.')
  const links = [
    { href: chooseText(brand.termsUrl), label: t('Terms') },
    { href: chooseText(brand.privacyUrl), label: t('Privacy') },
    { href: chooseText(brand.supportUrl), label: t('Support') },
  ]
  return (
    <footer
      className={cx(
        'print:hidden mx-auto mt-auto flex w-full flex-wrap items-center justify-between gap-x-6 gap-y-3 px-4 py-6 text-sm text-muted sm:px-6',
        !useIsConsole() && 'max-w-6xl',
      )}
    >
      <p>
        <bdi>{chooseText(brand.footer) ?? ownFooter}</bdi>
      </p>
      <div className="flex flex-wrap items-center gap-x-4">
        {links.map(
          ({ href, label }) =>
            href && (
              <ExternalLink key={label} href={href} label={label} className="inline-flex min-h-11 items-center" />
            ),
        )}
        <TextLink to="/explorer" className="inline-flex min-h-11 items-center">
          {t('Explorer')}
        </TextLink>
        {outbox && (
          <span className="inline-flex min-h-11 items-center gap-1.5">
            <TextLink to="/outbox">{t('Outbox')}</TextLink>
            <Badge>{t('Dev')}</Badge>
          </span>
        )}
        {/* Signed-in users have it in their preferences. */}
        {!isSignedIn && <ThemeToggle />}
      </div>
    </footer>
  )
}
