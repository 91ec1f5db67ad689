import { useSession } from '@countersign/react'
import { useCreateRecoveryCodes } from '@countersign/react/account'
import { Copy, Download, Printer } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { findSessionUser } from '../../account/session.ts'
import { needsStepUp } from '../../account/signIn/useConfirmation.ts'
import { useConfig } from '../../config/config.ts'
import { t } from '../../i18n/translate.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { downloadText } from '../../ui/downloadText.ts'
import { Alert } from '../../ui/feedback/Alert.tsx'
import { toasts } from '../../ui/feedback/toasts.ts'
import { describeError } from '../../ui/forms/describeError.ts'

type Input = { hasCodes: boolean; onStepUp: (again: () => void) => void }

/** Generates recovery codes and shows them once. If there are some, it confirms first: those stop working. */
export function useRecoveryCodes({ hasCodes, onStepUp }: Input): {
  start: () => void
  isPending: boolean
  dialogs: ReactNode
} {
  const { createRecoveryCodes, status } = useCreateRecoveryCodes()
  const [shown, setShown] = useState<readonly string[]>()
  const [isAsking, setAsking] = useState(false)
  const generate = () =>
    void createRecoveryCodes({
      onSuccess: (codes) => {
        setAsking(false)
        setShown(codes)
      },
      onError: (error) => {
        setAsking(false)
        if (needsStepUp(error)) onStepUp(generate)
        else toasts.add(describeError(error).message, 'danger')
      },
    })
  const isPending = status === 'pending'
  return {
    start: hasCodes ? () => setAsking(true) : generate,
    isPending,
    dialogs: (
      <>
        <ConfirmDialog
          open={isAsking}
          onOpenChange={setAsking}
          title={t('Generate new codes?')}
          description={t('Your current codes will stop working.')}
          confirm={t('Generate new codes')}
          pending={isPending}
          onConfirm={generate}
        />
        <RecoveryCodesDialog key={shown?.[0]} codes={shown} onClose={() => setShown(undefined)} />
      </>
    ),
  }
}

/** New recovery codes, shown this once. Only after they were copied, saved or printed can one say that they are kept. */
function RecoveryCodesDialog({ codes, onClose }: { codes?: readonly string[]; onClose: () => void }) {
  const { appName } = useConfig()
  const username = findSessionUser(useSession())?.username ?? ''
  const [isKept, setKept] = useState(false)
  const title = t('Recovery codes for {name} at {app}. Each code works once.', {
    name: username,
    app: appName,
  })
  const text = `${title}\n\n${codes?.join('\n') ?? ''}\n`
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => {
        setKept(true)
        toasts.add(t('Codes copied.'), 'ok')
      },
      () => toasts.add(t('Your browser blocked copying. Save or print the codes instead.'), 'danger'),
    )
  const save = () => {
    downloadText(`recovery-codes-${username}.txt`, 'text/plain', text)
    setKept(true)
  }
  const print = () => {
    window.print()
    setKept(true)
  }
  return (
    <Dialog
      open={codes !== undefined}
      onOpenChange={onClose}
      title={t('Your recovery codes')}
      description={t('These codes are shown only once. Save them before closing.')}
    >
      <div className="print-only-this">
        <p className="hidden print:mb-4 print:block">{title}</p>
        <ul
          aria-label={t('Recovery codes')}
          className="grid grid-cols-1 gap-x-6 gap-y-2 rounded-control bg-sunken p-4 font-mono text-sm min-[26rem]:grid-cols-2"
        >
          {codes?.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
      </div>
      <Alert tone="warn" className="mt-4">
        {t('Anyone with a code and your username can sign in as you.')}
      </Alert>
      <div className="mt-5 flex flex-wrap gap-2">
        <Button look="secondary" onClick={() => void copy()}>
          <Copy size={18} aria-hidden="true" /> {t('Copy')}
        </Button>
        <Button look="secondary" onClick={save}>
          <Download size={18} aria-hidden="true" /> {t('Save')}
        </Button>
        <Button look="secondary" onClick={print}>
          <Printer size={18} aria-hidden="true" /> {t('Print')}
        </Button>
        <Button onClick={onClose} disabled={!isKept} className="grow">
          {t('I’ve saved my codes')}
        </Button>
      </div>
    </Dialog>
  )
}
