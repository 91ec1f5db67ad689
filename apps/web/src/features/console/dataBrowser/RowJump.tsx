import type { FormEvent } from 'react'
import { formatNumber } from '../../../i18n/format.ts'
import { t } from '../../../i18n/translate.ts'
import { Button } from '../../../ui/Button.tsx'
import { cx } from '../../../ui/cx.ts'
import { inputClass } from '../../../ui/forms/Field.tsx'
import { mostDrawn } from './dataValues.ts'

type Props = { start: number; count: number; total: number; onGo: (row: number) => void }

/** Leads to a row by its number, and from part to part where there are more rows than can be drawn. */
export function RowJump({ start, count, total, onGo }: Props) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const row = Number(new FormData(event.currentTarget).get('row'))
    if (row >= 1) onGo(row - 1)
  }
  return (
    <form onSubmit={submit} className="mt-3 flex flex-wrap items-center gap-2 text-sm">
      {total > mostDrawn && (
        <>
          <span role="status" className="text-muted">
            {t('Rows {first} to {last} of {count}', {
              first: formatNumber(start + 1),
              last: formatNumber(start + count),
              count: formatNumber(total),
            })}
          </span>
          <Button look="secondary" onClick={() => onGo(start - mostDrawn)}>
            {t('Previous rows')}
          </Button>
          <Button look="secondary" onClick={() => onGo(start + mostDrawn)}>
            {t('Next rows')}
          </Button>
        </>
      )}
      <input
        type="number"
        name="row"
        min={1}
        max={total}
        required
        aria-label={t('Row number')}
        className={cx(inputClass, 'max-w-36')}
      />
      <Button type="submit" look="secondary">
        {t('Go to row')}
      </Button>
    </form>
  )
}
