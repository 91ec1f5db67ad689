import { say } from '../lib/say.ts'
import { useConfig } from '../lib/useConfig.ts'
import { OutLink } from './OutLink.tsx'
import { TextLink } from './TextLink.tsx'
import { ThemeToggle } from './ThemeToggle.tsx'

export function SiteFooter() {
  const { appName, outbox, brand } = useConfig()
  const links = [
    { href: brand.termsUrl, label: say('Terms') },
    { href: brand.privacyUrl, label: say('Privacy') },
    { href: brand.supportUrl, label: say('Support') },
  ]
  return (
    <footer className="print:hidden mx-auto mt-auto flex w-full max-w-6xl flex-wrap items-center justify-between gap-x-6 gap-y-3 px-4 py-6 text-sm text-muted sm:px-6">
      <p>
        <bdi>
          {brand.footer ??
            say('{app} keeps its own accounts. No one else is asked when you sign in.', { app: appName })}
        </bdi>
      </p>
      <div className="flex flex-wrap items-center gap-x-4">
        {links.map(
          ({ href, label }) =>
            href && <OutLink key={label} href={href} label={label} className="inline-flex min-h-11 items-center" />,
        )}
        <TextLink to="/explorer" className="inline-flex min-h-11 items-center">
          {say('Explorer')}
        </TextLink>
        {outbox && (
          <TextLink to="/outbox" className="inline-flex min-h-11 items-center">
            {say('Outbox')}
          </TextLink>
        )}
        <ThemeToggle />
      </div>
    </footer>
  )
}
