import type { CountersignError, SchemaRecord, WireFields } from '@countersign/protocol'
import { Database, Plus } from 'lucide-react'
import { type ComponentProps, useEffect, useMemo, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { t } from '../../../i18n/translate.ts'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { cx } from '../../../ui/cx.ts'
import { EmptyState, LoadFailure } from '../../../ui/feedback/EmptyState.tsx'
import { toasts } from '../../../ui/feedback/toasts.ts'
import { describeError } from '../../../ui/forms/describeError.ts'
import { inputClass } from '../../../ui/forms/Field.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { useConsole } from '../ask.ts'
import { CellEditor } from '../editors/CellEditor.tsx'
import { RowPanel } from '../rowPanel/RowPanel.tsx'
import { useChange } from '../useChange.ts'
import { DataBulk } from './DataBulk.tsx'
import { DataFilter } from './DataFilter.tsx'
import { DataGrid, GridSkeleton } from './DataGrid.tsx'
import { DataImport } from './DataImport.tsx'
import { DataToolbar, ExportProgress } from './DataToolbar.tsx'
import { type Fields, managed, orderColumns } from './dataValues.ts'
import { FilterChips } from './FilterChips.tsx'
import { countConditions, type Filter, noFilter, readFilter, toWhere, writeFilter } from './filter.ts'
import { DeleteRowsDialog, SelectedRows } from './SelectedRows.tsx'
import { useSchemas } from './schemas.ts'
import { useBulkChanges } from './useBulkChanges.ts'
import { useExport } from './useExport.ts'
import { useRowSelection } from './useRowSelection.ts'
import { useRows } from './useRows.ts'
import { useSaveCell } from './useSaveCell.ts'

/** Above it rows come in the order of their ids, which has an index, until another order is chosen. */
const mostSorted = 100_000

/** The objects of one class: found, changed, added, deleted and taken along. */
export function ClassObjects({ schema: { className, fields } }: { schema: SchemaRecord }) {
  const isAdmin = useConsole().role === 'admin'
  const { parameters, set, filter, where, order, hidden, columns, rows } = useView(className, fields)
  const opened = parameters.get('row') ?? undefined
  const filters = countConditions(filter)
  const [isFiltering, setFiltering] = useState(false)
  const [edited, setEdited] = useState<{ row: WireFields; name: string }>()
  const [dialog, setDialog] = useState<'delete' | 'edit' | 'import'>()
  const closeDialog = () => setDialog(undefined)
  const total = rows.total ?? 0
  const selection = useRowSelection(total)
  const { refetch } = rows
  const save = useSaveCell(className, refetch)
  const changeFilter = (next: Filter) => {
    // Rows that the new filter hides must not be changed unseen.
    selection.clear()
    set('where', writeFilter(next))
  }
  const bulk = useBulkChanges({ className, where, selection, refetch, onError: fail, onDone: closeDialog })
  const { exported, exportAs, stopExport } = useExport({ className, where, columns, onError: fail })
  return (
    <>
      <ClassHeader className={className} total={rows.total} onAdded={isAdmin ? refetch : undefined} />
      {/* One place for both, so that nothing moves when a row is picked. */}
      {isAdmin && selection.chosen > 0 ? (
        <SelectedRows
          selection={selection}
          total={total}
          onEdit={() => setDialog('edit')}
          onDelete={() => setDialog('delete')}
        />
      ) : (
        <DataToolbar
          className={className}
          fields={fields}
          search={viewOf(parameters)}
          isFiltering={isFiltering}
          filters={filters}
          onFilter={() => setFiltering(!isFiltering)}
          hidden={hidden}
          onHide={(next) => set('hide', [...next].join(','))}
          onExport={(form) => void exportAs(form)}
          onImport={isAdmin ? () => setDialog('import') : undefined}
        />
      )}
      {exported !== undefined && <ExportProgress exported={exported} total={rows.total} onStop={stopExport} />}
      <FilterArea
        {...{ className, fields, order, filter, isFiltering }}
        written={parameters.get('where') ?? ''}
        onChange={changeFilter}
      />
      {rows.error && (
        <LoadFailure title={t('The objects could not be loaded')} error={rows.error} onRetry={rows.refetch} />
      )}
      {!rows.error && rows.count === undefined && <GridSkeleton />}
      {!rows.error && rows.count === 0 && <NoObjects isFiltered={filters > 0} onClear={() => changeFilter(noFilter)} />}
      {!rows.error && rows.count !== undefined && rows.count > 0 && (
        <DataGrid
          className={className}
          columns={columns}
          fields={fields}
          rows={rows}
          order={order}
          onOrder={(next) => set('order', next)}
          onHide={(name) => set('hide', [...hidden, name].join(','))}
          selection={isAdmin ? selection : undefined}
          opened={opened}
          onOpenRow={(row) => set('row', String(row.objectId))}
          mayEdit={(name) => (isAdmin && !managed.has(name)) || fields[name]?.type === 'Relation'}
          onEdit={(row, name) => setEdited({ row, name })}
          onSave={save}
        />
      )}
      {opened !== undefined && (
        <RowPanel
          className={className}
          fields={fields}
          objectId={opened}
          rows={rows}
          mayEdit={isAdmin}
          onSave={save}
          onShow={(objectId) => set('row', objectId, true)}
          onClose={() => set('row', '')}
        />
      )}
      {edited && (
        <CellEditor
          className={className}
          fields={fields}
          {...edited}
          mayEdit={isAdmin}
          onClose={() => setEdited(undefined)}
          onSave={save}
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

type ClassHeaderProps = {
  className: string
  total: number | undefined
  /** Absent for operators who add no objects. */
  onAdded: ComponentProps<typeof AddRow>['onAdded'] | undefined
}

function ClassHeader({ className, total, onAdded }: ClassHeaderProps) {
  return (
    <PageHeader
      title={className}
      aside={
        <div className="flex flex-wrap gap-2">
          <ClassSelect className={className} />
          {onAdded && <AddRow className={className} onAdded={onAdded} />}
        </div>
      }
    >
      {total !== undefined && t('{count, plural, one {# object} other {# objects}}', { count: total })}
    </PageHeader>
  )
}

/** The view alone, without the row that is open. */
function viewOf(parameters: URLSearchParams): string {
  const view = new URLSearchParams(parameters)
  view.delete('row')
  return view.size > 0 ? `?${view}` : ''
}

const fail = (error: unknown) => toasts.add(describeError(error as CountersignError).message, 'danger')

/** Filter, order and hidden columns, which the address holds, and the rows they give. */
function useView(className: string, fields: Fields) {
  const [parameters, setParameters] = useSearchParams()
  const filter = readFilter(parameters.get('where'))
  const [isLarge, setLarge] = useState(false)
  const order = parameters.get('order') ?? (isLarge ? 'objectId' : '-createdAt')
  const where = toWhere(fields, filter)
  const hides = parameters.get('hide') ?? ''
  const hidden: ReadonlySet<string> = new Set(hides.split(',').filter(Boolean))
  const columns = useMemo(() => {
    const away = new Set(hides.split(','))
    return orderColumns(fields).filter((name) => !away.has(name) && name !== 'password')
  }, [fields, hides])
  const rows = useRows(className, where, order)
  const isMany = (rows.total ?? 0) > mostSorted
  useEffect(() => {
    if (isMany) setLarge(true)
  }, [isMany])
  const set = (name: string, value: string, replace = false) => {
    const next = new URLSearchParams(parameters)
    if (value) next.set(name, value)
    else next.delete(name)
    setParameters(next, { preventScrollReset: true, replace })
  }
  return { parameters, set, filter, where, order, hidden, columns, rows }
}

type FilterProps = ComponentProps<typeof DataFilter> & {
  isFiltering: boolean
  /** The filter as it is in the address. */
  written: string
}

function FilterArea({ isFiltering, written, ...rest }: FilterProps) {
  const { fields, filter, onChange } = rest
  return (
    <>
      {isFiltering && <DataFilter key={written} {...rest} />}
      {filter.parts.length > 0 && <FilterChips {...{ fields, filter, onChange }} />}
    </>
  )
}

function NoObjects({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  return (
    <Card>
      <EmptyState
        icon={Database}
        title={isFiltered ? t('No objects match this filter') : t('No objects')}
        actions={
          isFiltered && (
            <Button look="secondary" onClick={onClear}>
              {t('Clear filter')}
            </Button>
          )
        }
      />
    </Card>
  )
}

/** Leads to another class. */
function ClassSelect({ className }: { className: string }) {
  const navigate = useNavigate()
  const names = [...useSchemas().keys()]
  if (names.length < 2) return null
  return (
    <select
      aria-label={t('Class')}
      value={className}
      onChange={(event) => void navigate(`/admin/data/${encodeURIComponent(event.target.value)}`)}
      className={cx(inputClass, 'w-auto! max-w-60')}
    >
      {names.map((name) => (
        <option key={name}>{name}</option>
      ))}
    </select>
  )
}

function AddRow({ className, onAdded }: { className: string; onAdded: () => void }) {
  const { pending, change } = useChange()
  const add = async () => {
    if (await change('createObject', { className }, t('Row added'))) onAdded()
  }
  return (
    <Button pending={pending} onClick={() => void add()}>
      <Plus size={18} aria-hidden="true" />
      {t('Add row')}
    </Button>
  )
}
