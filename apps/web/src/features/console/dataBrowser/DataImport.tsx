import type { WireFields } from '@countersign/protocol'
import { useRef, useState } from 'react'
import { formatNumber } from '../../../i18n/format.ts'
import { t } from '../../../i18n/translate.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Alert } from '../../../ui/feedback/Alert.tsx'
import { mostImported, type ReadRow, readFile } from './dataFiles.ts'
import { messageOf, type RowFailure, sendRows } from './dataRows.ts'
import type { Fields } from './dataValues.ts'

type Props = { className: string; fields: Fields; onClose: () => void; onDone: () => void }
type Verdict = { done: number; failures: RowFailure[]; isStopped: boolean }

/** Rows of a file become objects: read first and counted, sent some at a time, with what was refused row by row. */
export function DataImport({ className, fields, onClose, onDone }: Props) {
  const [rows, setRows] = useState<readonly ReadRow[]>()
  const [problem, setProblem] = useState<string>()
  const [progress, setProgress] = useState<number>()
  const [verdict, setVerdict] = useState<Verdict>()
  const control = useRef<AbortController>(undefined)
  const good = rows?.flatMap((row, place) => ('row' in row ? [{ place, row: row.row }] : [])) ?? []
  const bad = rows?.flatMap((row, place) => ('problem' in row ? [{ place, message: row.problem }] : [])) ?? []

  const choose = async (file: File | undefined) => {
    setVerdict(undefined)
    setRows(undefined)
    setProblem(undefined)
    if (!file) return
    try {
      const read = readFile(file.name, await file.text(), fields)
      if (read.length > mostImported)
        setProblem(t('A file can have at most {count} rows.', { count: formatNumber(mostImported) }))
      else setRows(read)
    } catch {
      setProblem(t('The file isn’t valid JSON or CSV.'))
    }
  }
  const start = async () => {
    control.current = new AbortController()
    const { signal } = control.current
    setProgress(0)
    const requests = good.map(({ row }: { row: WireFields }) => ({ method: 'POST' as const, body: row }))
    try {
      const { done, failures } = await sendRows(className, requests, { onProgress: setProgress, signal })
      const named = failures.map(({ place, message }) => ({ place: good[place]?.place ?? place, message }))
      setVerdict({ done, failures: [...bad, ...named], isStopped: signal.aborted })
      setRows(undefined)
    } catch (error) {
      setProblem(signal.aborted ? t('Import stopped') : messageOf(error))
    }
    setProgress(undefined)
    onDone()
  }
  const isRunning = progress !== undefined
  return (
    <Dialog
      open
      onOpenChange={() => !isRunning && onClose()}
      title={t('Import rows')}
      description={t('A JSON list, or CSV with field names in the first line. Existing objectIds are kept.')}
    >
      <div className="flex flex-col gap-5">
        <input
          type="file"
          accept=".csv,.json,text/csv,application/json"
          aria-label={t('File')}
          disabled={isRunning}
          onChange={(event) => void choose(event.target.files?.[0])}
          className="block w-full text-sm file:me-3 file:min-h-11 file:rounded-control file:border file:border-edge file:bg-surface file:px-4 file:font-semibold file:text-ink"
        />
        {problem && <Alert tone="danger" title={problem} />}
        {rows && !isRunning && (
          <p className="text-sm">
            {t('{count, plural, one {# row to import} other {# rows to import}}', { count: good.length })}
          </p>
        )}
        {rows && !isRunning && bad.length > 0 && <Failures failures={bad} />}
        {isRunning && (
          <div className="flex flex-col gap-2 text-sm">
            <progress aria-label={t('Progress')} value={progress} max={good.length} className="w-full accent-accent" />
            {t('{done} of {count}', { done: formatNumber(progress), count: formatNumber(good.length) })}
          </div>
        )}
        {verdict && (
          <Alert
            tone={verdict.failures.length === 0 ? 'ok' : 'warn'}
            title={t('{count, plural, one {# row imported} other {# rows imported}}', { count: verdict.done })}
          />
        )}
        {verdict && verdict.failures.length > 0 && <Failures failures={verdict.failures} />}
        <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
          {isRunning ? (
            <Button look="secondary" onClick={() => control.current?.abort()}>
              {t('Stop')}
            </Button>
          ) : (
            <Button look="secondary" onClick={onClose}>
              {t('Close')}
            </Button>
          )}
          <Button pending={isRunning} disabled={good.length === 0} onClick={() => void start()}>
            {t('Import')}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

const mostShown = 100

/** Counted as the lines of a list are: the first row is 1. */
function Failures({ failures }: { failures: readonly RowFailure[] }) {
  return (
    <div className="text-sm">
      <p className="font-semibold text-danger">
        {t('Rows that can’t be imported: {count}', { count: formatNumber(failures.length) })}
      </p>
      <ul
        aria-label={t('Rows that can’t be imported')}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what is scrolled must be reached with the keyboard
        tabIndex={0}
        className="mt-2 max-h-40 overflow-y-auto"
      >
        {failures.slice(0, mostShown).map(({ place, message }) => (
          <li key={place} className="py-0.5 wrap-anywhere">
            {t('Row {number}: {problem}', { number: formatNumber(place + 1), problem: message })}
          </li>
        ))}
      </ul>
    </div>
  )
}
