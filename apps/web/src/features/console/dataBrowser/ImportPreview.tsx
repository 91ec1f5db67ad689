import type { WireFields } from '@countersign/protocol'
import { t } from '../../../i18n/translate.ts'
import { Badge } from '../../../ui/Badge.tsx'
import type { ReadColumn } from './dataFiles.ts'
import { showValue } from './dataValues.ts'

const mostSamples = 5

/** Columns of a file with the field and type that each becomes, and its first rows. */
export function ImportPreview({ columns, rows }: { columns: readonly ReadColumn[]; rows: readonly WireFields[] }) {
  return (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what is scrolled must be reached with the keyboard
      tabIndex={0}
      aria-label={t('Preview')}
      className="max-h-72 overflow-auto rounded-control border border-line"
    >
      <table className="w-max min-w-full text-xs">
        <thead className="bg-sunken text-start">
          <tr>
            {columns.map(({ name, type, isNew }) => (
              <th key={name} scope="col" className="max-w-56 px-3 py-2 text-start align-top">
                <bdi className="block truncate font-semibold">{name}</bdi>
                <span className="flex gap-1.5 font-normal text-muted">
                  {type ?? t('Not imported')}
                  {type && isNew && <Badge tone="warn">{t('New field')}</Badge>}
                </span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {rows.slice(0, mostSamples).map((row, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows of a file have no other name than their place
            <tr key={place}>
              {columns.map(({ name, type }) => (
                <td key={name} className="max-w-56 truncate px-3 py-1.5" dir="auto">
                  {type === undefined || row[name] === undefined ? (
                    <span className="text-muted">—</span>
                  ) : (
                    showValue(row[name])
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
