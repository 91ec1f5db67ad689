import type { User } from '@countersign/react'
import {
  type AccountSecurity,
  type Session,
  type SignInMethods,
  useAccountSecurity,
  useActivity,
  useSessions,
  useSignInMethods,
} from '@countersign/react/account'
import { Laptop, Smartphone, Tablet, Terminal } from 'lucide-react'
import { type ReactNode, Suspense, useState, useSyncExternalStore } from 'react'
import { describeActivity } from '../../account/describeActivity.ts'
import { describeDevice, nameDevice } from '../../account/describeDevice.ts'
import { onboarding } from '../../account/onboarding.ts'
import { useConfig } from '../../config/config.ts'
import { formatList } from '../../i18n/format.ts'
import { Trans } from '../../i18n/Trans.tsx'
import { t } from '../../i18n/translate.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { Card, CardHeader } from '../../ui/Card.tsx'
import { LoadFailure } from '../../ui/feedback/EmptyState.tsx'
import { ReadingStatus } from '../../ui/feedback/ReadingStatus.tsx'
import { useShowsKept } from '../../ui/keptSince.ts'
import { TextLink } from '../../ui/Links.tsx'
import { lazyPart } from '../../ui/lazyPart.ts'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { AssetsCard } from './AssetsCard.tsx'
import { OverviewSkeleton } from './OverviewSkeleton.tsx'
import { listSetupSteps, SetupCard, type SetupStep, StepAction, useHiddenSteps } from './SetupCard.tsx'

const AddPasskeyFlow = lazyPart(async () => (await import('../../account/signIn/AddPasskeyFlow.tsx')).AddPasskeyFlow)

/** The cards of the overview. */
export function OverviewCards({ user }: { user: User }) {
  const signInMethods = useSignInMethods()
  const security = useAccountSecurity()
  useShowsKept(signInMethods)
  if (signInMethods.status === 'pending' || security.status === 'pending') return <OverviewSkeleton />
  if (signInMethods.data && security.data)
    return <Cards user={user} signInMethods={signInMethods.data} security={security.data} />
  const failed = signInMethods.status === 'error' ? signInMethods : security.status === 'error' ? security : undefined
  if (!failed) return null
  return (
    <Card>
      <LoadFailure
        title={t('Your account could not be loaded')}
        error={failed.error}
        onRetry={() => {
          void signInMethods.refetch()
          void security.refetch()
        }}
      />
    </Card>
  )
}

type KnownProps = { user: User; signInMethods: SignInMethods; security: AccountSecurity }

function Cards({ user, signInMethods, security }: KnownProps) {
  const { verifyUserEmails } = useConfig()
  const [isHidden, hide] = useHiddenSteps(user.objectId)
  const [isAdding, setAdding] = useState<boolean>()
  const isNew = useSyncExternalStore(onboarding.subscribe, onboarding.get) === user.objectId
  const steps = listSetupSteps({ user, signInMethods, security, verifyUserEmails })
  const open = steps.filter(({ isDone }) => !isDone)
  const hasCard = open.length > 0 && !isHidden && !isNew
  const addPasskey = () => setAdding(true)
  const hasWallets = signInMethods.wallets.length > 0
  return (
    <>
      {isNew && <OnboardingCard />}
      {hasWallets && <AssetsCard wallets={signInMethods.wallets} />}
      {hasCard && <SetupCard steps={steps} isFirst={!hasWallets} onAddPasskey={addPasskey} onDismiss={hide} />}
      {!hasWallets && <AssetsCard wallets={signInMethods.wallets} />}
      <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-2">
        <SecurityCard
          user={user}
          signInMethods={signInMethods}
          security={security}
          isComplete={open.length === 0}
          // Said once: above, or here when the steps were put away.
          next={hasCard || isNew ? undefined : open[0]}
          onAddPasskey={addPasskey}
        />
        <SessionsCard />
      </div>
      {isAdding !== undefined && (
        <Suspense>
          <AddPasskeyFlow open={isAdding} onOpenChange={setAdding} />
        </Suspense>
      )}
    </>
  )
}

/** Invites a new user, once. */
function OnboardingCard() {
  return (
    <Card aria-labelledby="newcomer">
      <CardHeader
        id="newcomer"
        title={t('Complete your account')}
        aside={
          <div className="flex flex-wrap gap-2">
            <Button look="ghost" onClick={onboarding.greet}>
              {t('Not now')}
            </Button>
            <ButtonLink to="/welcome">{t('Set up your account')}</ButtonLink>
          </div>
        }
      >
        {t('Pick a username and picture, and add a backup sign-in method. It takes a minute.')}
      </CardHeader>
    </Card>
  )
}

type SecurityCardProps = KnownProps & {
  isComplete: boolean
  next: SetupStep | undefined
  onAddPasskey: () => void
}

/** Sign-in and recovery methods, and the next useful step. */
function SecurityCard({ user, signInMethods, security, isComplete, next, onAddPasskey }: SecurityCardProps) {
  const { providers = [] } = useConfig()
  const { left, made } = security.recoveryCodes
  return (
    <Card aria-labelledby="overview-security">
      <CardTop id="overview-security" title={t('Security')}>
        <Badge tone={isComplete ? 'ok' : 'warn'}>{isComplete ? t('Complete|state') : t('Needs attention')}</Badge>
      </CardTop>
      <dl className="mt-3 divide-y divide-line border-y border-line text-sm *:py-2.5">
        <div>
          <dt className="text-muted">{t('Sign-in methods')}</dt>
          <dd className="font-medium">{describeMethods(signInMethods, providers)}</dd>
        </div>
        <div>
          <dt className="text-muted">{t('Recovery codes')}</dt>
          <dd className="font-medium">
            {made > 0 ? t('{left} of {made} remaining', { left, made }) : t('No recovery codes yet.')}
          </dd>
        </div>
        <div>
          <dt className="text-muted">{t('New-device alerts')}</dt>
          <dd className="font-medium">
            {!user.emailVerified ? t('Off: no verified email address') : security.signInAlerts ? t('On') : t('Off')}
          </dd>
        </div>
      </dl>
      {next && (
        <div className="mt-4 flex items-center justify-between gap-3">
          <p className="min-w-0 text-sm">{next.text}</p>
          <StepAction step={next} isFirst={false} onAddPasskey={onAddPasskey} />
        </div>
      )}
      <TextLink to="/account/security" className="-mb-3 mt-1 inline-flex min-h-11 items-center text-sm">
        {t('Manage security')}
      </TextLink>
    </Card>
  )
}

function describeMethods(
  { password, passkeys, wallets, emailCode, identities = [] }: SignInMethods,
  providers: readonly { name: string; label: string }[],
): string {
  const methods = [
    password && t('Password'),
    passkeys.length > 0 && t('{count, plural, one {# passkey} other {# passkeys}}', { count: passkeys.length }),
    wallets.length > 0 && t('{count, plural, one {# wallet} other {# wallets}}', { count: wallets.length }),
    emailCode && t('Email sign-in code'),
    ...identities.map(({ provider }) => providers.find(({ name }) => name === provider)?.label ?? provider),
  ]
  return formatList(methods.filter((method) => typeof method === 'string'))
}

const mostSessions = 3
const deviceIcons = { desktop: Laptop, phone: Smartphone, tablet: Tablet, program: Terminal }

/** Active sessions, and the last sign-in. */
function SessionsCard() {
  const sessions = useSessions()
  const latest = useActivity({ limit: 1, actions: ['signIn', 'signUp'] })
  if (!sessions.data)
    return (
      <ReadingStatus
        reading={sessions}
        failure={t('Your sessions could not be loaded')}
        label={t('Loading your sessions…')}
        titled
        rows={2}
      />
    )
  const seen = (session: Session) => (session.lastUsedAt ?? session.createdAt).getTime()
  const sorted = [...sessions.data].sort(
    (one, other) => Number(other.current) - Number(one.current) || seen(other) - seen(one),
  )
  const last = latest.data?.[0]
  return (
    <Card aria-labelledby="overview-sessions">
      <CardTop
        id="overview-sessions"
        title={t('{count, plural, one {# active session} other {# active sessions}}', { count: sorted.length })}
      />
      <ul className="mt-3 divide-y divide-line border-y border-line">
        {sorted.slice(0, mostSessions).map((session) => {
          const Icon = deviceIcons[describeDevice(session.userAgent).kind]
          return (
            <li key={session.objectId} className="flex items-center gap-3 py-2.5 text-sm">
              <Icon size={19} aria-hidden="true" className="shrink-0 text-muted" />
              <span className="min-w-0 flex-1 truncate font-medium">{nameDevice(session.userAgent)}</span>
              {session.current ? (
                <Badge tone="accent">{t('This device')}</Badge>
              ) : (
                <span className="shrink-0 text-muted">
                  <RelativeTime date={new Date(seen(session))} />
                </span>
              )}
            </li>
          )
        })}
      </ul>
      {last && (
        <p className="mt-3 text-sm text-muted">
          <Trans
            text="Last sign-in {time}: {how}"
            values={{
              time: <RelativeTime date={last.at} />,
              how: formatList([describeActivity(last).title, nameDevice(last.userAgent)]),
            }}
          />
        </p>
      )}
      <TextLink to="/account/sessions" className="-mb-3 mt-1 inline-flex min-h-11 items-center text-sm">
        {t('Manage sessions')}
      </TextLink>
    </Card>
  )
}

function CardTop({ id, title, children }: { id: string; title: string; children?: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
      <h2 id={id} className="text-lg">
        {title}
      </h2>
      {children}
    </div>
  )
}
