import type { WireFields, WireValue } from '@countersign/protocol'
import { useVirtualizer } from '@tanstack/react-virtual'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { type CSSProperties, type FormEvent, useEffect, useRef, useState } from 'react'
import { formatNumber } from '../../../i18n/format.ts'
import { t } from '../../../i18n/translate.ts'
import { Button } from '../../../ui/Button.tsx'
import { cx } from '../../../ui/cx.ts'
import { inputClass } from '../../../ui/forms/Field.tsx'
import { type Fields, findPart, mostDrawn, showCell, showValue } from './dataValues.ts'
import type { Rows } from './useRows.ts'

/** Room for a thumb, and the line below. */
const rowHeight = 45
/** Fewer are scrolled through. */
const fewest = 1_000

type Props = {
  label: string
  columns: readonly string[]
  fields: Fields
  rows: Rows
  order: string
  onOrder: (name: string) => void
  /** Absent without permission to change anything. */
  selected: ReadonlySet<string> | undefined
  onSelect: (objectId: string) => void
  onUnselect: (objectId: string) => void
  mayEdit: (name: string) => boolean
  onEdit: (row: WireFields, name: string) => void
}

/** A table of which only the rows in sight are drawn. */
export function DataGrid({
  label,
  columns,
  fields,
  rows,
  order,
  onOrder,
  selected,
  onSelect,
  onUnselect,
  mayEdit,
  onEdit,
}: Props) {
  const scroller = useRef<HTMLElement>(null)
  const virtualizer = useVirtualizer({
    count: rows.count ?? 0,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 10,
  })
  const items = virtualizer.getVirtualItems()
  const [first, last] = [items[0]?.index ?? 0, items.at(-1)?.index ?? 0]
  const { want, start: offset, count = 0, total = 0, show } = rows
  useEffect(() => want(first, last))
  const [target, setTarget] = useState<{ index: number }>()
  // Once the part that the row is in is drawn.
  useEffect(() => {
    if (target) virtualizer.scrollToIndex(target.index, { align: 'start' })
  }, [target, virtualizer])
  const goTo = (row: number) => {
    show(row)
    setTarget({ index: findPart(row, total).index })
  }
  const template = { gridTemplateColumns: `${selected ? '3rem ' : ''}repeat(${columns.length}, minmax(11rem, 1fr))` }
  return (
    <>
      <section
        ref={scroller}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what is scrolled must be reached with the keyboard
        tabIndex={0}
        aria-label={label}
        className="max-h-[70vh] overflow-auto rounded-card border border-line bg-surface"
      >
        <table aria-label={label} aria-rowcount={total + 1} className="block w-max min-w-full text-sm">
          <GridHead
            columns={columns}
            template={template}
            order={order}
            onOrder={onOrder}
            hasSelection={selected !== undefined}
          />
          <tbody className="relative block" style={{ height: virtualizer.getTotalSize() }}>
            {items.map(({ index, start }) => (
              <GridRow
                key={offset + index}
                number={offset + index + 2}
                style={{ ...template, height: rowHeight, transform: `translateY(${start}px)` }}
                columns={columns}
                fields={fields}
                row={rows.at(index)}
                selected={selected}
                onSelect={onSelect}
                onUnselect={onUnselect}
                mayEdit={mayEdit}
                onEdit={onEdit}
              />
            ))}
          </tbody>
        </table>
      </section>
      {total > fewest && <Jump start={offset} count={count} total={total} onGo={goTo} />}
    </>
  )
}

type HeadProps = {
  columns: readonly string[]
  template: CSSProperties
  order: string
  onOrder: (name: string) => void
  hasSelection: boolean
}

/** Names of the columns: a press sorts by one of them. */
function GridHead({ columns, template, order, onOrder, hasSelection }: HeadProps) {
  return (
    <thead className="sticky top-0 z-20 block border-b border-line bg-sunken">
      <tr className="grid" style={template} aria-rowindex={1}>
        {hasSelection && (
          <th scope="col">
            <span className="sr-only">{t('Selected')}</span>
          </th>
        )}
        {columns.map((name) => {
          const direction = order === name ? 'ascending' : order === `-${name}` ? 'descending' : 'none'
          const Icon = direction === 'ascending' ? ArrowUp : ArrowDown
          return (
            <th key={name} scope="col" aria-sort={direction}>
              <button
                type="button"
                onClick={() => onOrder(name)}
                className="flex min-h-11 w-full items-center gap-1.5 px-3 text-start font-semibold"
              >
                <bdi className="truncate">{name}</bdi>
                {direction !== 'none' && <Icon size={15} aria-hidden="true" className="shrink-0" />}
              </button>
            </th>
          )
        })}
      </tr>
    </thead>
  )
}

type RowProps = Pick<Props, 'columns' | 'fields' | 'selected' | 'onSelect' | 'onUnselect' | 'mayEdit' | 'onEdit'> & {
  /** Place in the whole table. */
  number: number
  style: CSSProperties
  /** Absent until it is read. */
  row: WireFields | undefined
}

function GridRow({ number, style, columns, fields, row, selected, onSelect, onUnselect, mayEdit, onEdit }: RowProps) {
  const objectId = String(row?.objectId ?? '')
  const isSelected = selected?.has(objectId) ?? false
  return (
    <tr
      aria-rowindex={number}
      className={cx('absolute inset-x-0 top-0 grid border-b border-line', isSelected && 'bg-accent-soft')}
      style={style}
    >
      {selected && (
        <td className="grid place-items-center">
          {row && (
            <label className="grid size-11 place-items-center">
              <input
                type="checkbox"
                aria-label={t('Select {name}', { name: objectId })}
                checked={isSelected}
                onChange={() => (isSelected ? onUnselect(objectId) : onSelect(objectId))}
                className="size-5"
              />
            </label>
          )}
        </td>
      )}
      {columns.map((name) => (
        <td key={name} className="grid min-w-0 items-center">
          {row && mayEdit(name) ? (
            <button
              type="button"
              aria-label={t('Edit {name}: {value}', { name, value: showValue(row[name]) })}
              onClick={() => onEdit(row, name)}
              className="h-full truncate px-3 text-start hover:bg-sunken"
            >
              <Value type={fields[name]?.type} value={row[name]} />
            </button>
          ) : (
            <span className="truncate px-3">{row ? <Value type={fields[name]?.type} value={row[name]} /> : '…'}</span>
          )}
        </td>
      ))}
    </tr>
  )
}

type JumpProps = { start: number; count: number; total: number; onGo: (row: number) => void }

/** Leads to a row by its number, and from part to part where there are more rows than can be drawn. */
function Jump({ start, count, total, onGo }: JumpProps) {
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

function Value({ type, value }: { type: string | undefined; value: WireValue | undefined }) {
  if (value === undefined) return <span className="text-muted">—</span>
  return <bdi title={showValue(value)}>{showCell(type, value)}</bdi>
}
