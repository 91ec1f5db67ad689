import { Code, Copy, Link as LinkIcon, SquareTerminal } from 'lucide-react'
import { getServer } from '../../../config/callEndpoint.ts'
import { t } from '../../../i18n/translate.ts'
import { Button } from '../../../ui/Button.tsx'
import { toasts } from '../../../ui/feedback/toasts.ts'
import { Menu, MenuItem } from '../../../ui/Menu.tsx'
import { objectPath } from '../dataBrowser/schemas.ts'
import { writeRowCode } from './rowCode.ts'

/** Copies code that reads the object, or its address. */
export function CopyRow({ className, objectId }: { className: string; objectId: string }) {
  const { serverUrl, appId } = getServer()
  const server = { appId, serverUrl: new URL(serverUrl, window.location.href).href.replace(/\/$/, '') }
  const { hook, parse, curl } = writeRowCode(server, className, objectId)
  const copy = async (text: string) => {
    try {
      await navigator.clipboard.writeText(text)
      toasts.add(t('Copied'), 'ok')
    } catch {
      toasts.add(t('Your browser blocked copying. Select the text instead.'))
    }
  }
  const items = [
    { icon: LinkIcon, label: t('Link'), text: `${window.location.origin}${objectPath(className, objectId)}` },
    { icon: Code, label: t('React hook'), text: hook },
    { icon: Code, label: 'Parse SDK', text: parse },
    { icon: SquareTerminal, label: 'curl', text: curl },
  ]
  return (
    <Menu
      trigger={
        <Button look="secondary">
          <Copy size={18} aria-hidden="true" />
          {t('Copy as')}
        </Button>
      }
    >
      {items.map(({ icon, label, text }) => (
        <MenuItem key={label} icon={icon} label={label} onSelect={() => void copy(text)} />
      ))}
    </Menu>
  )
}
