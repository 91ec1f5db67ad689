import { type CountersignError, isPasskeySupported } from '@countersign/react'
import {
  type MergePreview,
  useMergeAccounts,
  usePreviewAccountMerge,
  useUndoAccountMerge,
} from '@countersign/react/account'
import {
  type Client,
  signInWithPasskey,
  signInWithPassword,
  signInWithProvider,
  signOut,
} from '@countersign/react/core'
import { Fingerprint, LogIn } from 'lucide-react'
import { useRef, useState } from 'react'
import { needsStepUp } from '../../account/signIn/useConfirmation.ts'
import { useConfig } from '../../config/config.ts'
import { formatList } from '../../i18n/format.ts'
import { t, translateError } from '../../i18n/translate.ts'
import { Button } from '../../ui/Button.tsx'
import { Card, CardHeader } from '../../ui/Card.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Alert } from '../../ui/feedback/Alert.tsx'
import { toasts } from '../../ui/feedback/toasts.ts'
import { TextField } from '../../ui/forms/Field.tsx'
import { Form } from '../../ui/forms/Form.tsx'
import { PasswordField } from '../../ui/forms/PasswordField.tsx'

type SignIn = (other: Client) => Promise<unknown>

/** Another account of the same person: they sign in to it, see what would move, and merge it into this one. */
export function MergeCard({ onStepUp }: { onStepUp: (again: () => void) => void }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Card aria-labelledby="merge">
      <CardHeader
        id="merge"
        title={t('Merge another account')}
        aside={
          <Button look="secondary" onClick={() => setOpen(true)}>
            {t('Merge…')}
          </Button>
        }
      >
        {t('Have two accounts? Sign in to the other one to move its sign-in methods and data here.')}
      </CardHeader>
      {isOpen && <MergeDialog onClose={() => setOpen(false)} onStepUp={onStepUp} />}
    </Card>
  )
}

type Props = { onClose: () => void; onStepUp: (again: () => void) => void }

function MergeDialog({ onClose, onStepUp }: Props) {
  const { previewAccountMerge, ...proving } = usePreviewAccountMerge()
  const { mergeAccounts, ...merging } = useMergeAccounts()
  const { undoAccountMerge } = useUndoAccountMerge()
  const [preview, setPreview] = useState<MergePreview>()
  const proven = useRef<Client>(undefined)
  const prove = (signIn: SignIn) => {
    const remember: SignIn = (other) => {
      proven.current = other
      return signIn(other)
    }
    void previewAccountMerge({ signIn: remember }, { onSuccess: setPreview, onError: () => {} })
  }
  const close = () => {
    // The session that proved the other account has served its purpose.
    if (preview && proven.current) void signOut(proven.current, { onError: () => {} })
    onClose()
  }
  const fail = (again: () => void) => (error: CountersignError) =>
    needsStepUp(error) ? onStepUp(again) : toasts.add(translateError(error), 'danger')
  const undo = (merged: MergePreview) => {
    const done = t('Merge undone. {name} is a separate account again.', { name: merged.from.username })
    const onSuccess = () => toasts.add(done, 'ok')
    void undoAccountMerge({ objectId: merged.objectId }, { onSuccess, onError: fail(() => undo(merged)) })
  }
  const merge = (shown: MergePreview) => {
    const onSuccess = () => {
      const done = t('{name} was merged into your account.', { name: shown.from.username })
      toasts.add(done, 'ok', { label: t('Undo'), run: () => undo(shown) })
      onClose()
    }
    void mergeAccounts({ objectId: shown.objectId }, { onSuccess, onError: fail(() => merge(shown)) })
  }
  return (
    <Dialog
      open
      onOpenChange={close}
      title={preview ? t('Merge these accounts?') : t('Merge another account')}
      description={preview ? undefined : t('Sign in to the other account. You stay signed in here.')}
    >
      {preview ? (
        <div className="flex flex-col gap-5">
          <MergeDetails preview={preview} />
          <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
            <Button look="secondary" onClick={close}>
              {t('Cancel')}
            </Button>
            <Button pending={merging.status === 'pending'} onClick={() => merge(preview)}>
              {t('Merge accounts')}
            </Button>
          </div>
        </div>
      ) : (
        <Proofs
          pending={proving.status === 'pending'}
          error={proving.status === 'error' && proving.error.reason !== 'cancelled' ? proving.error : undefined}
          onProve={prove}
        />
      )}
    </Dialog>
  )
}

type ProofsProps = { pending: boolean; error: CountersignError | undefined; onProve: (signIn: SignIn) => void }

/** By the password, a passkey or a provider: whichever the other account has. A wallet proves it where it is linked. */
function Proofs({ pending, error, onProve }: ProofsProps) {
  const { providers = [] } = useConfig()
  const formRef = useRef<HTMLFormElement>(null)
  const options = { throwOnError: true } as const
  return (
    <div className="flex flex-col gap-5">
      {error && <Alert tone="danger" title={translateError(error)} />}
      <Form
        formRef={formRef}
        label={t('Sign in to the other account')}
        onSubmit={({ username = '', password = '' }) =>
          pending || onProve((other) => signInWithPassword(other, { username, password }, options))
        }
      >
        <TextField
          label={t('Username or email')}
          name="username"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          required
        />
        <PasswordField label={t('Password')} name="password" autoComplete="off" required />
        <Button type="submit" pending={pending}>
          {t('Continue')}
        </Button>
      </Form>
      {isPasskeySupported() && (
        <Button
          look="secondary"
          pending={pending}
          onClick={() => onProve((other) => signInWithPasskey(other, options))}
        >
          <Fingerprint size={18} aria-hidden="true" />
          {t('Use a passkey')}
        </Button>
      )}
      {providers
        .filter(({ kind }) => kind !== 'farcaster')
        .map(({ name, label }) => (
          <Button
            key={name}
            look="secondary"
            pending={pending}
            onClick={() => onProve((other) => signInWithProvider(other, { provider: name, display: 'popup' }, options))}
          >
            <LogIn size={18} aria-hidden="true" />
            {t('Continue with {provider}', { provider: label })}
          </Button>
        ))}
      <p className="text-sm text-muted">{t('If the other account has a wallet, link that wallet to merge it.')}</p>
    </div>
  )
}

function MergeDetails({ preview }: { preview: MergePreview }) {
  const { from, into, wallets, passkeys, identities = [], fields, kept } = preview
  const moved = wallets.length + passkeys.length + identities.length
  const lines = [
    ...(moved > 0
      ? [t('{count, plural, one {# sign-in method moves} other {# sign-in methods move}} here.', { count: moved })]
      : []),
    ...(fields.length > 0 ? [t('Added to your account: {fields}.', { fields: formatList(fields) })] : []),
    ...(kept.length > 0 ? [t('Kept as they are in your account: {fields}.', { fields: formatList(kept) })] : []),
  ]
  return (
    <>
      <p className="wrap-anywhere">
        {t('{from} becomes part of {into} and can no longer sign in on its own. You can undo this for 7 days.', {
          from: from.username,
          into: into.username,
        })}
      </p>
      {lines.length > 0 && (
        <ul className="list-disc ps-5 text-sm text-muted wrap-anywhere">
          {lines.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
    </>
  )
}
