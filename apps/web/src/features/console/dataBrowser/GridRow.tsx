import type { WireFields, WireValue } from '@countersign/protocol'
import { ArrowUpRight, PanelRightOpen } from 'lucide-react'
import type { CSSProperties } from 'react'
import { Link } from 'react-router'
import { t } from '../../../i18n/translate.ts'
import { cx } from '../../../ui/cx.ts'
import { CellInput } from '../editors/CellInput.tsx'
import { type Fields, showCell, showValue } from './dataValues.ts'
import type { Range } from './gridCells.ts'
import { objectPath } from './schemas.ts'
import type { GridColumn } from './useGridColumns.ts'
import type { NamePointer } from './usePointerNames.ts'

type Props = {
  /** Place in the whole table. */
  number: number
  style: CSSProperties
  columns: readonly GridColumn[]
  fields: Fields
  /** Absent until it is read. */
  row: WireFields | undefined
  idOf: (column: number) => string
  /** Absent where rows cannot be selected. */
  isSelected: boolean | undefined
  onToggle: () => void
  /** Shown in the side panel. */
  isOpened: boolean
  onOpen: () => void
  namePointer: NamePointer
  /** Texts that other rows have in a column. */
  listKnown: (name: string) => readonly string[]
  /** The column that has the focus. */
  active: number | undefined
  /** The selected cells, if this row has some of them. */
  range: Range | undefined
  /** The column that is edited in place. */
  edited: number | undefined
  onPick: (column: number, isRange: boolean, isSecond: boolean) => void
  onSave: (row: WireFields, name: string, value: WireValue) => Promise<boolean>
  onEnd: (to: 'stay' | 'down' | 'next' | 'previous') => void
}

const isCoarse = () => window.matchMedia('(pointer: coarse)').matches

export function GridRow(props: Props) {
  const { number, style, columns, fields, row, idOf, isSelected, onToggle, active, range, edited } = props
  const { isOpened, onOpen, namePointer, listKnown } = props
  const { onPick, onSave, onEnd } = props
  const objectId = String(row?.objectId ?? '')
  const ground = isSelected || isOpened ? 'bg-accent-soft' : 'bg-surface'
  return (
    <tr
      aria-rowindex={number}
      aria-selected={isSelected}
      className={cx('absolute inset-x-0 top-0 grid border-b border-line', ground)}
      style={style}
    >
      <td id={idOf(0)} className={cx('sticky start-0 z-10 flex items-stretch', ground, active === 0 && focusClass)}>
        {row && isSelected !== undefined && (
          <label className="grid w-9 place-items-center">
            <input
              type="checkbox"
              tabIndex={-1}
              aria-label={t('Select {name}', { name: objectId })}
              checked={isSelected}
              onChange={onToggle}
              className="size-4"
            />
          </label>
        )}
        {row && (
          <button
            type="button"
            tabIndex={-1}
            aria-label={t('Open {name}', { name: objectId })}
            title={t('Open row')}
            onClick={onOpen}
            className="grid flex-1 place-items-center text-muted hover:bg-sunken hover:text-ink"
          >
            <PanelRightOpen size={16} aria-hidden="true" className="rtl:-scale-x-100" />
          </button>
        )}
      </td>
      {columns.map(({ name, start }, place) => {
        const column = place + 1
        const field = fields[name]
        const isIn = range && column >= range.left && column <= range.right && range.top !== range.bottom
        const isWide = range && column >= range.left && column <= range.right && range.left !== range.right
        return (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the grid has the keys of its cells
          <td
            key={name}
            id={idOf(column)}
            data-column={name}
            style={{ insetInlineStart: start }}
            // A second tap is what a double click is for a finger. A press within the editor is its own.
            onClick={(event) => edited !== column && onPick(column, event.shiftKey, isCoarse() && active === column)}
            onDoubleClick={() => edited !== column && onPick(column, false, true)}
            className={cx(
              'relative flex min-w-0 items-center select-none',
              start !== undefined && `sticky! z-10 ${ground}`,
              (isIn || isWide) && 'bg-accent-soft',
              active === column && focusClass,
            )}
          >
            {edited === column && row && field ? (
              <CellInput
                name={name}
                field={field}
                value={row[name]}
                known={listKnown(name)}
                onSave={(value) => onSave(row, name, value)}
                onEnd={onEnd}
              />
            ) : (
              <span className="truncate px-2.5">
                {row ? <Value type={field?.type} value={row[name]} namePointer={namePointer} /> : '…'}
              </span>
            )}
          </td>
        )
      })}
    </tr>
  )
}

const focusClass = 'outline-2 -outline-offset-2 outline-accent'

type ValueProps = { type: string | undefined; value: WireValue | undefined; namePointer: NamePointer }

function Value({ type, value, namePointer }: ValueProps) {
  if (value === undefined) return <span className="text-muted">—</span>
  if (type === 'Pointer') {
    const { className, objectId } = Object(value) as { className?: string; objectId?: string }
    if (className && objectId) return <PointerValue {...{ className, objectId, namePointer }} />
  }
  return <bdi title={showValue(value)}>{showCell(type, value)}</bdi>
}

type PointerProps = { className: string; objectId: string; namePointer: NamePointer }

/** The name of the object, and beside it a link: a press on the name itself selects and edits. */
function PointerValue({ className, objectId, namePointer }: PointerProps) {
  const name = namePointer(className, objectId)
  return (
    <span className="flex items-center gap-1">
      <bdi title={`${className}:${objectId}`} className="truncate">
        {name ?? `${className}:${objectId}`}
      </bdi>
      <Link
        to={objectPath(className, objectId)}
        tabIndex={-1}
        aria-label={t('Go to {name}', { name: name ?? objectId })}
        onClick={(event) => event.stopPropagation()}
        onDoubleClick={(event) => event.stopPropagation()}
        className="grid size-6 shrink-0 place-items-center rounded-control text-accent hover:bg-sunken"
      >
        <ArrowUpRight size={15} aria-hidden="true" className="rtl:-scale-x-100" />
      </Link>
    </span>
  )
}
