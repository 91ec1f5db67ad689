import { CountersignError, useClient } from '@countersign/react'
import type { Activity } from '@countersign/react/account'
import { type Client, type ListActivityInput, listActivity } from '@countersign/react/core'
import { Braces, Download, Sheet } from 'lucide-react'
import { useState } from 'react'
import { describeActivity } from '../../account/describeActivity.ts'
import { nameDevice } from '../../account/describeDevice.ts'
import { t } from '../../i18n/translate.ts'
import { Button } from '../../ui/Button.tsx'
import { downloadText } from '../../ui/downloadText.ts'
import { toasts } from '../../ui/feedback/toasts.ts'
import { describeError } from '../../ui/forms/describeError.ts'
import { Menu, MenuItem } from '../../ui/Menu.tsx'
import { writeCsv } from './writeCsv.ts'

const types: Record<ActivityFormat, string> = { csv: 'text/csv', json: 'application/json' }

/** Exports the shown events with all older pages as a file. */
export function ActivityExport({ filter }: { filter: ListActivityInput }) {
  const client = useClient()
  const [busy, setBusy] = useState<number>()
  const save = async (format: ActivityFormat) => {
    setBusy(0)
    try {
      const all = await listAllActivity(client, filter, setBusy)
      const file = `activity.${format}`
      downloadText(file, types[format], writeActivity(format, all))
      const count = t('{count, plural, one {# entry} other {# entries}}', { count: all.length })
      toasts.add(t('Saved as {file}: {count}.', { file, count }), 'ok')
    } catch (error) {
      toasts.add(error instanceof CountersignError ? describeError(error).message : String(error), 'danger')
    } finally {
      setBusy(undefined)
    }
  }
  return (
    <div className="flex flex-wrap items-center gap-2">
      <p role="status" className="text-sm text-muted empty:hidden">
        {busy ? t('{count, plural, one {# entry read…} other {# entries read…}}', { count: busy }) : ''}
      </p>
      <Menu
        trigger={
          <Button look="secondary" pending={busy !== undefined}>
            <Download size={18} aria-hidden="true" /> {t('Export')}
          </Button>
        }
      >
        {(['csv', 'json'] as const).map((format) => (
          <MenuItem
            key={format}
            icon={format === 'csv' ? Sheet : Braces}
            label={t('Save as {format}', { format: format.toUpperCase() })}
            onSelect={() => void save(format)}
          />
        ))}
      </Menu>
    </div>
  )
}

const pageSize = 100
const mostPages = 100

/** Every entry that a filter finds, page after page, up to 10,000; `onRead` hears how many there are so far. */
async function listAllActivity(
  client: Client,
  filter: ListActivityInput,
  onRead: (count: number) => void,
): Promise<Activity[]> {
  const all: Activity[] = []
  for (let count = 0; count < mostPages; count++) {
    const before = all.at(-1)?.at
    const page = await listActivity(client, { ...filter, limit: pageSize, ...(before && { before }) })
    all.push(...page)
    onRead(all.length)
    if (page.length < pageSize) break
  }
  return all
}

type ActivityFormat = 'csv' | 'json'

/** Activity as a file: JSON with all that is known, CSV for reading. */
function writeActivity(format: ActivityFormat, all: readonly Activity[]): string {
  if (format === 'json') return `${JSON.stringify(all, null, 2)}\n`
  const head = [t('Time'), t('Event'), t('Subject'), t('Device'), t('IP address'), t('Action')]
  const rows = all.map((entry) => {
    const { title, subject = '' } = describeActivity(entry)
    const device = entry.userAgent ? nameDevice(entry.userAgent) : ''
    return [entry.at.toISOString(), title, subject, device, entry.ipAddress ?? '', entry.action]
  })
  return writeCsv([head, ...rows])
}
