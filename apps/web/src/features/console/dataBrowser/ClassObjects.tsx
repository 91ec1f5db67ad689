import type { CountersignError, SchemaRecord, WireFields } from '@countersign/protocol'
import { Database, Plus } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { t } from '../../../i18n/translate.ts'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { EmptyState, LoadFailure } from '../../../ui/feedback/EmptyState.tsx'
import { toasts } from '../../../ui/feedback/toasts.ts'
import { describeError } from '../../../ui/forms/describeError.ts'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { useAct, useConsole } from '../ask.ts'
import { CellEditor } from './CellEditor.tsx'
import { DataBulk } from './DataBulk.tsx'
import { DataFilter } from './DataFilter.tsx'
import { DataGrid } from './DataGrid.tsx'
import { DataImport } from './DataImport.tsx'
import { DataToolbar, ExportProgress } from './DataToolbar.tsx'
import { type Condition, type Fields, managed, operators, orderColumns, toWhere } from './dataValues.ts'
import { DeleteRowsDialog, SelectedRows } from './SelectedRows.tsx'
import { useBulkChanges } from './useBulkChanges.ts'
import { useExport } from './useExport.ts'
import { useRowSelection } from './useRowSelection.ts'
import { useRows } from './useRows.ts'

/** Above it rows come in the order of their ids, which has an index, until another order is chosen. */
const mostSorted = 100_000

/** The objects of one class: found, changed, added, deleted and taken along. */
export function ClassObjects({ schema: { className, fields } }: { schema: SchemaRecord }) {
  const isAdmin = useConsole().role === 'admin'
  const { parameters, set, conditions, where, order, hidden, rows } = useView(className, fields)
  const [isFiltering, setFiltering] = useState(conditions.length > 0)
  const [edited, setEdited] = useState<{ row: WireFields; name: string }>()
  const [dialog, setDialog] = useState<'delete' | 'edit' | 'import'>()
  const closeDialog = () => setDialog(undefined)
  const total = rows.total ?? 0
  const selection = useRowSelection(total)
  const { refetch } = rows
  const bulk = useBulkChanges({ className, where, selection, refetch, onError: fail, onDone: closeDialog })
  const columns = orderColumns(fields).filter((name) => !hidden.has(name) && name !== 'password')
  const { exported, exportAs, stopExport } = useExport({ className, where, columns, onError: fail })
  return (
    <>
      <PageHeader title={className} aside={isAdmin && <AddRow className={className} onAdded={refetch} />}>
        {rows.total !== undefined && t('{count, plural, one {# object} other {# objects}}', { count: rows.total })}
      </PageHeader>
      <DataToolbar
        className={className}
        fields={fields}
        search={parameters.size > 0 ? `?${parameters}` : ''}
        isFiltering={isFiltering}
        onFilter={() => setFiltering(!isFiltering)}
        hidden={hidden}
        onHide={(next) => set('hide', [...next].join(','))}
        onExport={(form) => void exportAs(form)}
        onImport={isAdmin ? () => setDialog('import') : undefined}
      />
      {exported !== undefined && <ExportProgress exported={exported} total={rows.total} onStop={stopExport} />}
      {isAdmin && selection.chosen > 0 && (
        <SelectedRows
          selection={selection}
          total={total}
          onEdit={() => setDialog('edit')}
          onDelete={() => setDialog('delete')}
        />
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
          selected={isAdmin ? selection.selected : undefined}
          onSelect={selection.select}
          onUnselect={selection.unselect}
          mayEdit={(name) => (isAdmin && !managed.has(name)) || fields[name]?.type === 'Relation'}
          onEdit={(row, name) => setEdited({ row, name })}
        />
      )}
      {edited && (
        <CellEditor
          className={className}
          fields={fields}
          {...edited}
          mayEdit={isAdmin}
          onClose={() => setEdited(undefined)}
          refetch={refetch}
        />
      )}
      {dialog === 'edit' && (
        <DataBulk
          fields={fields}
          count={selection.chosen}
          progress={bulk.progress}
          onClose={closeDialog}
          onSave={(name, value) => void bulk.changeAll(name, value)}
        />
      )}
      {dialog === 'import' && (
        <DataImport className={className} fields={fields} onClose={closeDialog} onDone={refetch} />
      )}
      <DeleteRowsDialog
        open={dialog === 'delete'}
        className={className}
        selection={selection}
        isRunning={bulk.progress !== undefined}
        onClose={closeDialog}
        onConfirm={() => void bulk.remove()}
      />
    </>
  )
}

const fail = (error: unknown) => toasts.add(describeError(error as CountersignError).message, 'danger')

/** Conditions, order and hidden columns, which the address holds, and the rows they give. */
function useView(className: string, fields: Fields) {
  const [parameters, setParameters] = useSearchParams()
  const conditions = readConditions(parameters.get('where'))
  const [isLarge, setLarge] = useState(false)
  const order = parameters.get('order') ?? (isLarge ? 'objectId' : '-createdAt')
  const where = toWhere(fields, conditions)
  const hidden: ReadonlySet<string> = new Set((parameters.get('hide') ?? '').split(',').filter(Boolean))
  const rows = useRows(className, where, order)
  const isMany = (rows.total ?? 0) > mostSorted
  useEffect(() => {
    if (isMany) setLarge(true)
  }, [isMany])
  const set = (name: string, value: string) => {
    const next = new URLSearchParams(parameters)
    if (value) next.set(name, value)
    else next.delete(name)
    setParameters(next, { preventScrollReset: true })
  }
  return { parameters, set, conditions, where, order, hidden, rows }
}

function AddRow({ className, onAdded }: { className: string; onAdded: () => void }) {
  const act = useAct()
  const [pending, setPending] = useState(false)
  const add = async () => {
    setPending(true)
    const made = await act('createObject', { className })
    setPending(false)
    if (!made) return
    onAdded()
    toasts.add(t('Row added'), 'ok')
  }
  return (
    <Button pending={pending} onClick={() => void add()}>
      <Plus size={18} aria-hidden="true" />
      {t('Add row')}
    </Button>
  )
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
