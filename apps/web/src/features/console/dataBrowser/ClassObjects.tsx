import type { CountersignError, SchemaRecord, WireFields, WireValue, WireWhere } from '@countersign/protocol'
import { Columns3, Database, Download, Filter, Pencil, Plus, Table2, Trash2, Upload } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { formatNumber } from '../../../i18n/format.ts'
import { t } from '../../../i18n/translate.ts'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { EmptyState, LoadFailure } from '../../../ui/feedback/EmptyState.tsx'
import { toasts } from '../../../ui/feedback/toasts.ts'
import { describeError } from '../../../ui/forms/describeError.ts'
import { Menu, MenuItem } from '../../../ui/Menu.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { useAct, useConsole } from '../ask.ts'
import { DataBulk } from './DataBulk.tsx'
import { DataEditor } from './DataEditor.tsx'
import { DataFilter } from './DataFilter.tsx'
import { DataGrid } from './DataGrid.tsx'
import { DataImport } from './DataImport.tsx'
import { DataViews } from './DataViews.tsx'
import { backTo, type RowRequest, readSome, sendRows, toCreate } from './dataRows.ts'
import { type Condition, managed, operators, orderColumns, toWhere } from './dataValues.ts'
import { RelationEditor } from './RelationEditor.tsx'
import { useExport } from './useExport.ts'
import { useRows } from './useRows.ts'

/** As many as one change of many rows may reach. */
const mostChanged = 10_000
/** As many as an undo keeps in memory. */
const mostUndone = 1_000
const mostSelected = 100
/** Above it rows come in the order of their ids, which has an index, until another order is chosen. */
const mostSorted = 100_000

/** The objects of one class: found, changed, added, deleted and taken along. */
export function ClassObjects({ schema: { className, fields } }: { schema: SchemaRecord }) {
  const [parameters, setParameters] = useSearchParams()
  const isAdmin = useConsole().role === 'admin'
  const conditions = readConditions(parameters.get('where'))
  const [isLarge, setLarge] = useState(false)
  const order = parameters.get('order') ?? (isLarge ? 'objectId' : '-createdAt')
  const where = toWhere(fields, conditions)
  const [isFiltering, setFiltering] = useState(conditions.length > 0)
  const hidden: ReadonlySet<string> = new Set((parameters.get('hide') ?? '').split(',').filter(Boolean))
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [edited, setEdited] = useState<{ row: WireFields; name: string }>()
  const [dialog, setDialog] = useState<'delete' | 'edit' | 'import'>()
  const [isEvery, setEvery] = useState(false)
  const [progress, setProgress] = useState<number>()
  const [pending, setPending] = useState(false)
  const act = useAct()
  const rows = useRows(className, where, order)
  const isMany = (rows.total ?? 0) > mostSorted
  useEffect(() => {
    if (isMany) setLarge(true)
  }, [isMany])
  const columns = orderColumns(fields).filter((name) => !hidden.has(name) && name !== 'password')
  const fail = (error: unknown) => toasts.add(describeError(error as CountersignError).message, 'danger')
  const { exported, exportAs, stopExport } = useExport({ className, where, columns, onError: fail })
  const set = (name: string, value: string) => {
    const next = new URLSearchParams(parameters)
    if (value) next.set(name, value)
    else next.delete(name)
    setParameters(next, { preventScrollReset: true })
  }

  // Selected rows: the picked ones, or all that match the filter.
  const chosen = isEvery ? Math.min(rows.total ?? 0, mostChanged) : selected.size
  const readChosen = async () => {
    const found = isEvery ? where : ({ objectId: { $in: [...selected] } } as WireWhere)
    const before = await readSome(className, found, mostChanged)
    // A number was confirmed: rows added since then are not included.
    if (before.length <= chosen) return before
    toasts.add(t('The number of rows has changed. Review them again.'), 'danger')
    return []
  }
  const finish = () => {
    setProgress(undefined)
    setDialog(undefined)
    setSelected(new Set())
    setEvery(false)
    rows.refetch()
  }
  const undo = (requests: readonly RowRequest[]) => ({
    label: t('Undo'),
    run: async () => {
      const { failures } = await sendRows(className, requests).catch((error: CountersignError) => ({
        failures: [{ message: describeError(error).message }],
      }))
      if (failures[0]) toasts.add(failures[0].message, 'danger')
      else toasts.add(t('Change undone'), 'ok')
      rows.refetch()
    },
  })
  /** The first request alone, which asks for a proof if needed; the others together. */
  const sendAll = async (requests: readonly RowRequest[]): Promise<number> => {
    const [first, ...others] = requests
    if (!first?.objectId) return 0
    const { objectId, body } = first
    const begun =
      first.method === 'DELETE'
        ? await act('deleteObject', { className, objectId })
        : await act('updateObject', { className, objectId, ...body })
    if (!begun) return 0
    setProgress(1)
    const { done, failures } = await sendRows(className, others, { onProgress: (sent) => setProgress(sent + 1) })
    if (failures[0])
      toasts.add(
        t('Rows not saved: {count}. {problem}', { count: formatNumber(failures.length), problem: failures[0].message }),
        'danger',
      )
    return done + 1
  }
  const save = async (value: WireValue) => {
    if (!edited) return true
    const { row, name } = edited
    const objectId = String(row.objectId)
    const saved = await act('updateObject', { className, objectId, [name]: value })
    if (!saved) return false
    rows.refetch()
    const back = { method: 'PUT' as const, objectId, body: { [name]: backTo(row[name]) } }
    toasts.add(t('Saved'), 'ok', undo([back]))
    return true
  }
  const add = async () => {
    setPending(true)
    const made = await act('createObject', { className })
    setPending(false)
    if (!made) return
    rows.refetch()
    toasts.add(t('Row added'), 'ok')
  }
  const remove = async () => {
    setProgress(0)
    try {
      const before = await readChosen()
      const ids = before.map(({ objectId }) => String(objectId))
      const count = await sendAll(ids.map((objectId) => ({ method: 'DELETE' as const, objectId })))
      const mayUndo = count === before.length && count <= mostUndone && !className.startsWith('_')
      const back = before.map((row) => ({ method: 'POST' as const, body: toCreate(row) }))
      if (count > 0)
        toasts.add(
          t('{count, plural, one {# row deleted} other {# rows deleted}}', { count }),
          'ok',
          mayUndo ? undo(back) : undefined,
        )
    } catch (error) {
      fail(error)
    }
    finish()
  }
  const changeAll = async (name: string, value: WireValue) => {
    setProgress(0)
    try {
      const before = await readChosen()
      const to = (row: WireFields, next: WireValue) => ({
        method: 'PUT' as const,
        objectId: String(row.objectId),
        body: { [name]: next },
      })
      const count = await sendAll(before.map((row) => to(row, value)))
      const back = before.map((row) => to(row, backTo(row[name])))
      if (count > 0)
        toasts.add(
          t('{count, plural, one {# row updated} other {# rows updated}}', { count }),
          'ok',
          count <= mostUndone ? undo(back) : undefined,
        )
    } catch (error) {
      fail(error)
    }
    finish()
  }
  return (
    <>
      <PageHeader
        title={className}
        aside={
          isAdmin && (
            <Button pending={pending} onClick={() => void add()}>
              <Plus size={18} aria-hidden="true" />
              {t('Add row')}
            </Button>
          )
        }
      >
        {rows.total !== undefined && t('{count, plural, one {# object} other {# objects}}', { count: rows.total })}
      </PageHeader>
      <div className="mb-4 flex flex-wrap gap-2">
        <Button look="secondary" aria-expanded={isFiltering} onClick={() => setFiltering(!isFiltering)}>
          <Filter size={18} aria-hidden="true" />
          {t('Filter|noun')}
        </Button>
        <details className="relative">
          <summary className="inline-flex min-h-11 cursor-pointer list-none items-center gap-2 rounded-control border border-edge bg-surface px-4.5 text-sm font-semibold hover:bg-sunken">
            <Columns3 size={18} aria-hidden="true" />
            {t('Columns')}
          </summary>
          <ul className="absolute z-30 mt-2 max-h-80 min-w-60 overflow-y-auto rounded-card border border-line bg-surface p-3 shadow-float">
            {Object.keys(fields).map((name) => (
              <li key={name}>
                <label className="flex min-h-11 items-center gap-3 text-sm">
                  <input
                    type="checkbox"
                    checked={!hidden.has(name)}
                    onChange={() => set('hide', [...toggled(hidden, name)].join(','))}
                    className="size-5"
                  />
                  <bdi>{name}</bdi>
                </label>
              </li>
            ))}
          </ul>
        </details>
        <Menu
          trigger={
            <Button look="secondary">
              <Download size={18} aria-hidden="true" />
              {t('Export')}
            </Button>
          }
        >
          <MenuItem icon={Table2} label={t('As CSV')} onSelect={() => void exportAs('csv')} />
          <MenuItem icon={Database} label={t('As JSON')} onSelect={() => void exportAs('json')} />
        </Menu>
        <DataViews className={className} search={parameters.size > 0 ? `?${parameters}` : ''} />
        {isAdmin && (
          <Button look="secondary" onClick={() => setDialog('import')}>
            <Upload size={18} aria-hidden="true" />
            {t('Import')}
          </Button>
        )}
      </div>
      {exported !== undefined && (
        <div className="mb-4 flex flex-wrap items-center gap-3 text-sm">
          <progress
            aria-label={t('Progress')}
            value={exported}
            max={Math.max(rows.total ?? 0, exported, 1)}
            className="flex-1 accent-accent"
          />
          {t('{done} of {count}', { done: formatNumber(exported), count: formatNumber(rows.total ?? exported) })}
          <Button look="secondary" onClick={stopExport}>
            {t('Stop')}
          </Button>
        </div>
      )}
      {isAdmin && chosen > 0 && (
        <div className="mb-4 flex flex-wrap items-center gap-2">
          <Button look="secondary" onClick={() => setDialog('edit')}>
            <Pencil size={18} aria-hidden="true" />
            {t('Edit rows ({count})', { count: formatNumber(chosen) })}
          </Button>
          <Button look="danger-quiet" onClick={() => setDialog('delete')}>
            <Trash2 size={18} aria-hidden="true" />
            {t('Delete rows ({count})', { count: formatNumber(chosen) })}
          </Button>
          {(rows.total ?? 0) > selected.size && (
            <label className="flex min-h-11 items-center gap-3 text-sm">
              <input
                type="checkbox"
                checked={isEvery}
                onChange={(event) => setEvery(event.target.checked)}
                className="size-5"
              />
              {t('All {count} rows in this view', { count: formatNumber(Math.min(rows.total ?? 0, mostChanged)) })}
            </label>
          )}
        </div>
      )}
      {isFiltering && (
        <DataFilter
          className={className}
          fields={fields}
          order={order}
          conditions={conditions}
          onChange={(next) => set('where', next.length > 0 ? JSON.stringify(next) : '')}
        />
      )}
      {rows.error && (
        <LoadFailure title={t('The objects could not be loaded')} error={rows.error} onRetry={rows.refetch} />
      )}
      {!rows.error && rows.count === 0 && (
        <Card>
          <EmptyState icon={Database} title={t('No objects')} />
        </Card>
      )}
      {!rows.error && rows.count !== undefined && rows.count > 0 && (
        <DataGrid
          label={className}
          columns={columns}
          fields={fields}
          rows={rows}
          order={order}
          onOrder={(name) => set('order', order === name ? `-${name}` : name)}
          selected={isAdmin ? selected : undefined}
          onSelect={(objectId) => selected.size < mostSelected && setSelected(toggled(selected, objectId))}
          onUnselect={(objectId) => setSelected(toggled(selected, objectId))}
          mayEdit={(name) => (isAdmin && !managed.has(name)) || fields[name]?.type === 'Relation'}
          onEdit={(row, name) => setEdited({ row, name })}
        />
      )}
      {edited && fields[edited.name]?.type === 'Relation' && (
        <RelationEditor
          className={className}
          objectId={String(edited.row.objectId)}
          name={edited.name}
          targetClass={fields[edited.name]?.targetClass ?? ''}
          mayEdit={isAdmin}
          onClose={() => setEdited(undefined)}
        />
      )}
      {edited && fields[edited.name] && fields[edited.name]?.type !== 'Relation' && (
        <DataEditor
          key={`${edited.row.objectId} ${edited.name}`}
          name={edited.name}
          field={fields[edited.name] as SchemaRecord['fields'][string]}
          value={edited.row[edited.name]}
          onClose={() => setEdited(undefined)}
          onSave={save}
        />
      )}
      {dialog === 'edit' && (
        <DataBulk
          fields={fields}
          count={chosen}
          progress={progress}
          onClose={() => setDialog(undefined)}
          onSave={(name, value) => void changeAll(name, value)}
        />
      )}
      {dialog === 'import' && (
        <DataImport className={className} fields={fields} onClose={() => setDialog(undefined)} onDone={rows.refetch} />
      )}
      <ConfirmDialog
        open={dialog === 'delete'}
        onOpenChange={() => progress === undefined && setDialog(undefined)}
        title={t('Delete {count} rows?', { count: formatNumber(chosen) })}
        description={
          <span className="wrap-anywhere">
            {isEvery ? t('All rows of this view.') : [...selected].slice(0, 10).join(', ')}
            {!isEvery && selected.size > 10 && ' …'}
            {chosen > mostUndone && ` ${t('This can’t be undone.')}`}
          </span>
        }
        confirm={t('Delete')}
        danger
        pending={progress !== undefined}
        {...(chosen > 1 && { typed: className })}
        onConfirm={() => void remove()}
      />
    </>
  )
}

function toggled(names: ReadonlySet<string>, name: string): ReadonlySet<string> {
  const next = new Set(names)
  if (!next.delete(name)) next.add(name)
  return next
}

/** From the address, which anyone may have written. */
function readConditions(text: string | null): Condition[] {
  try {
    const given = JSON.parse(text ?? '[]') as Partial<Condition>[]
    return given.slice(0, 20).flatMap(({ field, operator, value }) => {
      const known = operators.find((each) => each === operator)
      return typeof field === 'string' && known && typeof value === 'string' ? [{ field, operator: known, value }] : []
    })
  } catch {
    return []
  }
}
