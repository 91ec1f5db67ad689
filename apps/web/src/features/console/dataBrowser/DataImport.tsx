import { useState } from 'react'
import { formatNumber } from '../../../i18n/format.ts'
import { t } from '../../../i18n/translate.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Alert } from '../../../ui/feedback/Alert.tsx'
import { Progress } from '../../../ui/Progress.tsx'
import { listColumns, mostImported, type ReadColumn, readFile } from './dataFiles.ts'
import type { RowFailure } from './dataRows.ts'
import type { Fields } from './dataValues.ts'
import { ImportPreview } from './ImportPreview.tsx'
import { type GoodRow, type ImportState, nameRow, useImport } from './useImport.ts'

type Props = { className: string; fields: Fields; onClose: () => void; onDone: () => void }

type Chosen = { columns: readonly ReadColumn[]; good: readonly GoodRow[]; bad: readonly RowFailure[] }

/** Rows of a file become objects: shown first, sent some at a time, continued or undone after a stop. */
export function DataImport({ className, fields, onClose, onDone }: Props) {
  const [chosen, setChosen] = useState<Chosen>()
  const [problem, setProblem] = useState<string>()
  const { state, start, goOn, stop, undo, reset } = useImport(className, onDone)
  const { step } = state
  const good = chosen?.good ?? []

  const choose = async (file: File | undefined) => {
    setChosen(undefined)
    setProblem(undefined)
    reset()
    if (!file) return
    try {
      setChosen(await read(className, file, fields))
    } catch (error) {
      setProblem(error instanceof RangeError ? error.message : t('The file isn’t valid JSON or CSV.'))
    }
  }
  const isBusy = step === 'running' || step === 'undoing'
  const failures = [...(chosen?.bad ?? []), ...state.failures]
  return (
    <Dialog
      open
      onOpenChange={() => !isBusy && onClose()}
      title={t('Import rows')}
      description={t('A JSON list, or CSV with field names in the first line. Existing objectIds are kept.')}
      isWide
    >
      <div className="flex flex-col gap-5">
        <input
          type="file"
          accept=".csv,.json,text/csv,application/json"
          aria-label={t('File')}
          disabled={isBusy || step === 'stopped'}
          onChange={(event) => void choose(event.target.files?.[0])}
          className="block w-full text-sm file:me-3 file:min-h-11 file:rounded-control file:border file:border-edge file:bg-surface file:px-4 file:font-semibold file:text-ink"
        />
        {problem && <Alert tone="danger" title={problem} />}
        {chosen && step === 'ready' && (
          <>
            <p className="text-sm">
              {t('{count, plural, one {# row to import} other {# rows to import}}', { count: good.length })}
            </p>
            {good.length > 0 && <ImportPreview columns={chosen.columns} rows={good.map(({ row }) => row)} />}
          </>
        )}
        {isBusy && <ImportProgress done={state.sent} count={step === 'undoing' ? state.created.length : good.length} />}
        <Outcome state={state} count={good.length} hasFailures={failures.length > 0} />
        {!isBusy && failures.length > 0 && <Failures failures={failures} />}
        <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
          {step === 'running' && (
            <Button look="secondary" onClick={stop}>
              {t('Stop')}
            </Button>
          )}
          {!isBusy && (
            <Button look="secondary" onClick={onClose}>
              {t('Close')}
            </Button>
          )}
          {(step === 'stopped' || step === 'done') && state.created.length > 0 && (
            <Button look="secondary" onClick={undo}>
              {t('Undo import')}
            </Button>
          )}
          {step === 'stopped' && <Button onClick={() => goOn(good)}>{t('Continue import')}</Button>}
          {(step === 'ready' || isBusy) && (
            <Button pending={isBusy} disabled={good.length === 0} onClick={() => start(good)}>
              {t('Import')}
            </Button>
          )}
        </div>
      </div>
    </Dialog>
  )
}

async function read(className: string, file: File, fields: Fields): Promise<Chosen> {
  const text = await file.text()
  const rows = readFile(file.name, text, fields)
  if (rows.length > mostImported)
    throw new RangeError(t('A file can have at most {count} rows.', { count: formatNumber(mostImported) }))
  return {
    columns: listColumns(file.name, text, rows, fields),
    good: rows.flatMap((row, place) => ('row' in row ? [nameRow(className, place, row.row)] : [])),
    bad: rows.flatMap((row, place) => ('problem' in row ? [{ place, message: row.problem }] : [])),
  }
}

function ImportProgress({ done, count }: { done: number; count: number }) {
  return (
    <div className="flex flex-col gap-2 text-sm">
      <Progress label={t('Progress')} value={done} max={count} className="w-full" />
      {t('{done} of {count}', { done: formatNumber(done), count: formatNumber(count) })}
    </div>
  )
}

type OutcomeProps = { state: ImportState; count: number; hasFailures: boolean }

/** Rows that are in, after a stop and at the end. */
function Outcome({ state: { step, created, sent, problem }, count, hasFailures }: OutcomeProps) {
  if (step === 'undone') return <Alert tone="ok" title={t('Import undone')} />
  if (step === 'stopped')
    return (
      <Alert tone="warn" title={t('Import stopped')}>
        {t('{done} of {count} rows are imported. Rows not sent yet: {left}.', {
          done: formatNumber(created.length),
          count: formatNumber(count),
          left: formatNumber(count - sent),
        })}{' '}
        {problem}
      </Alert>
    )
  if (step !== 'done') return null
  return (
    <Alert
      tone={problem ? 'danger' : hasFailures ? 'warn' : 'ok'}
      title={problem ?? t('{count, plural, one {# row imported} other {# rows imported}}', { count: created.length })}
    />
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
