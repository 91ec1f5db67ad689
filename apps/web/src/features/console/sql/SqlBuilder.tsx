import { type ReactNode, useState } from 'react'
import { t } from '../../../i18n/translate.ts'
import { Button } from '../../../ui/Button.tsx'
import { FieldFrame, inputClass } from '../../../ui/forms/Field.tsx'
import type { SqlTable } from './SqlTable.ts'
import { type Built, writeSelect } from './writeSelect.ts'

type Props = { tables: readonly SqlTable[]; onBuilt: (query: string) => void }

const start: Built = { table: '', figure: 'rows', field: '', group: '', unit: 'day' }

/** Writes a query from choices. */
export function SqlBuilder({ tables, onBuilt }: Props) {
  const [built, setBuilt] = useState(start)
  const columns = tables.find(({ name }) => name === built.table)?.columns ?? []
  const typeOf = (name: string) => columns.find((column) => column.name === name)?.type ?? ''
  const numbers = columns.filter(({ type }) => type === 'double precision')
  const comparable = columns.filter(({ type }) => type !== 'jsonb' && type !== 'point')
  const fields = built.figure === 'sum' || built.figure === 'avg' ? numbers : comparable
  const needsField = !['rows', 'count'].includes(built.figure)
  const isReady = built.table !== '' && (!needsField || built.field !== '')
  return (
    <details className="mb-4">
      <summary className="min-h-11 content-center font-semibold text-accent">{t('Query builder')}</summary>
      <div className="mt-2 grid gap-4 sm:grid-cols-2 lg:grid-cols-4">
        <Choice
          id="built-table"
          label={t('Class')}
          value={built.table}
          onChange={(table) => setBuilt({ ...start, table })}
        >
          <option value="">{t('Not set')}</option>
          {tables.map(({ name }) => (
            <option key={name}>{name}</option>
          ))}
        </Choice>
        <Choice
          id="built-figure"
          label={t('Show')}
          value={built.figure}
          onChange={(figure) => setBuilt({ ...built, figure: figure as Built['figure'], field: '' })}
        >
          <option value="rows">{t('Rows')}</option>
          <option value="count">{t('Number of rows')}</option>
          <option value="sum">{t('Sum')}</option>
          <option value="avg">{t('Average')}</option>
          <option value="min">{t('Smallest')}</option>
          <option value="max">{t('Largest')}</option>
        </Choice>
        {needsField && (
          <Choice
            id="built-field"
            label={t('Field')}
            value={built.field}
            onChange={(field) => setBuilt({ ...built, field })}
          >
            <option value="">{t('Not set')}</option>
            {fields.map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
          </Choice>
        )}
        {built.figure !== 'rows' && (
          <Choice
            id="built-group"
            label={t('Group by')}
            value={built.group}
            onChange={(group) => setBuilt({ ...built, group })}
          >
            <option value="">{t('Not set')}</option>
            {comparable.map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
          </Choice>
        )}
        {built.figure !== 'rows' && typeOf(built.group) === 'timestamptz' && (
          <Choice
            id="built-unit"
            label={t('Time step')}
            value={built.unit}
            onChange={(unit) => setBuilt({ ...built, unit: unit as Built['unit'] })}
          >
            <option value="hour">{t('Hour')}</option>
            <option value="day">{t('Day')}</option>
            <option value="week">{t('Week')}</option>
            <option value="month">{t('Month')}</option>
          </Choice>
        )}
      </div>
      <div className="mt-4">
        <Button look="secondary" disabled={!isReady} onClick={() => onBuilt(writeSelect(built, typeOf))}>
          {t('Write query')}
        </Button>
      </div>
    </details>
  )
}

type ChoiceProps = {
  id: string
  label: string
  value: string
  onChange: (value: string) => void
  children: ReactNode
}

function Choice({ id, label, value, onChange, children }: ChoiceProps) {
  return (
    <FieldFrame id={id} label={label}>
      <select id={id} value={value} onChange={(event) => onChange(event.target.value)} className={inputClass}>
        {children}
      </select>
    </FieldFrame>
  )
}
