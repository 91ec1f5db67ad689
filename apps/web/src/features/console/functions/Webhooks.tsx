import type { DeliveryRecord, WebhookRecord } from '@countersign/protocol'
import { Plus, Send, Webhook } from 'lucide-react'
import { useState } from 'react'
import { formatTime } from '../../../i18n/format.ts'
import { t } from '../../../i18n/translate.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { Detail, DetailList, DetailRow, RowIcon } from '../../../ui/DetailRow.tsx'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { ReadingStatus } from '../../../ui/feedback/ReadingStatus.tsx'
import { toasts } from '../../../ui/feedback/toasts.ts'
import { ChipSelect } from '../../../ui/forms/ChipSelect.tsx'
import { RelativeTime } from '../../../ui/RelativeTime.tsx'
import { useAct, useAsk, useConsole } from '../ask.ts'
import { CodeBox } from '../CodeBox.tsx'
import { DocsLink } from '../DocsLink.tsx'
import { WebhookForm } from './WebhookForm.tsx'

/** Milliseconds between two looks at what was sent. */
const freshness = 5_000
const pageSize = 20

/** Webhooks and their deliveries. */
export function Webhooks() {
  const webhooks = useAsk('listWebhooks', {})
  const isAdmin = useConsole().role === 'admin'
  const [isOpen, setOpen] = useState(false)
  if (!webhooks.data) return <ReadingStatus reading={webhooks} failure={t('The webhooks could not be loaded')} />
  const create = isAdmin && (
    <Button look="secondary" onClick={() => setOpen(true)}>
      <Plus size={18} aria-hidden="true" />
      {t('New webhook')}
    </Button>
  )
  const isEmpty = webhooks.data.results.length === 0
  return (
    <>
      {!isEmpty && <div className="mb-4 flex justify-end">{create}</div>}
      {isOpen && <WebhookForm onClose={() => setOpen(false)} onSaved={webhooks.refetch} />}
      <Card>
        {isEmpty && (
          <EmptyState
            icon={Webhook}
            title={t('No webhooks')}
            actions={
              <>
                {create}
                <DocsLink page="webhooks" />
              </>
            }
          >
            {t('A webhook sends events to another server.')}
          </EmptyState>
        )}
        <ul className="-my-3.5 divide-y divide-line">
          {webhooks.data.results.map((webhook) => (
            <WebhookRow key={webhook.objectId} webhook={webhook} onChanged={webhooks.refetch} />
          ))}
        </ul>
      </Card>
    </>
  )
}

function WebhookRow({ webhook, onChanged }: { webhook: WebhookRecord; onChanged: () => void }) {
  const { objectId, url, events, classes, description, enabled } = webhook
  const isAdmin = useConsole().role === 'admin'
  const act = useAct()
  const [round, setRound] = useState(0)
  const [open, setOpen] = useState<'edit' | 'delete'>()
  const test = async () => {
    if (!(await act('testWebhook', { objectId }))) return
    toasts.add(t('Test event sent'), 'ok')
    setRound(round + 1)
  }
  const toggle = async () => {
    if (await act('updateWebhook', { objectId, enabled: !enabled })) onChanged()
  }
  const remove = async () => {
    const done = await act('deleteWebhook', { objectId })
    setOpen(undefined)
    if (!done) return
    toasts.add(t('Webhook deleted'), 'ok')
    onChanged()
  }
  return (
    <DetailRow
      icon={<RowIcon icon={Webhook} />}
      heading="h2"
      title={url}
      aside={!enabled && <Badge tone="warn">{t('Disabled')}</Badge>}
      facts={[description, events.join(', '), classes?.join(', ')]}
    >
      {isAdmin && (
        <div className="mb-3 flex flex-wrap gap-2">
          <Button look="secondary" onClick={() => void test()}>
            {t('Send test event')}
          </Button>
          <Button look="secondary" onClick={() => setOpen('edit')}>
            {t('Edit')}
          </Button>
          <Button look="ghost" onClick={() => void toggle()}>
            {enabled ? t('Disable') : t('Enable')}
          </Button>
          <Button look="danger-quiet" onClick={() => setOpen('delete')}>
            {t('Delete')}
          </Button>
        </div>
      )}
      {open === 'edit' && <WebhookForm webhook={webhook} onClose={() => setOpen(undefined)} onSaved={onChanged} />}
      <ConfirmDialog
        open={open === 'delete'}
        onOpenChange={() => setOpen(undefined)}
        title={t('Delete webhook?')}
        description={t('No more events are sent to {url}. Its delivery history is deleted too.', { url })}
        confirm={t('Delete')}
        danger
        onConfirm={() => void remove()}
      />
      <Deliveries key={round} objectId={objectId} />
    </DetailRow>
  )
}

function Deliveries({ objectId }: { objectId: string }) {
  const act = useAct()
  const [status, setStatus] = useState('')
  const [limit, setLimit] = useState(pageSize)
  const deliveries = useAsk('listDeliveries', { objectId, limit, ...(status && { status }) }, { every: freshness })
  const resend = async (deliveryId: string) => {
    if (!(await act('resendDelivery', { objectId, deliveryId }))) return
    toasts.add(t('Sending the event again'), 'ok')
    deliveries.refetch()
  }
  const results = deliveries.data?.results ?? []
  return (
    <>
      <ChipSelect
        label={t('Deliveries')}
        value={status}
        options={[
          ['', t('All deliveries')],
          ['failed', t('Failed')],
          ['pending', t('Waiting')],
          ['delivered', t('Delivered')],
        ]}
        onChange={setStatus}
      />
      <ReadingStatus reading={deliveries} failure={t('The deliveries could not be loaded')} bare />
      {deliveries.data && results.length === 0 && <p className="mt-3 text-sm text-muted">{t('Nothing sent yet')}</p>}
      <ul className="divide-y divide-line">
        {results.map((delivery) => (
          <Delivery key={delivery.objectId} delivery={delivery} onResend={() => void resend(delivery.objectId)} />
        ))}
      </ul>
      {results.length === limit && limit < 100 && (
        <Button look="ghost" onClick={() => setLimit(100)}>
          {t('Show more')}
        </Button>
      )}
    </>
  )
}

function Delivery({ delivery, onResend }: { delivery: DeliveryRecord; onResend: () => void }) {
  const isAdmin = useConsole().role === 'admin'
  const { createdAt, status, attempts, event, responseStatus, response, error, lastAttemptAt, nextAttemptAt } = delivery
  const kind = typeof event.type === 'string' ? event.type : t('Event')
  return (
    <DetailRow
      icon={<RowIcon icon={Send} />}
      title={kind}
      aside={
        <Badge tone={status === 'failed' ? 'warn' : status === 'delivered' ? 'ok' : 'neutral'}>
          {describe(status)}
        </Badge>
      }
      facts={[error ?? responseStatus, t('{count, plural, one {# attempt} other {# attempts}}', { count: attempts })]}
      minorFact={<RelativeTime date={new Date(createdAt)} />}
      actions={
        isAdmin && (
          <Button look="ghost" onClick={onResend}>
            {t('Send again')}
          </Button>
        )
      }
    >
      <DetailList>
        <Detail name={t('Time')}>{formatTime(new Date(createdAt))}</Detail>
        {lastAttemptAt && <Detail name={t('Last attempt')}>{formatTime(new Date(lastAttemptAt))}</Detail>}
        {nextAttemptAt && <Detail name={t('Next attempt')}>{formatTime(new Date(nextAttemptAt))}</Detail>}
        {response && (
          <Detail name={t('Response')}>
            <code className="text-xs break-all">{response}</code>
          </Detail>
        )}
      </DetailList>
      <div className="mt-3">
        <CodeBox label={t('Event')} text={JSON.stringify(event, null, 2)} />
      </div>
    </DetailRow>
  )
}

function describe(status: string): string {
  if (status === 'failed') return t('Failed')
  return status === 'delivered' ? t('Delivered') : t('Waiting')
}
