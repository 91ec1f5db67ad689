import { useState } from 'react'
import { t } from '../../../i18n/translate.ts'
import { Card, CardHeader } from '../../../ui/Card.tsx'
import { inputClass } from '../../../ui/forms/Field.tsx'
import { sortClasses } from '../dataBrowser/schemas.ts'
import type { SqlTable } from './SqlTable.ts'

type Props = { tables: readonly SqlTable[]; onPick: (text: string) => void }

const quote = (name: string) => `"${name.replaceAll('"', '""')}"`

/** Classes and their columns; a press puts the name into the query. */
export function SqlTables({ tables, onPick }: Props) {
  const [search, setSearch] = useState('')
  const wanted = search.trim().toLowerCase()
  const shown = sortClasses(tables, ({ name }) => name).filter(({ name }) => name.toLowerCase().includes(wanted))
  return (
    <Card aria-labelledby="sql-tables" className="p-4! xl:sticky xl:top-4">
      <CardHeader id="sql-tables" title={t('Classes')} />
      <input
        type="search"
        aria-label={t('Search classes')}
        placeholder={t('Search classes')}
        value={search}
        onChange={(event) => setSearch(event.target.value)}
        className={inputClass}
      />
      <ul className="mt-3 max-h-[60dvh] overflow-y-auto text-sm">
        {shown.map(({ name, columns }) => (
          <li key={name}>
            <details>
              <summary className="min-h-9 content-center font-semibold wrap-anywhere">
                <bdi>{name}</bdi>
              </summary>
              <ul className="mb-2 ps-4">
                <li>
                  <Name text={name} detail={t('Class')} onPick={onPick} />
                </li>
                {columns.map((column) => (
                  <li key={column.name}>
                    <Name text={column.name} detail={column.type} onPick={onPick} />
                  </li>
                ))}
              </ul>
            </details>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Name({ text, detail, onPick }: { text: string; detail: string; onPick: Props['onPick'] }) {
  return (
    <button
      type="button"
      onClick={() => onPick(quote(text))}
      className="flex min-h-8 w-full items-center gap-2 rounded-control px-2 text-start hover:bg-sunken max-md:min-h-11"
    >
      <bdi className="min-w-0 font-mono wrap-anywhere">{text}</bdi>
      <span className="ms-auto text-xs text-muted">{detail}</span>
    </button>
  )
}
