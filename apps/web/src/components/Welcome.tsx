import { Fingerprint, Laptop, UserRound } from 'lucide-react'
import { say } from '../lib/say.ts'
import { useConfig } from '../lib/useConfig.ts'
import { ButtonLink } from './ButtonLink.tsx'
import { Main } from './Main.tsx'
import { PageHeading } from './PageHeading.tsx'
import { PageTitle } from './PageTitle.tsx'
import { SealedCard } from './SealedCard.tsx'
import { SignInTrigger } from './SignInTrigger.tsx'

const listPromises = () => [
  {
    icon: Laptop,
    title: say('Every device in view'),
    text: say('See where you are signed in, since when and how. End any of them with one press; it counts at once.'),
  },
  {
    icon: UserRound,
    title: say('A profile that is yours'),
    text: say('Change your name, your address and your details whenever you like, or delete the account for good.'),
  },
  {
    icon: Fingerprint,
    title: say('Kept with care'),
    text: say(
      'Sign in with a wallet, a passkey or a password. Your session stays where no script of a page can read it.',
    ),
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
            {brand.tagline ?? say('Your account, in good hands: yours.')}
          </PageHeading>
          <p className="mt-5 max-w-xl text-lg text-muted">
            <bdi>
              {brand.intro ??
                say(
                  'One sign-in for everything at {app}. You decide what it knows about you, and you see every device that uses it.',
                  { app: appName },
                )}
            </bdi>
          </p>
          <div className="mt-8 flex flex-col gap-3 sm:flex-row">
            <ButtonLink to="/sign-up" className="px-6">
              {say('Create your account')}
            </ButtonLink>
            <SignInTrigger look="secondary" className="px-6">
              {say('Sign in')}
            </SignInTrigger>
          </div>
        </div>
        <SealedCard />
      </section>
      <section
        aria-label={say('What you get')}
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
