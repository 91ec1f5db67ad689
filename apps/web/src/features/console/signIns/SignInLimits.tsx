import type { SignInLockoutRecord, SignInRateLimitRecord } from '@countersign/protocol'
import { LockKeyhole, ShieldCheck, Timer } from 'lucide-react'
import { Link } from 'react-router'
import { formatNumber, formatTime } from '../../../i18n/format.ts'
import { t } from '../../../i18n/translate.ts'
import { Button } from '../../../ui/Button.tsx'
import { Card, CardHeader } from '../../../ui/Card.tsx'
import { RowIcon } from '../../../ui/DetailRow.tsx'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { ReadingStatus } from '../../../ui/feedback/ReadingStatus.tsx'
import { useAsk, useConsole } from '../ask.ts'
import { useChange } from '../useChange.ts'

/** Milliseconds between two looks. */
const every = 10_000

/** Lockouts and rate limits in force. Operators who may lift one get a button for it. */
export function SignInLimits() {
  const { role } = useConsole()
  const limits = useAsk('listSignInLimits', {}, { every })
  if (!limits.data)
    return <ReadingStatus reading={limits} failure={t('The lockouts and rate limits could not be loaded')} />
  const { lockouts, rateLimits } = limits.data
  if (lockouts.length + rateLimits.length === 0)
    return (
      <Card>
        <EmptyState icon={ShieldCheck} title={t('No lockout or rate limit is in force.')} />
      </Card>
    )
  return (
    <div className="flex flex-col gap-6">
      {lockouts.length > 0 && (
        <Card aria-labelledby="lockouts">
          <CardHeader id="lockouts" title={t('Lockouts')} />
          <ul aria-labelledby="lockouts" className="-my-3 divide-y divide-line">
            {lockouts.map((lockout) => (
              <Lockout key={lockout.objectId} lockout={lockout} mayLift={role !== 'viewer'} onLifted={limits.refetch} />
            ))}
          </ul>
        </Card>
      )}
      {rateLimits.length > 0 && (
        <Card aria-labelledby="rate-limits">
          <CardHeader id="rate-limits" title={t('Rate limits')} />
          <ul aria-labelledby="rate-limits" className="-my-3 divide-y divide-line">
            {rateLimits.map((limit) => (
              <RateLimit key={limit.objectId} limit={limit} mayLift={role === 'admin'} onLifted={limits.refetch} />
            ))}
          </ul>
        </Card>
      )}
    </div>
  )
}

type RowProps = { mayLift: boolean; onLifted: () => void }

function Lockout({ lockout, ...rest }: RowProps & { lockout: SignInLockoutRecord }) {
  const { objectId, user, secret, isKnownBrowser, failures, until } = lockout
  const guessed = { password: t('Password'), recovery: t('Recovery code'), additional: t('Provider') }[secret]
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
      <RowIcon icon={LockKeyhole} />
      <div className="min-w-0 flex-1 basis-60">
        <p className="font-semibold wrap-anywhere">
          {user ? (
            <Link to={`/admin/users/${user.objectId}`} className="text-accent hover:underline">
              <bdi>{user.username}</bdi>
            </Link>
          ) : (
            t('A name without an account')
          )}
        </p>
        <p className="text-sm text-muted">
          {[
            guessed,
            t('{count, plural, one {# failed sign-in} other {# failed sign-ins}}', { count: failures }),
            ...(isKnownBrowser ? [t('A browser that was signed in before')] : []),
            t('Until {time}', { time: formatTime(new Date(until)) }),
          ].join(' · ')}
        </p>
      </div>
      <Lift id={objectId} name={user?.username ?? t('A name without an account')} {...rest} />
    </li>
  )
}

function RateLimit({ limit, ...rest }: RowProps & { limit: SignInRateLimitRecord }) {
  const { objectId, address, path, methods, requests, until } = limit
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
      <RowIcon icon={Timer} />
      <div className="min-w-0 flex-1 basis-60">
        <p className="font-semibold wrap-anywhere">
          <bdi dir="ltr">{address}</bdi>
        </p>
        <p className="text-sm text-muted wrap-anywhere">
          <bdi dir="ltr">{[...(methods ? [methods.join(', ')] : []), path].join(' ')}</bdi>
          {' · '}
          {t('{count} requests allowed', { count: formatNumber(requests) })}
          {' · '}
          {t('Until {time}', { time: formatTime(new Date(until)) })}
        </p>
      </div>
      <Lift id={objectId} name={address} {...rest} />
    </li>
  )
}

function Lift({ id, name, mayLift, onLifted }: RowProps & { id: string; name: string }) {
  const { pending, change } = useChange()
  if (!mayLift) return null
  const lift = async () => {
    if (await change('liftSignInLimit', { limit: id }, t('Limit lifted'))) onLifted()
  }
  return (
    <Button
      look="secondary"
      pending={pending}
      aria-label={t('Lift the limit of {name}', { name })}
      onClick={() => void lift()}
    >
      {t('Lift|limit')}
    </Button>
  )
}
