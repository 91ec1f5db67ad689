import type { ConsoleUserRecord } from '@countersign/protocol'
import { ArrowLeft } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { describeActivity, describeOrigin } from '../../../account/describeActivity.ts'
import { nameDevice } from '../../../account/describeDevice.ts'
import { impersonation } from '../../../account/impersonation.ts'
import { formatNumber, formatTime } from '../../../i18n/format.ts'
import { t } from '../../../i18n/translate.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button, ButtonLink } from '../../../ui/Button.tsx'
import { Card, CardHeader } from '../../../ui/Card.tsx'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { Detail, DetailList, Facts } from '../../../ui/DetailRow.tsx'
import { downloadText } from '../../../ui/downloadText.ts'
import { ReadingStatus } from '../../../ui/feedback/ReadingStatus.tsx'
import { toasts } from '../../../ui/feedback/toasts.ts'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { RelativeTime } from '../../../ui/RelativeTime.tsx'
import { type AskName, useAct, useAsk, useConsole } from '../ask.ts'
import { describeRole, describeStatus } from '../describe.ts'

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
      <PageHeader title={username} aside={<Badges user={user} />}>
        <span className="inline-flex flex-wrap items-center gap-1">
          <code className="text-sm">{objectId}</code>
          <CopyButton text={objectId} label={t('Copy ID')} />
        </span>
      </PageHeader>
      <div className="flex flex-col gap-6">
        <Actions user={user} onChanged={onChanged} />
        <Card aria-labelledby="profile">
          <CardHeader id="profile" title={t('Profile')} />
          <DetailList>
            <Detail name={t('Status')}>{describeStatus(status)}</Detail>
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
            {user.roles.length > 0 && <Detail name={t('Roles')}>{user.roles.join(', ')}</Detail>}
          </DetailList>
          <details className="mt-4 text-sm">
            <summary className="inline-flex min-h-11 items-center font-semibold text-accent">{t('All fields')}</summary>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reached by the keyboard */}
            <pre dir="ltr" tabIndex={0} className="max-h-96 overflow-auto rounded-control bg-sunken p-4 text-xs">
              {JSON.stringify(user.fields, null, 2)}
            </pre>
          </details>
        </Card>
        <SignInMethods user={user} />
        <Sessions user={user} />
        <History user={user} />
        {user.objects.length > 0 && (
          <Card aria-labelledby="objects">
            <CardHeader id="objects" title={t('Objects')}>
              {t('Objects this user can edit')}
            </CardHeader>
            <DetailList>
              {user.objects.map(({ className, count, isMore }) => (
                <Detail key={className} name={className}>
                  {formatNumber(count)}
                  {isMore && '+'}
                </Detail>
              ))}
            </DetailList>
          </Card>
        )}
      </div>
    </>
  )
}

function Badges({ user: { status, operator, secondFactor } }: { user: ConsoleUserRecord }) {
  return (
    <div className="flex flex-wrap gap-2">
      <Badge tone={status === 'active' ? 'ok' : 'warn'}>{describeStatus(status)}</Badge>
      {secondFactor && <Badge>{t('Second factor on')}</Badge>}
      {operator && <Badge tone="accent">{describeRole(operator)}</Badge>}
    </div>
  )
}

type Question = {
  title: string
  text: string
  confirm: string
  typed?: string
  danger?: boolean
  run: () => Promise<void>
}

/** Actions of the operator. The server decides; actions that the role forbids are not offered. */
function Actions({ user, onChanged }: { user: ConsoleUserRecord; onChanged: () => void }) {
  const { role } = useConsole()
  const act = useAct()
  const navigate = useNavigate()
  const [question, setQuestion] = useState<Question>()
  const [pending, setPending] = useState(false)
  const { objectId, username, status, email, emailVerified, operator } = user
  if (role === 'viewer' || (role === 'support' && operator)) return null

  const run = async (name: AskName, done: string) => {
    if ((await act(name, { objectId } as never)) === undefined) return
    toasts.add(done, 'ok')
    onChanged()
  }
  const confirm = async () => {
    setPending(true)
    await question?.run()
    setPending(false)
    setQuestion(undefined)
  }
  const impersonate = async () => {
    const begun = await act('impersonateUser', { objectId })
    if (!begun) return
    impersonation.begin({ ...begun.user, expiresAt: begun.expiresAt })
  }
  const download = async () => {
    const exported = await act('exportConsoleUser', { objectId })
    if (exported) downloadText(`${objectId}.json`, 'application/json', JSON.stringify(exported, null, 1))
  }
  const remove = async () => {
    if ((await act('deleteConsoleUser', { objectId })) === undefined) return
    toasts.add(t('User deleted'), 'ok')
    void navigate('/admin/users')
  }
  const button = (label: string, onClick: () => void, look: 'secondary' | 'danger-quiet' = 'secondary'): ReactNode => (
    <Button key={label} look={look} onClick={onClick}>
      {label}
    </Button>
  )
  return (
    <Card aria-labelledby="actions">
      <CardHeader id="actions" title={t('Actions')} />
      <div className="flex flex-wrap gap-2">
        {button(t('Sign out everywhere'), () =>
          setQuestion({
            title: t('Sign {name} out everywhere?', { name: username }),
            text: t('Signs this user out of all devices.'),
            confirm: t('Sign out everywhere'),
            run: () => run('signOutUser', t('All devices were signed out.')),
          }),
        )}
        {email &&
          !emailVerified &&
          button(t('Verify email'), () => void run('verifyUserEmail', t('Email address verified')))}
        {email && button(t('Send password reset'), () => void run('sendUserReset', t('Password reset link sent')))}
        {status === 'disabled' && button(t('Enable'), () => void run('enableUser', t('Account enabled')))}
        {role === 'admin' && (
          <>
            {!operator &&
              status === 'active' &&
              button(t('Impersonate'), () =>
                setQuestion({
                  title: t('Impersonate {name}?', { name: username }),
                  text: t(
                    'You see the application as this user for up to one hour. The audit log and the user’s activity record this.',
                  ),
                  confirm: t('Impersonate'),
                  run: impersonate,
                }),
              )}
            {button(t('Export data'), () => void download())}
          </>
        )}
        {!operator &&
          status === 'active' &&
          button(
            t('Disable'),
            () =>
              setQuestion({
                title: t('Disable {name}?', { name: username }),
                text: t('Signs out all devices. No sign-in method works until you enable the account again.'),
                confirm: t('Disable'),
                danger: true,
                run: () => run('disableUser', t('Account disabled')),
              }),
            'danger-quiet',
          )}
        {role === 'admin' &&
          !operator &&
          button(
            t('Delete'),
            () =>
              setQuestion({
                title: t('Delete {name}?', { name: username }),
                text: t('This permanently deletes the account. Export its data first if you might need it.'),
                confirm: t('Delete permanently'),
                typed: username,
                danger: true,
                run: remove,
              }),
            'danger-quiet',
          )}
      </div>
      {question && (
        <ConfirmDialog
          open
          onOpenChange={() => setQuestion(undefined)}
          title={question.title}
          description={question.text}
          confirm={question.confirm}
          typed={question.typed}
          danger={question.danger}
          pending={pending}
          onConfirm={() => void confirm()}
        />
      )}
    </Card>
  )
}

function SignInMethods({ user: { signInMethods, secondFactor } }: { user: ConsoleUserRecord }) {
  const { password, wallets, passkeys, identities = [] } = signInMethods
  return (
    <Card aria-labelledby="methods">
      <CardHeader id="methods" title={t('Sign-in methods')} />
      <DetailList>
        <Detail name={t('Password')}>{password ? t('Set|state') : t('Not set')}</Detail>
        {wallets.length > 0 && (
          <Detail name={t('Wallets')}>
            {wallets.map(({ objectId, address }) => (
              <code key={objectId} className="block text-xs break-all">
                {address}
              </code>
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

function Sessions({ user: { sessions } }: { user: ConsoleUserRecord }) {
  return (
    <Card aria-labelledby="sessions">
      <CardHeader id="sessions" title={t('Sessions')} />
      {sessions.length === 0 && <p className="text-sm text-muted">{t('No active sessions')}</p>}
      <ul className="-my-3 divide-y divide-line">
        {sessions.slice(0, 50).map(({ objectId, userAgent, ipAddress, createdAt, createdWith, lastUsedAt }) => (
          <li key={objectId} className="py-3">
            <p className="font-semibold">{nameDevice(userAgent)}</p>
            <p className="text-sm text-muted wrap-anywhere">
              <Facts
                items={[
                  describeOrigin(createdWith),
                  <RelativeTime key="used" date={new Date(lastUsedAt?.iso ?? createdAt)} />,
                  ipAddress,
                ]}
              />
            </p>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function History({ user: { activity } }: { user: ConsoleUserRecord }) {
  return (
    <Card aria-labelledby="activity">
      <CardHeader id="activity" title={t('Activity')} />
      {activity.length === 0 && <p className="text-sm text-muted">{t('Nothing yet')}</p>}
      <ul className="-my-3 divide-y divide-line">
        {activity.map((entry) => {
          const { title, subject } = describeActivity({ ...entry, at: new Date(entry.at) })
          return (
            <li key={entry.id} className="flex flex-wrap items-baseline justify-between gap-x-4 py-2.5 text-sm">
              <span className="wrap-anywhere">
                <span className="font-semibold">{title}</span>
                {subject && ` · ${subject}`}
              </span>
              <span className="text-muted">
                <Facts items={[entry.ipAddress, <RelativeTime key="at" date={new Date(entry.at)} />]} />
              </span>
            </li>
          )
        })}
      </ul>
    </Card>
  )
}
