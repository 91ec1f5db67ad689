import type { User } from '@countersign/react'
import { Pencil } from 'lucide-react'
import { Suspense } from 'react'
import { Avatar } from '../../account/Avatar.tsx'
import { VerificationBadge } from '../../account/VerificationBadge.tsx'
import { formatDate } from '../../i18n/format.ts'
import { t } from '../../i18n/translate.ts'
import { ButtonLink } from '../../ui/Button.tsx'
import { lazyPart } from '../../ui/lazyPart.ts'
import { PageHeading, PageTitle } from '../../ui/Page.tsx'
import { OverviewSkeleton } from './OverviewSkeleton.tsx'

// The page stands before the code of its cards has come: that is most of it.
const OverviewCards = lazyPart(async () => (await import('./OverviewCards.tsx')).OverviewCards)

/** Home page of a signed-in user: assets, sessions and security. */
export function Overview({ user }: { user: User }) {
  return (
    <div className="flex flex-col gap-6">
      <PageTitle>{t('Overview')}</PageTitle>
      <div className="flex items-center gap-4 sm:gap-5">
        <Avatar name={user.username} size={56} />
        <div className="min-w-0 flex-1">
          <PageHeading className="text-2xl wrap-anywhere sm:text-3xl">
            {t('Hello, {name}', { name: user.username })}
          </PageHeading>
          <p className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
            {user.email ? (
              <span className="break-all">{user.email}</span>
            ) : (
              t('Joined {date}', { date: formatDate(user.createdAt) })
            )}
            <VerificationBadge user={user} />
          </p>
        </div>
        <ButtonLink look="secondary" to="/account/profile" aria-label={t('Edit profile')} className="max-sm:px-3">
          <Pencil size={18} aria-hidden="true" />
          <span className="max-sm:hidden">{t('Edit profile')}</span>
        </ButtonLink>
      </div>
      <Suspense fallback={<OverviewSkeleton />}>
        <OverviewCards user={user} />
      </Suspense>
    </div>
  )
}
