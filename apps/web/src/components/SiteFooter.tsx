import { useConfig } from '../lib/useConfig.ts'
import { OutLink } from './OutLink.tsx'
import { TextLink } from './TextLink.tsx'
import { ThemeToggle } from './ThemeToggle.tsx'

export function SiteFooter() {
  const { appName, outbox, brand } = useConfig()
  const links = [
    { href: brand.termsUrl, label: 'Terms' },
    { href: brand.privacyUrl, label: 'Privacy' },
    { href: brand.supportUrl, label: 'Support' },
  ]
  return (
    <footer className="mx-auto mt-auto flex w-full max-w-6xl flex-wrap items-center justify-between gap-x-6 gap-y-3 px-4 py-6 text-sm text-muted sm:px-6">
      <p>{brand.footer ?? `${appName} keeps its own accounts. No one else is asked when you sign in.`}</p>
      <div className="flex flex-wrap items-center gap-x-4">
        {links.map(
          ({ href, label }) =>
            href && <OutLink key={label} href={href} label={label} className="inline-flex min-h-11 items-center" />,
        )}
        <TextLink to="/explorer" className="inline-flex min-h-11 items-center">
          Explorer
        </TextLink>
        {outbox && (
          <TextLink to="/outbox" className="inline-flex min-h-11 items-center">
            Outbox
          </TextLink>
        )}
        <ThemeToggle />
      </div>
    </footer>
  )
}
