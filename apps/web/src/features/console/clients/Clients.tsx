import type { OidcClientRecord } from '@countersign/protocol'
import { AppWindow } from 'lucide-react'
import { useState } from 'react'
import { formatNumber } from '../../../i18n/format.ts'
import { t } from '../../../i18n/translate.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { Detail, DetailList, DetailRow, RowIcon } from '../../../ui/DetailRow.tsx'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { ReadingStatus } from '../../../ui/feedback/ReadingStatus.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { useAsk, useConsole } from '../ask.ts'
import { useChange } from '../useChange.ts'
import { ClientForm } from './ClientForm.tsx'

/** Applications that sign people in with an account of this server. */
export function Clients() {
  const isAdmin = useConsole().role === 'admin'
  const clients = useAsk('listOidcClients', {})
  const [editing, setEditing] = useState<OidcClientRecord | 'new'>()
  const [deleting, setDeleting] = useState<OidcClientRecord>()
  const { pending, change } = useChange()
  const remove = async () => {
    if (!deleting) return
    const { clientId, name } = deleting
    const done = await change('deleteOidcClient', { clientId }, t('Deleted: {name}.', { name }))
    setDeleting(undefined)
    if (done) clients.refetch()
  }
  const list = clients.data?.results ?? []
  return (
    <>
      <PageHeader
        title={t('Apps')}
        aside={isAdmin && <Button onClick={() => setEditing('new')}>{t('New app')}</Button>}
      >
        {t('Applications where people sign in with their account here, by OpenID Connect.')}
      </PageHeader>
      <ReadingStatus reading={clients} failure={t('The apps could not be loaded')} />
      {clients.data && (
        <Card>
          {list.length === 0 ? (
            <EmptyState icon={AppWindow} title={t('No apps yet')}>
              {t('Create one for each product that people sign in to with their account here.')}
            </EmptyState>
          ) : (
            <ul className="-my-3.5 divide-y divide-line">
              {list.map((client) => (
                <ClientRow
                  key={client.clientId}
                  client={client}
                  isAdmin={isAdmin}
                  onEdit={() => setEditing(client)}
                  onDelete={() => setDeleting(client)}
                />
              ))}
            </ul>
          )}
        </Card>
      )}
      {editing && (
        <ClientForm
          {...(editing !== 'new' && { client: editing })}
          onClose={() => setEditing(undefined)}
          onSaved={clients.refetch}
        />
      )}
      <ConfirmDialog
        open={deleting !== undefined}
        onOpenChange={() => setDeleting(undefined)}
        title={t('Delete {name}?', { name: deleting?.name ?? '' })}
        description={t('Everyone who signed in to it loses access immediately.')}
        confirm={t('Delete')}
        danger
        pending={pending}
        onConfirm={() => void remove()}
      />
    </>
  )
}

type RowProps = { client: OidcClientRecord; isAdmin: boolean; onEdit: () => void; onDelete: () => void }

function ClientRow({ client, isAdmin, onEdit, onDelete }: RowProps) {
  const { name, clientId, users, kind, isTrusted, isRegistered, redirectUris } = client
  return (
    <DetailRow
      icon={<RowIcon icon={AppWindow} />}
      title={name}
      aside={
        <>
          {isTrusted && <Badge tone="ok">{t('Trusted')}</Badge>}
          {isRegistered && <Badge tone="warn">{t('Self-registered')}</Badge>}
        </>
      }
      facts={[t('Accounts: {count}', { count: formatNumber(users) })]}
      minorFact={kind === 'web' ? t('With a secret') : t('Without a secret')}
      actions={
        isAdmin && (
          <div className="flex flex-wrap gap-2">
            <Button look="secondary" onClick={onEdit} aria-label={t('Edit {name}', { name })}>
              {t('Edit')}
            </Button>
            <Button look="secondary" onClick={onDelete} aria-label={t('Delete {name}', { name })}>
              {t('Delete')}
            </Button>
          </div>
        )
      }
    >
      <DetailList>
        <Detail name={t('Client ID')}>
          <code className="text-xs break-all">{clientId}</code>
        </Detail>
        <Detail name={t('Redirect addresses')}>
          <ul className="flex flex-col gap-1">
            {redirectUris.map((uri) => (
              <li key={uri} dir="ltr" className="font-mono text-xs break-all">
                {uri}
              </li>
            ))}
          </ul>
        </Detail>
      </DetailList>
    </DetailRow>
  )
}
