import { Columns3, Database, Download, Filter, Table2, Upload } from 'lucide-react'
import { formatNumber } from '../../../i18n/format.ts'
import { t } from '../../../i18n/translate.ts'
import { Button } from '../../../ui/Button.tsx'
import { Menu, MenuItem } from '../../../ui/Menu.tsx'
import { Progress } from '../../../ui/Progress.tsx'
import { DataViews } from './DataViews.tsx'
import { type Fields, toggleName } from './dataValues.ts'

type Props = {
  className: string
  fields: Fields
  /** The view as it is in the address. */
  search: string
  isFiltering: boolean
  /** Conditions in force. */
  filters: number
  onFilter: () => void
  /** Names of the hidden columns. */
  hidden: ReadonlySet<string>
  onHide: (hidden: ReadonlySet<string>) => void
  onExport: (form: 'csv' | 'json') => void
  /** Absent without permission to import. */
  onImport: (() => void) | undefined
}

/** Filter, columns, export, saved views and import of a class. */
export function DataToolbar(props: Props) {
  const { className, fields, search, isFiltering, filters, onFilter, hidden, onHide, onExport, onImport } = props
  return (
    <div className="mb-4 flex flex-wrap gap-2">
      <Button look="secondary" aria-expanded={isFiltering} onClick={onFilter}>
        <Filter size={18} aria-hidden="true" />
        {filters > 0 ? t('Filter ({count})', { count: formatNumber(filters) }) : t('Filter|noun')}
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
                  onChange={() => onHide(toggleName(hidden, name))}
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
        <MenuItem icon={Table2} label={t('As CSV')} onSelect={() => onExport('csv')} />
        <MenuItem icon={Database} label={t('As JSON')} onSelect={() => onExport('json')} />
      </Menu>
      <DataViews className={className} search={search} />
      {onImport && (
        <Button look="secondary" onClick={onImport}>
          <Upload size={18} aria-hidden="true" />
          {t('Import')}
        </Button>
      )}
    </div>
  )
}

type ProgressProps = { exported: number; total: number | undefined; onStop: () => void }

/** Progress of an export. */
export function ExportProgress({ exported, total, onStop }: ProgressProps) {
  return (
    <div className="mb-4 flex flex-wrap items-center gap-3 text-sm">
      <Progress label={t('Progress')} value={exported} max={Math.max(total ?? 0, exported)} className="flex-1" />
      {t('{done} of {count}', { done: formatNumber(exported), count: formatNumber(total ?? exported) })}
      <Button look="secondary" onClick={onStop}>
        {t('Stop')}
      </Button>
    </div>
  )
}
