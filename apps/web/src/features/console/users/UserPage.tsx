import type { ConsoleUserRecord } from '@countersign/protocol'
import { ArrowLeft } from 'lucide-react'
import { Link, useParams } from 'react-router'
import { useNames } from '../../../chain/useNames.ts'
import { formatNumber, formatTime } from '../../../i18n/format.ts'
import { t } from '../../../i18n/translate.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { ButtonLink } from '../../../ui/Button.tsx'
import { Card, CardHeader } from '../../../ui/Card.tsx'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { Detail, DetailList } from '../../../ui/DetailRow.tsx'
import { ReadingStatus } from '../../../ui/feedback/ReadingStatus.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { RelativeTime } from '../../../ui/RelativeTime.tsx'
import { useAsk } from '../ask.ts'
import { describeRole, describeStatus } from './describeUser.ts'
import { UserActions } from './UserActions.tsx'
import { UserRoles } from './UserRoles.tsx'
import { UserSessions } from './UserSessions.tsx'
import { UserTimeline } from './UserTimeline.tsx'

/** One user: identity, sign-in methods, activity and actions. */
export function UserPage() {
  const { objectId = '' } = useParams()
  const user = useAsk('getConsoleUser', { objectId })
  return (
    <>
      <ButtonLink to="/admin/users" look="ghost" className="-ms-3 mb-2">
        <ArrowLeft size={18} aria-hidden="true" className="rtl:-scale-x-100" />
        {t('All users')}
      </ButtonLink>
      <ReadingStatus reading={user} failure={t('The user could not be loaded')} always titled />
      {user.data && <UserCards user={user.data} onChanged={user.refetch} />}
    </>
  )
}

function UserCards({ user, onChanged }: { user: ConsoleUserRecord; onChanged: () => void }) {
  const { objectId, username, email, emailVerified, status, createdAt, lastSeenAt, operator, isGuest } = user
  return (
    <>
      <PageHeader title={username}>
        <span className="inline-flex flex-wrap items-center gap-1">
          <code className="text-sm">{objectId}</code>
          <CopyButton text={objectId} label={t('Copy ID')} />
          <Badges user={user} />
        </span>
      </PageHeader>
      <UserActions user={user} onChanged={onChanged} />
      <div className="mt-6 grid items-start gap-6 xl:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-6">
          <Card aria-labelledby="profile">
            <CardHeader id="profile" title={t('Profile')} />
            <DetailList>
              <Detail name={t('Status')}>
                {describeStatus(status)}
                {user.deletedAt && ` · ${formatTime(new Date(user.deletedAt))}`}
              </Detail>
              {email && (
                <Detail name={t('Email address')}>
                  <bdi>{email}</bdi> · {emailVerified ? t('Verified') : t('Not verified')}
                </Detail>
              )}
              <Detail name={t('Created')}>{formatTime(new Date(createdAt))}</Detail>
              {lastSeenAt && (
                <Detail name={t('Last seen')}>
                  <RelativeTime date={new Date(lastSeenAt)} />
                </Detail>
              )}
              {isGuest && <Detail name={t('Type')}>{t('Guest')}</Detail>}
              {operator && <Detail name={t('Console')}>{describeRole(operator)}</Detail>}
            </DetailList>
            <details className="mt-4 text-sm">
              <summary className="inline-flex min-h-11 items-center font-semibold text-accent">
                {t('All fields')}
              </summary>
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reached by the keyboard */}
              <pre dir="ltr" tabIndex={0} className="max-h-96 overflow-auto rounded-control bg-sunken p-4 text-xs">
                {JSON.stringify(user.fields, null, 2)}
              </pre>
            </details>
          </Card>
          <SignInMethods user={user} />
          <UserRoles user={user} onChanged={onChanged} />
          <UserSessions user={user} onChanged={onChanged} />
          {user.objects.length > 0 && (
            <Card aria-labelledby="objects">
              <CardHeader id="objects" title={t('Objects')}>
                {t('Objects this user can edit')}
              </CardHeader>
              <DetailList>
                {user.objects.map(({ className, count, isMore }) => (
                  <Detail key={className} name={className}>
                    <Link to={`/admin/data/${className}`} className="font-semibold text-accent">
                      {formatNumber(count)}
                      {isMore && '+'}
                    </Link>
                  </Detail>
                ))}
              </DetailList>
            </Card>
          )}
        </div>
        <UserTimeline user={user} />
      </div>
    </>
  )
}

function Badges({ user: { status, operator, secondFactor } }: { user: ConsoleUserRecord }) {
  return (
    <span className="flex flex-wrap gap-2">
      <Badge tone={status === 'active' ? 'ok' : 'warn'}>{describeStatus(status)}</Badge>
      {secondFactor && <Badge>{t('Second factor on')}</Badge>}
      {operator && <Badge tone="accent">{describeRole(operator)}</Badge>}
    </span>
  )
}

function SignInMethods({ user: { signInMethods, secondFactor } }: { user: ConsoleUserRecord }) {
  const { password, wallets, passkeys, identities = [] } = signInMethods
  const nameOf = useNames(wallets.map(({ address }) => address))
  return (
    <Card aria-labelledby="methods">
      <CardHeader id="methods" title={t('Sign-in methods')} />
      <DetailList>
        <Detail name={t('Password')}>{password ? t('Set|state') : t('Not set')}</Detail>
        {wallets.length > 0 && (
          <Detail name={t('Wallets')}>
            {wallets.map(({ objectId, address }) => (
              <span key={objectId} className="block">
                {nameOf(address) && <bdi className="me-2 wrap-anywhere">{nameOf(address)}</bdi>}
                <code className="text-xs break-all">{address}</code>
              </span>
            ))}
          </Detail>
        )}
        {passkeys.length > 0 && <Detail name={t('Passkeys')}>{formatNumber(passkeys.length)}</Detail>}
        {identities.length > 0 && (
          <Detail name={t('Providers')}>{identities.map(({ provider }) => provider).join(', ')}</Detail>
        )}
        <Detail name={t('Second factor')}>{secondFactor ? t('On') : t('Off')}</Detail>
      </DetailList>
    </Card>
  )
}
