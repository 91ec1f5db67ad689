import { ArrowDown, ArrowLeft, ArrowRight, ArrowUp, ChevronDown, EyeOff, Minus, Pin, PinOff, Plus } from 'lucide-react'
import { type CSSProperties, type DragEvent, useState } from 'react'
import { t } from '../../../i18n/translate.ts'
import { cx } from '../../../ui/cx.ts'
import { Menu, MenuItem } from '../../../ui/Menu.tsx'
import type { GridColumn, GridColumns } from './useGridColumns.ts'

type Props = {
  grid: GridColumns
  template: CSSProperties
  order: string
  onOrder: (order: string) => void
  onHide: (name: string) => void
  /** Id of a cell, for the focus; row -1 is the head. */
  idOf: (row: number, column: number) => string
  /** The head's cell that has the focus. */
  active: number | undefined
  onFocus: (column: number) => void
  /** Absent where rows cannot be selected. */
  selection: { isEvery: boolean; isSome: boolean; onChange: () => void } | undefined
}

/** Names of the columns: pressed to sort, dragged to move, with a menu for the rest. */
export function GridHead({ grid, template, order, onOrder, onHide, idOf, active, onFocus, selection }: Props) {
  const [dragged, setDragged] = useState<string>()
  return (
    <thead className="sticky top-0 z-30 block bg-sunken">
      <tr className="grid border-b border-line" style={template} aria-rowindex={1}>
        <th
          scope="col"
          id={idOf(-1, 0)}
          className={cx('sticky start-0 z-10 flex items-stretch bg-sunken', active === 0 && focusClass)}
        >
          {selection ? (
            <label className="grid min-h-11 w-9 place-items-center md:min-h-8">
              <input
                type="checkbox"
                tabIndex={-1}
                aria-label={t('Select all rows in this view')}
                checked={selection.isEvery}
                ref={(box) => {
                  if (box) box.indeterminate = !selection.isEvery && selection.isSome
                }}
                onChange={selection.onChange}
                className="size-4"
              />
            </label>
          ) : (
            <span className="sr-only">{t('Open row')}</span>
          )}
        </th>
        {grid.columns.map((column, place) => (
          <HeadCell
            key={column.name}
            id={idOf(-1, place + 1)}
            column={column}
            grid={grid}
            order={order}
            onOrder={onOrder}
            onHide={onHide}
            isActive={active === place + 1}
            onFocus={() => onFocus(place + 1)}
            onDrag={setDragged}
            onDrop={() => dragged !== undefined && grid.move(dragged, column.name)}
          />
        ))}
      </tr>
    </thead>
  )
}

const focusClass = 'outline-2 -outline-offset-2 outline-accent'

type HeadCellProps = Pick<Props, 'grid' | 'order' | 'onOrder' | 'onHide'> & {
  id: string
  column: GridColumn
  isActive: boolean
  onFocus: () => void
  onDrag: (name: string | undefined) => void
  onDrop: () => void
}

function HeadCell({ id, column, grid, order, onOrder, onHide, isActive, onFocus, onDrag, onDrop }: HeadCellProps) {
  const { name, width, start, resize } = column
  const direction = order === name ? 'ascending' : order === `-${name}` ? 'descending' : 'none'
  const Icon = direction === 'ascending' ? ArrowUp : ArrowDown
  const allow = (event: DragEvent) => event.preventDefault()
  return (
    <th
      scope="col"
      id={id}
      data-column={name}
      aria-sort={direction}
      draggable
      onDragStart={() => onDrag(name)}
      onDragEnd={() => onDrag(undefined)}
      onDragOver={allow}
      onDrop={onDrop}
      style={{ insetInlineStart: start }}
      className={cx(
        'group relative flex min-w-0 items-center font-semibold',
        start !== undefined && 'sticky! z-10 bg-sunken',
        isActive && focusClass,
      )}
    >
      <button
        type="button"
        tabIndex={-1}
        onClick={() => {
          onFocus()
          onOrder(order === name ? `-${name}` : name)
        }}
        className="flex min-h-11 min-w-0 flex-1 items-center gap-1.5 ps-2.5 text-start md:min-h-8"
      >
        <bdi className="truncate">{name}</bdi>
        {direction !== 'none' && <Icon size={14} aria-hidden="true" className="shrink-0" />}
        {start !== undefined && <Pin size={12} aria-hidden="true" className="shrink-0 text-muted" />}
      </button>
      <Menu
        trigger={
          <button
            type="button"
            tabIndex={-1}
            data-menu
            aria-label={t('Column {name}', { name })}
            className="grid min-h-11 w-7 shrink-0 place-items-center text-muted hover:text-ink md:min-h-8"
          >
            <ChevronDown size={14} aria-hidden="true" />
          </button>
        }
      >
        <MenuItem icon={ArrowUp} label={t('Sort ascending')} onSelect={() => onOrder(name)} />
        <MenuItem icon={ArrowDown} label={t('Sort descending')} onSelect={() => onOrder(`-${name}`)} />
        <MenuItem
          icon={start === undefined ? Pin : PinOff}
          label={start === undefined ? t('Pin column') : t('Unpin column')}
          onSelect={() => grid.togglePin(name)}
        />
        <MenuItem icon={ArrowLeft} label={t('Move column back')} onSelect={() => grid.move(name, -1)} />
        <MenuItem icon={ArrowRight} label={t('Move column forward')} onSelect={() => grid.move(name, 1)} />
        <MenuItem icon={Plus} label={t('Wider')} onSelect={() => grid.setWidth(name, width + 60)} />
        <MenuItem icon={Minus} label={t('Narrower')} onSelect={() => grid.setWidth(name, width - 60)} />
        <MenuItem icon={EyeOff} label={t('Hide column')} onSelect={() => onHide(name)} />
      </Menu>
      <span
        aria-hidden="true"
        data-resize={name}
        draggable
        onDragStart={(event) => {
          event.preventDefault()
          event.stopPropagation()
        }}
        onMouseDown={resize}
        onTouchStart={resize}
        className="absolute inset-y-0 end-0 z-10 w-1.5 cursor-col-resize touch-none border-e border-line group-hover:border-edge hover:border-e-2 hover:border-accent"
      />
    </th>
  )
}
