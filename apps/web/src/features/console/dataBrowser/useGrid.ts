import type { WireFields } from '@countersign/protocol'
import { useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import type { Fields } from './dataValues.ts'
import { type Place, rangeOf } from './gridCells.ts'
import { useGridColumns } from './useGridColumns.ts'
import { useGridCursor } from './useGridCursor.ts'
import { useOpenCell } from './useOpenCell.ts'
import type { RowSelection } from './useRowSelection.ts'
import type { Rows } from './useRows.ts'
import { useVirtualRows } from './useVirtualRows.ts'

/** Widths of the first column: a button that opens the row, and beside it a checkbox. */
const [openWidth, boxWidth] = [44, 76]

type Props = {
  className: string
  columns: readonly string[]
  fields: Fields
  rows: Rows
  selection: RowSelection | undefined
  /** Place of the row in the side panel. */
  openedRow: number | undefined
  mayEdit: (name: string) => boolean
  onEdit: (row: WireFields, name: string) => void
  onOpenRow: (row: WireFields) => void
}

/** Columns, cursor and edited cell of the grid, and the rows in sight. */
export function useGrid(props: Props) {
  const { className, columns: names, fields, rows, selection, openedRow, mayEdit, onEdit, onOpenRow } = props
  const id = useId()
  const table = useRef<HTMLTableElement>(null)
  const { scroller, rowHeight, virtualizer, items, goTo } = useVirtualRows(rows)
  const { start: offset, count = 0 } = rows
  const grid = useGridColumns(className, names, fields)
  const leadWidth = selection ? boxWidth : openWidth
  // The first column has no name: it is that of the rows themselves.
  const shown = ['', ...grid.columns.map(({ name }) => name)]
  const [hasFocus, setFocus] = useState(false)
  const idOf = (row: number, column: number) => `${id}-${row < 0 ? 'head' : offset + row}-${column}`
  const cell = useOpenCell({ names: shown, fields, rows, selection, idOf, mayEdit, onEdit, onOpenRow })

  const reach = ({ row, column }: Place) => {
    if (row >= 0) virtualizer.scrollToIndex(row)
    const head = document.getElementById(idOf(-1, column))
    const box = scroller.current
    const columnAt = grid.columns[column - 1]
    // A pinned column is always in sight.
    if (!head || !box || !columnAt || columnAt.start !== undefined) return
    head.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }
  const page = Math.max(Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 2, 1)
  const { cursor, go, press } = useGridCursor({
    ...{ table, className, fields, rows, names: shown, page, mayEdit, onReach: reach, onOpen: cell.open },
  })
  const { at } = cursor
  const endEdit = (to: 'stay' | 'down' | 'next' | 'previous') => {
    cell.close()
    table.current?.focus({ preventScroll: true })
    const by = { stay: [0, 0], down: [1, 0], next: [0, 1], previous: [0, -1] }[to] as [number, number]
    const row = Math.min(at.row + by[0], count - 1)
    go({ row, column: Math.min(Math.max(at.column + by[1], 0), shown.length - 1) })
  }
  // The cursor follows the panel, so that the focus returns to the row that was looked at last.
  const follow = useEffectEvent((row: number) => {
    if (at.row !== row) go({ row, column: at.column })
  })
  useEffect(() => {
    if (openedRow !== undefined) follow(openedRow)
  }, [openedRow])
  const widths = [leadWidth, ...grid.columns.map(({ width }) => width)]
  return {
    ...{ table, scroller, rowHeight, virtualizer, items, goTo, leadWidth, idOf, cell, at, go, press, endEdit },
    ...{ hasFocus, setFocus, range: rangeOf(cursor) },
    template: { gridTemplateColumns: widths.map((width) => `${width}px`).join(' ') },
    // Pinned columns stand beside the first.
    grid: {
      ...grid,
      columns: grid.columns.map((column) => ({
        ...column,
        start: column.start === undefined ? undefined : column.start + leadWidth,
      })),
    },
  }
}
