import type { WebhookRecord } from '@countersign/protocol'
import { type FormEvent, useId, useState } from 'react'
import { t } from '../../../i18n/translate.ts'
import { Button } from '../../../ui/Button.tsx'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Alert } from '../../../ui/feedback/Alert.tsx'
import { toasts } from '../../../ui/feedback/toasts.ts'
import { TextField } from '../../../ui/forms/Field.tsx'
import { ask } from '../ask.ts'
import { useFormChange } from '../useChange.ts'

type Props = { webhook?: WebhookRecord; onClose: () => void; onSaved: () => void }

const objectEvents = ['object.created', 'object.updated', 'object.deleted'] as const
const userEvents = ['user.signUp', 'user.signIn', 'user.linkWallet', 'user.changeEmail', 'user.deleteAccount'] as const

const examples = { url: 'https://', event: 'user.addPasskey' }

const readList = (text: string) => [...new Set(text.split(/[\s,]+/).filter(Boolean))]

/** Form of a webhook. A secret is shown once, when it is created or renewed. */
export function WebhookForm({ webhook, onClose, onSaved }: Props) {
  const known: readonly string[] = [...objectEvents, ...userEvents]
  const [url, setUrl] = useState(webhook?.url ?? '')
  const [events, setEvents] = useState<readonly string[]>(webhook?.events ?? ['object.created'])
  const [classes, setClasses] = useState(webhook?.classes?.join(', ') ?? '')
  const [description, setDescription] = useState(webhook?.description ?? '')
  const { pending, problem, setProblem, send } = useFormChange()
  const [secret, setSecret] = useState<string>()
  const others = events.filter((event) => !known.includes(event)).join(', ')
  const toggle = (event: string) =>
    setEvents(events.includes(event) ? events.filter((each) => each !== event) : [...events, event])

  const save = async (renewSecret: boolean) => {
    const given = readList(classes)
    const input = {
      url,
      events: [...events],
      classes: given.length > 0 ? given : null,
      description: description || null,
    }
    const saved = await send(
      (): Promise<WebhookRecord & { secret?: string | undefined }> =>
        webhook
          ? ask('updateWebhook', { objectId: webhook.objectId, ...input, ...(renewSecret && { renewSecret }) })
          : ask('createWebhook', input),
    )
    if (!saved) return
    toasts.add(webhook ? t('Webhook saved') : t('Webhook created'), 'ok')
    onSaved()
    if (saved.secret) setSecret(saved.secret)
    else onClose()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (events.length === 0) setProblem(t('Choose at least one event.'))
    else void save(false)
  }
  const title = webhook ? t('Edit webhook') : t('New webhook')
  if (secret) return <SecretDialog secret={secret} onClose={onClose} />
  return (
    <Dialog open onOpenChange={onClose} title={title} isWide>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <TextField
          label={t('Web address')}
          type="url"
          dir="ltr"
          value={url}
          onChange={(event) => setUrl(event.target.value)}
          placeholder={examples.url}
          required
          maxLength={2000}
        />
        <fieldset>
          <legend className="mb-1.5 text-sm font-semibold">{t('Events')}</legend>
          <div className="grid gap-x-4 sm:grid-cols-2">
            {known.map((event) => (
              <EventBox key={event} event={event} checked={events.includes(event)} onToggle={() => toggle(event)} />
            ))}
          </div>
        </fieldset>
        <TextField
          label={t('Other events')}
          dir="ltr"
          defaultValue={others}
          onBlur={(event) =>
            setEvents([...events.filter((each) => known.includes(each)), ...readList(event.target.value)])
          }
          placeholder={examples.event}
          maxLength={2000}
        />
        <TextField
          label={t('Only these classes')}
          dir="ltr"
          value={classes}
          onChange={(event) => setClasses(event.target.value)}
          hint={t('Empty: all classes')}
          maxLength={2000}
        />
        <TextField
          label={t('Description')}
          value={description}
          onChange={(event) => setDescription(event.target.value)}
          maxLength={500}
        />
        {problem && <Alert tone="danger">{problem}</Alert>}
        <div className="flex flex-wrap gap-2">
          <Button type="submit" pending={pending}>
            {webhook ? t('Save') : t('Create')}
          </Button>
          {webhook && (
            <Button look="secondary" pending={pending} onClick={() => void save(true)}>
              {t('Save and renew secret')}
            </Button>
          )}
        </div>
      </form>
    </Dialog>
  )
}

/** The secret that signs events, which nobody can read later. */
function SecretDialog({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <Dialog open onOpenChange={onClose} title={t('Signing secret')}>
      <p className="text-sm">{t('Your server checks the signature of each event with it. It is not shown again.')}</p>
      <p className="mt-3 flex items-center gap-2 rounded-control bg-sunken p-3">
        <code dir="ltr" className="min-w-0 flex-1 text-xs break-all">
          {secret}
        </code>
        <CopyButton text={secret} label={t('Copy secret')} />
      </p>
      <Button className="mt-5" onClick={onClose}>
        {t('Done')}
      </Button>
    </Dialog>
  )
}

function EventBox({ event, checked, onToggle }: { event: string; checked: boolean; onToggle: () => void }) {
  const id = useId()
  return (
    <label htmlFor={id} className="flex min-h-11 items-center gap-3 text-sm sm:min-h-9">
      <input id={id} type="checkbox" checked={checked} onChange={onToggle} className="size-5 shrink-0 accent-accent" />
      <code dir="ltr" className="wrap-anywhere">
        {event}
      </code>
    </label>
  )
}
