import { Check, Fingerprint, KeyRound, Laptop, UserRound, WalletMinimal } from 'lucide-react'
import { useConfig } from '../../config/config.ts'
import { chooseText, t } from '../../i18n/translate.ts'
import { Badge } from '../../ui/Badge.tsx'
import { ButtonLink } from '../../ui/Button.tsx'
import { HeroPattern } from '../../ui/HeroPattern.tsx'
import { ExternalLink, TextLink } from '../../ui/Links.tsx'
import { Logo } from '../../ui/Logo.tsx'
import { Main, PageHeading, PageTitle } from '../../ui/Page.tsx'

const listPromises = () => [
  {
    icon: Laptop,
    title: t('See every device'),
    text: t('See where and how you’re signed in. Sign out any device with one click, effective immediately.'),
  },
  {
    icon: UserRound,
    title: t('Control your profile'),
    text: t('Edit your username, email and details at any time, or delete your account permanently.'),
  },
  {
    icon: Fingerprint,
    title: t('Secure by default'),
    text: t('Sign in with a wallet, passkey or password. Sessions are stored in cookies that scripts can’t read.'),
  },
]

/** The home page of someone who is not signed in. */
export function Welcome() {
  const { appName, brand } = useConfig()
  return (
    <Main className="mx-auto w-full max-w-6xl px-4 sm:px-6">
      <PageTitle>{appName}</PageTitle>
      <section className="grid items-center gap-x-12 gap-y-10 pt-8 pb-14 sm:pt-14 lg:grid-cols-[1.1fr_1fr] lg:pt-20 lg:pb-24">
        <div>
          <PageHeading className="text-4xl sm:text-5xl">
            {chooseText(brand.tagline) ?? t('Your account, under your control.')}
          </PageHeading>
          <p className="mt-5 max-w-xl text-lg text-muted">
            <bdi>
              {chooseText(brand.intro) ??
                t(
                  'One account for everything at {app}. Sign in with a wallet, passkey or password, and see your wallets, devices and data in one place.',
                  { app: appName },
                )}
            </bdi>
          </p>
          <ButtonLink to="/sign-up" className="mt-8 px-6 max-sm:w-full">
            {t('Create your account')}
          </ButtonLink>
          <DeveloperLinks />
        </div>
        <HeroIllustration />
      </section>
      <section
        aria-label={t('What you get')}
        className="grid gap-8 border-t border-line py-12 sm:grid-cols-3 sm:gap-10"
      >
        {listPromises().map(({ icon: Icon, title, text }) => (
          <div key={title}>
            <Icon size={24} aria-hidden="true" className="text-accent" />
            <h2 className="mt-4 text-lg">{title}</h2>
            <p className="mt-1.5 text-sm text-muted">{text}</p>
          </div>
        ))}
      </section>
    </Main>
  )
}

/** Next places for the person who has just started the server; nothing in production. */
function DeveloperLinks() {
  const { demoWallet, docs } = useConfig()
  if (!demoWallet) return null
  return (
    <nav aria-label={t('For development only')} className="mt-4 flex flex-wrap items-center gap-x-5 text-sm *:min-h-11">
      {docs && (
        <ExternalLink href="/docs/quick-start" label={t('Documentation')} className="inline-flex items-center" />
      )}
      <TextLink to="/admin" className="inline-flex items-center">
        {t('Console')}
      </TextLink>
      <span className="inline-flex items-center">
        <Badge>{t('Dev')}</Badge>
      </span>
    </nav>
  )
}

/** Illustration of an account with its sign-in methods set up. Decorative, and reaches under the header. */
function HeroIllustration() {
  const methods = [
    { icon: WalletMinimal, label: t('Wallet') },
    { icon: Fingerprint, label: t('Passkey') },
    { icon: KeyRound, label: t('Password') },
  ]
  return (
    <div aria-hidden="true" className="pointer-events-none relative mx-auto w-full max-w-md max-sm:hidden">
      <HeroPattern className="absolute top-1/2 left-1/2 w-[132%] max-w-none -translate-1/2 opacity-60 [mask-image:radial-gradient(closest-side,black_62%,transparent)]" />
      <div className="relative mx-auto w-4/5 rounded-card border border-line bg-surface p-6 shadow-float">
        <div className="flex items-center gap-3">
          <Logo size={40} />
          <span className="min-w-0 flex-1">
            <span className="block h-3 w-3/5 rounded-full bg-ink/80" />
            <span className="mt-2 block h-2.5 w-2/5 rounded-full bg-sunken" />
          </span>
        </div>
        <p className="mt-6 text-sm font-semibold text-muted">{t('Sign-in methods')}</p>
        <ul className="mt-1 divide-y divide-line">
          {methods.map(({ icon: Icon, label }) => (
            <li key={label} className="flex items-center gap-3 py-3 font-semibold">
              <span className="grid size-9 place-items-center rounded-control bg-accent-soft text-accent">
                <Icon size={18} />
              </span>
              <span className="flex-1">{label}</span>
              <span className="grid size-6 place-items-center rounded-full bg-accent text-on-accent">
                <Check size={15} strokeWidth={3} />
              </span>
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}
