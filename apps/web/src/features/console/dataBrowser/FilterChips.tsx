import { X } from 'lucide-react'
import { t } from '../../../i18n/translate.ts'
import { Button } from '../../../ui/Button.tsx'
import type { Fields } from './dataValues.ts'
import { describePart } from './describeFilter.ts'
import { type Filter, noFilter } from './filter.ts'

type Props = { fields: Fields; filter: Filter; onChange: (filter: Filter) => void }

/** The conditions of the view, always in sight: changes of all rows reach only those that meet them. */
export function FilterChips({ fields, filter, onChange }: Props) {
  const { isAny, parts } = filter
  return (
    <ul aria-label={t('Filter|noun')} className="mb-4 flex flex-wrap items-center gap-2">
      {parts.map((part, place) => {
        const text = describePart(fields, part)
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no other name than their place
          <li key={place} className="inline-flex max-w-full items-center gap-2 text-sm">
            {place > 0 && <span className="text-muted">{isAny ? t('or') : t('and')}</span>}
            <span className="inline-flex min-w-0 items-center rounded-full bg-accent-soft ps-3.5">
              <bdi className="min-w-0 truncate font-semibold text-accent">{text}</bdi>
              <button
                type="button"
                aria-label={t('Remove filter: {condition}', { condition: text })}
                onClick={() => onChange({ isAny, parts: parts.filter((_, at) => at !== place) })}
                className="grid size-11 shrink-0 place-items-center rounded-full text-accent hover:text-ink"
              >
                <X size={16} aria-hidden="true" />
              </button>
            </span>
          </li>
        )
      })}
      <li>
        <Button look="ghost" onClick={() => onChange(noFilter)}>
          {t('Clear filter')}
        </Button>
      </li>
    </ul>
  )
}
