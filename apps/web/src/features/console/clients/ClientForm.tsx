import { type OidcClientRecord, readList } from '@countersign/protocol'
import { type FormEvent, useState } from 'react'
import { getServer } from '../../../config/callEndpoint.ts'
import { t } from '../../../i18n/translate.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Alert } from '../../../ui/feedback/Alert.tsx'
import { toasts } from '../../../ui/feedback/toasts.ts'
import { SelectField, TextField } from '../../../ui/forms/Field.tsx'
import { SwitchField } from '../../../ui/forms/SwitchField.tsx'
import { ask, type Output } from '../ask.ts'
import { CodeBox } from '../CodeBox.tsx'
import { useFormChange } from '../useChange.ts'

type Props = { client?: OidcClientRecord; onClose: () => void; onSaved: () => void }

const example = 'https://app.example.com/callback'

/** Form of an application. Its secret is shown once, when it is created or renewed. */
export function ClientForm({ client, onClose, onSaved }: Props) {
  const [name, setName] = useState(client?.name ?? '')
  const [kind, setKind] = useState<'web' | 'public'>(client?.kind ?? 'web')
  const [uris, setUris] = useState(client?.redirectUris.join(' ') ?? '')
  const [leaving, setLeaving] = useState(client?.postLogoutRedirectUris.join(' ') ?? '')
  const { isTrusted = false, device = false, isPairwise = false } = client ?? {}
  const [flags, setFlags] = useState({ isTrusted, device, isPairwise })
  const { pending, problem, send } = useFormChange()
  const [saved, setSaved] = useState<Output<'createOidcClient'>>()

  const save = async (renewSecret: boolean) => {
    const input = { name, redirectUris: readList(uris), postLogoutRedirectUris: readList(leaving), ...flags }
    const answer = await send(
      (): Promise<Output<'createOidcClient'>> =>
        client
          ? ask('updateOidcClient', { clientId: client.clientId, ...input, ...(renewSecret && { renewSecret }) })
          : ask('createOidcClient', { ...input, kind }),
    )
    if (!answer) return
    onSaved()
    if (answer.secret || !client) setSaved(answer)
    else {
      toasts.add(t('App saved'), 'ok')
      onClose()
    }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void save(false)
  }
  if (saved) return <Credentials client={saved} onClose={onClose} />
  return (
    <Dialog open onOpenChange={onClose} title={client ? t('Edit app') : t('New app')}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <TextField
          label={t('Name')}
          value={name}
          onChange={(event) => setName(event.target.value)}
          hint={t('Shown to people who sign in')}
          required
          maxLength={80}
        />
        {!client && (
          <SelectField
            label={t('Kind')}
            value={kind}
            onChange={(value) => setKind(value === 'public' ? 'public' : 'web')}
            options={[
              ['web', t('Server: can keep a secret')],
              ['public', t('Page, native app or terminal')],
            ]}
          />
        )}
        <TextField
          label={t('Redirect addresses')}
          dir="ltr"
          value={uris}
          onChange={(event) => setUris(event.target.value)}
          placeholder={example}
          hint={t('Full addresses, separated by spaces')}
          maxLength={8000}
        />
        <TextField
          label={t('Addresses after signing out')}
          dir="ltr"
          value={leaving}
          onChange={(event) => setLeaving(event.target.value)}
          maxLength={8000}
        />
        <SwitchField
          label={t('Trusted')}
          hint={t('An app of your own: people are not asked for consent.')}
          checked={flags.isTrusted}
          onChange={(isTrusted) => setFlags({ ...flags, isTrusted })}
        />
        <SwitchField
          label={t('Device flow')}
          hint={t('For terminals and televisions.')}
          checked={flags.device}
          onChange={(device) => setFlags({ ...flags, device })}
        />
        <SwitchField
          label={t('IDs of its own')}
          hint={t('Other apps cannot recognize the same person by ID.')}
          checked={flags.isPairwise}
          onChange={(isPairwise) => setFlags({ ...flags, isPairwise })}
        />
        {problem && <Alert tone="danger">{problem}</Alert>}
        <div className="flex flex-wrap gap-2">
          <Button type="submit" pending={pending}>
            {client ? t('Save') : t('Create')}
          </Button>
          {client?.kind === 'web' && (
            <Button look="secondary" pending={pending} onClick={() => void save(true)}>
              {t('Save and renew secret')}
            </Button>
          )}
        </div>
      </form>
    </Dialog>
  )
}

/** Values for the application's configuration. */
function Credentials({ client, onClose }: { client: Output<'createOidcClient'>; onClose: () => void }) {
  const issuer = new URL('/oidc', new URL(getServer().serverUrl, window.location.href)).href
  return (
    <Dialog open onOpenChange={onClose} title={client.name}>
      <div className="flex flex-col gap-4">
        <CodeBox label={t('Issuer')} text={issuer} />
        <CodeBox label={t('Client ID')} text={client.clientId} />
        {client.secret && (
          <>
            <CodeBox label={t('Client secret')} text={client.secret} />
            <p className="text-sm font-semibold">{t('Save the secret now. It’s shown only once.')}</p>
          </>
        )}
        <Button onClick={onClose}>{t('Done')}</Button>
      </div>
    </Dialog>
  )
}
