import { useSession } from '@countersign/react'
import { Copy, Download, Printer } from 'lucide-react'
import { downloadText } from '../lib/downloadText.ts'
import { findSessionUser } from '../lib/findSessionUser.ts'
import { say } from '../lib/say.ts'
import { toasts } from '../lib/toasts.ts'
import { useConfig } from '../lib/useConfig.ts'
import { Alert } from './Alert.tsx'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'

/** New recovery codes, shown this once. */
export function RecoveryCodesDialog({ codes, onClose }: { codes?: readonly string[]; onClose: () => void }) {
  const { appName } = useConfig()
  const username = findSessionUser(useSession())?.username ?? ''
  const title = say('Recovery codes for {name} at {app}. Each opens the account once.', {
    name: username,
    app: appName,
  })
  const text = `${title}\n\n${codes?.join('\n') ?? ''}\n`
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => toasts.add(say('The codes are copied.'), 'ok'),
      () => toasts.add(say('The browser did not let them be copied. Save or print them instead.'), 'danger'),
    )
  return (
    <Dialog
      open={codes !== undefined}
      onOpenChange={onClose}
      title={say('Your recovery codes')}
      description={say('They are shown this once. Save them before you close this.')}
    >
      <div className="print-only-this">
        <p className="hidden print:mb-4 print:block">{title}</p>
        <ul
          aria-label={say('Recovery codes')}
          className="grid grid-cols-1 gap-x-6 gap-y-2 rounded-control bg-sunken p-4 font-mono text-sm min-[26rem]:grid-cols-2"
        >
          {codes?.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
      </div>
      <Alert tone="warn" className="mt-4">
        {say('Whoever has a code and your name can sign in as you.')}
      </Alert>
      <div className="mt-5 flex flex-wrap gap-2">
        <Button look="secondary" onClick={() => void copy()}>
          <Copy size={18} aria-hidden="true" /> {say('Copy')}
        </Button>
        <Button look="secondary" onClick={() => downloadText(`recovery-codes-${username}.txt`, 'text/plain', text)}>
          <Download size={18} aria-hidden="true" /> {say('Save')}
        </Button>
        <Button look="secondary" onClick={() => window.print()}>
          <Printer size={18} aria-hidden="true" /> {say('Print')}
        </Button>
        <Button onClick={onClose} className="grow">
          {say('I have kept them')}
        </Button>
      </div>
    </Dialog>
  )
}
