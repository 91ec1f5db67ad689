import { type ConnectedApp, useConnectedApps, useDisconnectApp } from '@countersign/react/account'
import { AppWindow } from 'lucide-react'
import { useState } from 'react'
import { describeScope } from '../../account/describeScope.ts'
import { formatTime } from '../../i18n/format.ts'
import { Trans } from '../../i18n/Trans.tsx'
import { t } from '../../i18n/translate.ts'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { Detail, DetailList, DetailRow, RowIcon } from '../../ui/DetailRow.tsx'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { ReadingStatus } from '../../ui/feedback/ReadingStatus.tsx'
import { toasts } from '../../ui/feedback/toasts.ts'
import { describeError } from '../../ui/forms/describeError.ts'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { useKeepFocus } from '../../ui/useKeepFocus.ts'

/** Applications with access to the account. */
export function ConnectedApps() {
  const apps = useConnectedApps()
  const { disconnectApp, status, error, reset } = useDisconnectApp()
  const list = apps.data ?? []
  useKeepFocus(list.length)
  const [ending, setEnding] = useState<ConnectedApp>()
  const close = () => {
    setEnding(undefined)
    reset()
  }
  const end = (app: ConnectedApp) =>
    disconnectApp(
      { id: app.id },
      {
        onSuccess() {
          toasts.add(t('{app} has no access any more.', { app: app.name }), 'ok')
          close()
        },
      },
    )
  return (
    <>
      <PageHeader title={t('Connected apps')}>
        {t('Apps that you sign in to with this account, and what they can do.')}
      </PageHeader>
      <ReadingStatus reading={apps} failure={t('Your apps could not be loaded')} />
      {apps.data && (
        <Card>
          {list.length === 0 ? (
            <EmptyState icon={AppWindow} title={t('No connected apps')}>
              {t('Apps appear here when you sign in to them with this account.')}
            </EmptyState>
          ) : (
            <ul className="-my-3.5 divide-y divide-line">
              {list.map((app) => (
                <AppRow key={app.id} app={app} onEnd={() => setEnding(app)} />
              ))}
            </ul>
          )}
        </Card>
      )}
      <ConfirmDialog
        open={ending !== undefined}
        onOpenChange={close}
        title={t('End the access of {app}?', { app: ending?.name ?? '' })}
        description={t('It is signed out immediately. You can connect it again later.')}
        confirm={t('End access')}
        danger
        pending={status === 'pending'}
        {...(error && { error: describeError(error).message })}
        onConfirm={() => ending && void end(ending)}
      />
    </>
  )
}

function AppRow({ app, onEnd }: { app: ConnectedApp; onEnd: () => void }) {
  const { name, host, scopes, connectedAt, lastUsedAt } = app
  return (
    <DetailRow
      icon={<RowIcon icon={AppWindow} />}
      title={name}
      facts={[
        <Trans key="time" text="Used {time}" values={{ time: <RelativeTime date={lastUsedAt ?? connectedAt} /> }} />,
      ]}
      minorFact={host}
      actions={
        <Button look="secondary" onClick={onEnd} aria-label={t('End the access of {app}', { app: name })}>
          {t('End access')}
        </Button>
      }
    >
      <DetailList>
        <Detail name={t('Connected')}>{formatTime(connectedAt)}</Detail>
        <Detail name={t('The app can:')}>
          <ul className="flex flex-col gap-1">
            {scopes.map((scope) => (
              <li key={scope}>{describeScope(scope)}</li>
            ))}
          </ul>
        </Detail>
      </DetailList>
    </DetailRow>
  )
}
