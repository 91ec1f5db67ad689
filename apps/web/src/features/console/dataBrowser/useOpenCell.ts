import type { WireFields } from '@countersign/protocol'
import { useState } from 'react'
import { isInline } from '../editors/CellInput.tsx'
import type { Fields } from './dataValues.ts'
import type { Place } from './gridCells.ts'
import type { RowSelection } from './useRowSelection.ts'
import type { Rows } from './useRows.ts'

type Props = {
  /** Names of the shown columns. The first is empty: that of the rows themselves. */
  names: readonly string[]
  fields: Fields
  rows: Rows
  selection: RowSelection | undefined
  /** Id of a cell; row -1 is the head. */
  idOf: (row: number, column: number) => string
  mayEdit: (name: string) => boolean
  /** Opens the dialog of a cell that is not edited in place. */
  onEdit: (row: WireFields, name: string) => void
  /** Opens the side panel of a row. */
  onOpenRow: (row: WireFields) => void
}

/** The cell that is edited in place, and what Enter and Space do on a cell. */
export function useOpenCell({ names, fields, rows, selection, idOf, mayEdit, onEdit, onOpenRow }: Props) {
  const [edited, setEdited] = useState<Place>()
  const toggle = (index: number) => {
    const objectId = String(rows.at(index)?.objectId ?? '')
    if (objectId !== '') selection?.toggle(objectId)
  }
  /** Enter sorts, as a press does; Space opens the menu of the column. */
  const openHead = (column: number, key: 'Enter' | ' ' | 'Shift+Space') => {
    const cell = document.getElementById(idOf(-1, column))
    cell?.querySelector<HTMLElement>(key === 'Enter' ? 'button' : '[data-menu]')?.click()
  }
  const openRow = (index: number) => {
    const row = rows.at(index)
    if (row) onOpenRow(row)
  }
  /** Enter edits, Space opens the side panel, Shift and Space select: so do they in the first column. */
  const open = (place: Place, key: 'Enter' | ' ' | 'Shift+Space') => {
    const name = names[place.column]
    if (place.row < 0) return name === '' ? selection?.toggleEvery() : openHead(place.column, key)
    if (selection && (key === 'Shift+Space' || (key === ' ' && name === ''))) return toggle(place.row)
    const row = rows.at(place.row)
    if (!row) return
    // Enter on a cell that cannot be edited has nothing else to do.
    if (key !== 'Enter' || !name || !mayEdit(name)) onOpenRow(row)
    else if (isInline(fields[name]?.type ?? '', row[name])) setEdited(place)
    else onEdit(row, name)
  }
  return { edited, toggle, open, openRow, close: () => setEdited(undefined) }
}
