import { type ListActivityInput, useClient } from '@countersign/react'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { downloadText } from '../lib/downloadText.ts'
import { listAllActivity } from '../lib/listAllActivity.ts'
import { toasts } from '../lib/toasts.ts'
import { type ActivityFormat, writeActivity } from '../lib/writeActivity.ts'
import { Button } from './Button.tsx'

const types: Record<ActivityFormat, string> = { csv: 'text/csv', json: 'application/json' }

/** What is shown, with all its older pages, as a file. */
export function ActivityExport({ filter }: { filter: ListActivityInput }) {
  const client = useClient()
  const [busy, setBusy] = useState<ActivityFormat>()
  const save = async (format: ActivityFormat) => {
    setBusy(format)
    try {
      const all = await listAllActivity(client, filter)
      downloadText(`activity.${format}`, types[format], writeActivity(format, all))
      toasts.add(`Saved ${all.length} ${all.length === 1 ? 'entry' : 'entries'} as activity.${format}.`, 'ok')
    } catch (error) {
      toasts.add(error instanceof Error ? error.message : String(error), 'danger')
    } finally {
      setBusy(undefined)
    }
  }
  return (
    <div className="flex flex-wrap gap-2">
      {(['csv', 'json'] as const).map((format) => (
        <Button key={format} look="secondary" pending={busy === format} onClick={() => void save(format)}>
          <Download size={18} aria-hidden="true" /> {format.toUpperCase()}
          <span className="sr-only">: save the activity as a file</span>
        </Button>
      ))}
    </div>
  )
}
