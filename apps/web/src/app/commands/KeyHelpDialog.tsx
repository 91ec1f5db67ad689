import { consolePlaces } from '../../features/console/places.ts'
import { t } from '../../i18n/translate.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { keyHelp } from './commandPalette.ts'

/** Keyboard shortcuts of the whole application. */
export function KeyHelpDialog({ open }: { open: boolean }) {
  const command = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘' : 'Ctrl'
  const rows: { keys: string[]; what: string }[] = [
    { keys: [command, 'K'], what: t('Search and commands') },
    { keys: ['?'], what: t('Show this list') },
  ]
  const ofConsole: typeof rows = [
    { keys: ['←', '→', '↑', '↓'], what: t('Move in the table or chart') },
    { keys: ['Enter'], what: t('Edit the cell, and save it') },
    { keys: ['Space'], what: t('Open the row') },
    { keys: ['Shift', 'Space'], what: t('Select the row') },
    { keys: [command, 'C'], what: t('Copy the selected cells') },
    { keys: [command, 'V'], what: t('Paste cells') },
    { keys: [command, 'Enter'], what: t('Run the SQL query') },
    { keys: ['Esc'], what: t('Leave the cell as it was') },
  ]
  if (consolePlaces.current.length > 0) rows.push(...ofConsole)
  return (
    <Dialog open={open} onOpenChange={keyHelp.set} title={t('Keyboard shortcuts')}>
      <dl className="divide-y divide-line">
        {rows.map(({ keys, what }) => (
          <div key={what} className="flex items-center justify-between gap-6 py-2.5 text-sm">
            <dt>{what}</dt>
            <dd className="flex shrink-0 gap-1" dir="ltr">
              {keys.map((key) => (
                <kbd
                  key={key}
                  className="min-w-7 rounded-md border border-edge bg-sunken px-1.5 py-0.5 text-center font-sans text-xs font-semibold"
                >
                  {key}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
