import type { WireFields, WireValue } from '@countersign/protocol'
import { t } from '../../../i18n/translate.ts'
import { cx } from '../../../ui/cx.ts'
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import type { Fields } from './dataValues.ts'
import { GridHead } from './GridHead.tsx'
import { GridRow } from './GridRow.tsx'
import { RowJump } from './RowJump.tsx'
import { useGrid } from './useGrid.ts'
import { usePointerNames } from './usePointerNames.ts'
import type { RowSelection } from './useRowSelection.ts'
import type { Rows } from './useRows.ts'

/** Fewer are scrolled through. */
const fewest = 1_000

type Props = {
  className: string
  columns: readonly string[]
  fields: Fields
  rows: Rows
  order: string
  onOrder: (order: string) => void
  onHide: (name: string) => void
  /** Absent without permission to change anything. */
  selection: RowSelection | undefined
  /** Id of the row in the side panel. */
  opened: string | undefined
  onOpenRow: (row: WireFields) => void
  mayEdit: (name: string) => boolean
  /** Opens the dialog of a cell that is not edited in place. */
  onEdit: (row: WireFields, name: string) => void
  onSave: (row: WireFields, name: string, value: WireValue) => Promise<boolean>
}

/** A table of which only the rows in sight are drawn. One tab stop; keys move within it. */
export function DataGrid(props: Props) {
  const { className, columns, fields, rows, order, onOrder, onHide, selection, opened, onOpenRow } = props
  const { mayEdit, onEdit, onSave } = props
  const { start: offset, count = 0, total = 0 } = rows
  const openedRow = opened === undefined ? undefined : rows.indexOf(opened)
  const { table, scroller, rowHeight, virtualizer, items, goTo, leadWidth, idOf, cell, at, go, press, ...view } =
    useGrid({ className, columns, fields, rows, selection, openedRow, mayEdit, onEdit, onOpenRow })
  const { grid, template, range, hasFocus, setFocus, endEdit } = view
  const namePointer = usePointerNames(
    fields,
    items.map(({ index }) => rows.at(index)),
  )
  return (
    <>
      <section
        ref={scroller}
        aria-label={className}
        aria-busy={rows.isStale}
        style={{ scrollPaddingInlineStart: leadWidth }}
        className={cx(
          'max-h-[75vh] overflow-auto rounded-control border border-line bg-surface',
          rows.isStale && 'opacity-60 transition-opacity delay-200',
        )}
      >
        <table
          ref={table}
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a grid is a table whose cells keys reach
          role="grid"
          // One tab stop: the focus stays here, and the active cell is named.
          tabIndex={0}
          aria-label={className}
          aria-rowcount={total + 1}
          aria-multiselectable={selection ? true : undefined}
          aria-activedescendant={hasFocus ? idOf(at.row, at.column) : undefined}
          onFocus={(event) => setFocus(event.target === event.currentTarget)}
          onBlur={() => setFocus(false)}
          onKeyDown={press}
          className="block w-max min-w-full text-sm outline-none"
        >
          <GridHead
            grid={grid}
            template={template}
            order={order}
            onOrder={onOrder}
            onHide={onHide}
            idOf={idOf}
            active={hasFocus && at.row < 0 ? at.column : undefined}
            onFocus={(column) => {
              go({ row: -1, column })
              table.current?.focus({ preventScroll: true })
            }}
            selection={
              selection && {
                isEvery: selection.isEvery,
                isSome: selection.selected.size > 0,
                onChange: selection.toggleEvery,
              }
            }
          />
          <tbody className="relative block" style={{ height: virtualizer.getTotalSize() }}>
            {items.map(({ index, start }) => (
              <GridRow
                key={offset + index}
                number={offset + index + 2}
                style={{ ...template, height: rowHeight, transform: `translateY(${start}px)` }}
                columns={grid.columns}
                fields={fields}
                row={rows.at(index)}
                idOf={(column) => idOf(index, column)}
                isSelected={selection && isChosen(selection, rows.at(index))}
                isOpened={openedRow === index}
                onOpen={() => cell.openRow(index)}
                namePointer={namePointer}
                listKnown={(name) => listKnown(rows, name)}
                onToggle={() => cell.toggle(index)}
                active={hasFocus && at.row === index ? at.column : undefined}
                range={index >= range.top && index <= range.bottom ? range : undefined}
                edited={cell.edited?.row === index ? cell.edited.column : undefined}
                onPick={(column, isRange, isSecond) => {
                  table.current?.focus({ preventScroll: true })
                  go({ row: index, column }, isRange)
                  if (isSecond) cell.open({ row: index, column }, 'Enter')
                }}
                onSave={onSave}
                onEnd={endEdit}
              />
            ))}
          </tbody>
        </table>
      </section>
      {total > fewest && <RowJump start={offset} count={count} total={total} onGo={goTo} />}
    </>
  )
}

/** Most texts that are offered, and the longest of them: a column with more has no known values. */
const [mostKnown, longestKnown] = [30, 60]

/** Texts that the rows read so far have in a column. */
function listKnown(rows: Rows, name: string): readonly string[] {
  const known = new Set<string>()
  const length = Math.min(rows.count ?? 0, 1_000)
  for (let place = 0; place < length && known.size <= mostKnown; place++) {
    const value = rows.at(place)?.[name]
    if (typeof value === 'string' && value !== '' && value.length <= longestKnown) known.add(value)
  }
  return known.size > mostKnown ? [] : [...known].sort()
}

const isChosen = ({ isEvery, selected }: RowSelection, row: WireFields | undefined) =>
  isEvery || selected.has(String(row?.objectId ?? ''))

/** In the place of the grid until its first rows are there. */
export function GridSkeleton() {
  return (
    <div role="status" className="animate-wait rounded-control border border-line bg-surface">
      <span className="sr-only">{t('Loading…')}</span>
      {Array.from({ length: 12 }, (_, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they differ by their place alone
        <div key={place} className={cx('flex h-8 items-center gap-6 px-3', place > 0 && 'border-t border-line')}>
          <Skeleton className="h-3 w-24" />
          <Skeleton className="h-3 w-40" />
          <Skeleton className="h-3 flex-1" />
        </div>
      ))}
    </div>
  )
}
