import { CountersignError, type ListActivityInput, useClient } from '@countersign/react'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { describeError } from '../lib/describeError.ts'
import { downloadText } from '../lib/downloadText.ts'
import { listAllActivity } from '../lib/listAllActivity.ts'
import { say } from '../lib/say.ts'
import { toasts } from '../lib/toasts.ts'
import { type ActivityFormat, writeActivity } from '../lib/writeActivity.ts'
import { Button } from './Button.tsx'

const types: Record<ActivityFormat, string> = { csv: 'text/csv', json: 'application/json' }

/** What is shown, with all its older pages, as a file. */
export function ActivityExport({ filter }: { filter: ListActivityInput }) {
  const client = useClient()
  const [busy, setBusy] = useState<{ format: ActivityFormat; count: number }>()
  const save = async (format: ActivityFormat) => {
    const show = (count: number) => setBusy({ format, count })
    show(0)
    try {
      const all = await listAllActivity(client, filter, show)
      const file = `activity.${format}`
      downloadText(file, types[format], writeActivity(format, all))
      const count = say('{count, plural, one {# entry} other {# entries}}', { count: all.length })
      toasts.add(say('Saved as {file}: {count}.', { file, count }), 'ok')
    } catch (error) {
      toasts.add(error instanceof CountersignError ? describeError(error).message : String(error), 'danger')
    } finally {
      setBusy(undefined)
    }
  }
  return (
    <div className="flex flex-wrap items-center gap-2">
      <p role="status" className="text-sm text-muted empty:hidden">
        {busy && busy.count > 0
          ? say('{count, plural, one {# entry read…} other {# entries read…}}', { count: busy.count })
          : ''}
      </p>
      {(['csv', 'json'] as const).map((format) => {
        const name = format.toUpperCase()
        return (
          <Button
            key={format}
            look="secondary"
            pending={busy?.format === format}
            disabled={busy !== undefined && busy.format !== format}
            onClick={() => void save(format)}
            aria-label={say('{format}: save the activity as a file', { format: name })}
          >
            <Download size={18} aria-hidden="true" /> {name}
          </Button>
        )
      })}
    </div>
  )
}
