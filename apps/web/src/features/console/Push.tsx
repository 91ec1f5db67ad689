import type { ObjectRecord, WireFields } from '@countersign/protocol'
import { BellRing } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { formatNumber, formatTime } from '../../i18n/format.ts'
import { t } from '../../i18n/translate.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Card, CardHeader } from '../../ui/Card.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { Detail, DetailList, DetailRow, RowIcon } from '../../ui/DetailRow.tsx'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { ReadingStatus } from '../../ui/feedback/ReadingStatus.tsx'
import { FieldFrame, inputClass, SelectField, TextField } from '../../ui/forms/Field.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { useAsk, useConsole } from './ask.ts'
import { DocsLink } from './DocsLink.tsx'
import { useChange } from './useChange.ts'

/** Milliseconds between two looks at what is being sent. */
const freshness = 5_000

/** Push notifications: a form with its audience and a preview, and those that were sent. */
export function Push() {
  const isAdmin = useConsole().role === 'admin'
  const sent = useAsk('findObjects', { className: '_PushStatus', order: '-createdAt', limit: 30 }, { every: freshness })
  return (
    <>
      <PageHeader title={t('Push notifications')} aside={<DocsLink page="push" />}>
        {t('Messages to the devices of your users.')}
      </PageHeader>
      <div className="flex flex-col gap-6">
        {isAdmin && <Composer onSent={sent.refetch} />}
        <Card aria-labelledby="sent">
          <CardHeader id="sent" title={t('Sent|noun')} />
          <ReadingStatus reading={sent} failure={t('The notifications could not be loaded')} bare />
          {sent.data?.results.length === 0 && <EmptyState icon={BellRing} title={t('Nothing sent yet')} />}
          <ul className="-mb-3.5 divide-y divide-line">
            {sent.data?.results.map((status) => (
              <SentRow key={status.objectId} status={status} />
            ))}
          </ul>
        </Card>
      </div>
    </>
  )
}

type Audience = 'all' | 'channels' | `saved ${string}`

function Composer({ onSent }: { onSent: () => void }) {
  const audiences = useAsk('listAudiences', { limit: 100 })
  const [title, setTitle] = useState('')
  const [body, setBody] = useState('')
  const [url, setUrl] = useState('')
  const [audience, setAudience] = useState<Audience>('all')
  const [channels, setChannels] = useState('')
  const [isAsking, setAsking] = useState(false)
  const { pending, change } = useChange()
  const saved = audiences.data?.results.find(({ objectId }) => audience === `saved ${objectId}`)
  const names = channels.split(',').flatMap((name) => name.trim() || [])
  const where: WireFields = audience === 'channels' ? { channels: { $in: names } } : (saved?.query ?? {})
  // Counted when asked for, by the query that is sent.
  const reach = useAsk(
    'findObjects',
    { className: '_Installation', where: { ...where, deviceToken: { $exists: true } }, count: 1, limit: 0 },
    { enabled: isAsking },
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setAsking(true)
  }
  const send = async () => {
    const data = { alert: body, ...(title && { title }), ...(url && { url }) }
    const input = saved ? { audience_id: saved.objectId, data } : { where, data }
    const done = await change('sendPush', input, t('Sending the notification'))
    setAsking(false)
    if (!done) return
    setTitle('')
    setBody('')
    setUrl('')
    onSent()
  }
  return (
    <Card aria-labelledby="compose">
      <CardHeader id="compose" title={t('New notification')} />
      <div className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <form onSubmit={submit} className="flex flex-col gap-4">
          <TextField
            label={t('Title')}
            value={title}
            onChange={(event) => setTitle(event.target.value)}
            maxLength={200}
          />
          <FieldFrame id="push-body" label={t('Message')}>
            <textarea
              id="push-body"
              dir="auto"
              rows={3}
              required
              maxLength={2000}
              value={body}
              onChange={(event) => setBody(event.target.value)}
              className={inputClass}
            />
          </FieldFrame>
          <TextField
            label={t('Link (optional)')}
            type="url"
            dir="ltr"
            value={url}
            onChange={(event) => setUrl(event.target.value)}
            maxLength={2000}
          />
          <SelectField
            label={t('Audience')}
            value={audience}
            options={[
              ['all', t('All devices')],
              ['channels', t('Channels')],
              ...(audiences.data?.results ?? []).map(({ objectId, name }) => [`saved ${objectId}`, name] as const),
            ]}
            onChange={(next) => setAudience(next as Audience)}
          />
          {audience === 'channels' && (
            <TextField
              label={t('Channels')}
              value={channels}
              onChange={(event) => setChannels(event.target.value)}
              hint={t('Separated by commas')}
              required
              maxLength={2000}
            />
          )}
          <div>
            <Button type="submit">{t('Review and send')}</Button>
          </div>
        </form>
        <Preview title={title} body={body} />
      </div>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={() => setAsking(false)}
        title={t('Send this notification?')}
        description={
          reach.data?.count === undefined
            ? t('Counting devices…')
            : t('{count, plural, one {It goes to # device.} other {It goes to # devices.}}', {
                count: reach.data.count,
              })
        }
        confirm={t('Send')}
        pending={pending}
        onConfirm={() => void send()}
      />
    </Card>
  )
}

/** The notification as most devices show it. */
function Preview({ title, body }: { title: string; body: string }) {
  const { appName } = useConsole()
  return (
    <section aria-label={t('Preview')} className="self-start rounded-card bg-sunken p-4">
      <p className="mb-2 text-xs font-semibold text-muted">{t('Preview')}</p>
      <div className="flex gap-3 rounded-control border border-line bg-surface p-3 shadow-card">
        <RowIcon icon={BellRing} />
        <div className="min-w-0">
          <p className="text-xs text-muted">{appName}</p>
          <p dir="auto" className="font-semibold wrap-anywhere">
            {title || appName}
          </p>
          <p dir="auto" className="text-sm wrap-anywhere whitespace-pre-wrap">
            {body || t('Your message')}
          </p>
        </div>
      </div>
    </section>
  )
}

function SentRow({ status: { createdAt, status, numSent, numFailed, payload, query } }: { status: ObjectRecord }) {
  const data = readPayload(payload)
  const failed = Number(numFailed ?? 0)
  return (
    <DetailRow
      icon={<RowIcon icon={BellRing} />}
      title={String(data.title ?? data.alert ?? t('Notification'))}
      aside={
        status === 'running' ? (
          <Badge>{t('Sending…')}</Badge>
        ) : (
          <Badge tone={failed > 0 ? 'warn' : 'ok'}>{failed > 0 ? t('Failed') : t('Sent')}</Badge>
        )
      }
      facts={[
        data.title !== undefined && <bdi key="alert">{String(data.alert ?? '')}</bdi>,
        t('{count, plural, one {# device} other {# devices}}', { count: Number(numSent ?? 0) }),
      ]}
      minorFact={<RelativeTime date={new Date(createdAt)} />}
    >
      <DetailList>
        <Detail name={t('Time')}>{formatTime(new Date(createdAt))}</Detail>
        <Detail name={t('Sent')}>{formatNumber(Number(numSent ?? 0))}</Detail>
        <Detail name={t('Failed')}>{formatNumber(failed)}</Detail>
        <Detail name={t('Audience')}>
          <code dir="ltr" className="text-xs break-all">
            {String(query)}
          </code>
        </Detail>
      </DetailList>
    </DetailRow>
  )
}

function readPayload(payload: unknown): WireFields {
  try {
    return Object(JSON.parse(String(payload))) as WireFields
  } catch {
    return {}
  }
}
