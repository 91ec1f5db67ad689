import type { User } from '@countersign/react'
import { ChartPie, Compass, History, Laptop, ShieldCheck, UserRound, WalletMinimal } from 'lucide-react'
import { formatDate } from '../lib/formatDate.ts'
import { say } from '../lib/say.ts'
import { Avatar } from './Avatar.tsx'
import { Card } from './Card.tsx'
import { NewcomerCard } from './NewcomerCard.tsx'
import { NextSteps } from './NextSteps.tsx'
import { PageHeading } from './PageHeading.tsx'
import { PageTitle } from './PageTitle.tsx'
import { PlaceCard } from './PlaceCard.tsx'
import { VerificationBadge } from './VerificationBadge.tsx'

/** The home page of someone who is signed in. */
export function Overview({ user }: { user: User }) {
  return (
    <div className="flex flex-col gap-6">
      <PageTitle>{say('Overview')}</PageTitle>
      <Card className="flex flex-wrap items-center gap-5">
        <Avatar name={user.username} size={68} />
        <div className="min-w-0 flex-1 basis-56">
          <PageHeading className="text-2xl break-words sm:text-3xl">
            {say('Hello, {name}', { name: user.username })}
          </PageHeading>
          <p className="mt-1.5 flex flex-wrap items-center gap-x-3 gap-y-1.5 text-sm text-muted">
            {user.email && <span className="break-all">{user.email}</span>}
            <VerificationBadge user={user} />
            <span>{say('With us since {date}', { date: formatDate(user.createdAt) })}</span>
          </p>
        </div>
      </Card>
      <NewcomerCard user={user} />
      <NextSteps user={user} />
      <section aria-label={say('Your account')} className="grid gap-4 sm:grid-cols-2">
        <PlaceCard to="/account/profile" icon={UserRound} title={say('Profile')}>
          {say('Your name, your e-mail address and your own fields.')}
        </PlaceCard>
        <PlaceCard to="/account/wallets" icon={WalletMinimal} title={say('Wallets')}>
          {say('The wallets that open your account.')}
        </PlaceCard>
        <PlaceCard to="/account/portfolio" icon={ChartPie} title={say('Portfolio')}>
          {say('What your wallets hold, and what came and went.')}
        </PlaceCard>
        <PlaceCard to="/account/sessions" icon={Laptop} title={say('Sessions')}>
          {say('Where you are signed in, and how to end it there.')}
        </PlaceCard>
        <PlaceCard to="/account/security" icon={ShieldCheck} title={say('Security')}>
          {say('Your password, your passkeys and your recovery codes.')}
        </PlaceCard>
        <PlaceCard to="/account/activity" icon={History} title={say('Activity')}>
          {say('What happened to your account, and when.')}
        </PlaceCard>
        <PlaceCard to="/explorer" icon={Compass} title={say('Explorer')}>
          {say('Blocks, transactions, addresses and names.')}
        </PlaceCard>
      </section>
    </div>
  )
}
