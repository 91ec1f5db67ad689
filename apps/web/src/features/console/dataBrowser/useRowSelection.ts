import { useState } from 'react'
import { toggleName } from './dataValues.ts'

/** As many as one change of many rows may reach. */
export const mostChanged = 10_000
/** As many as an undo keeps in memory. */
export const mostUndone = 1_000
const mostSelected = 100

export type RowSelection = {
  /** Ids of the picked rows. */
  selected: ReadonlySet<string>
  /** True if the selection is all rows of the view, picked or not. */
  isEvery: boolean
  setEvery: (isEvery: boolean) => void
  /** Number of rows that a change reaches. */
  chosen: number
  toggle: (objectId: string) => void
  /** All rows of the view, or none. */
  toggleEvery: () => void
  clear: () => void
}

/** Selected rows of a view with `total` rows: the picked ones, or all that match the filter. */
export function useRowSelection(total: number): RowSelection {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [isEvery, setEvery] = useState(false)
  return {
    selected,
    isEvery,
    setEvery,
    chosen: isEvery ? Math.min(total, mostChanged) : selected.size,
    toggle(objectId) {
      setEvery(false)
      if (selected.has(objectId) || selected.size < mostSelected) setSelected(toggleName(selected, objectId))
    },
    toggleEvery() {
      setSelected(new Set())
      setEvery(!isEvery)
    },
    clear() {
      setSelected(new Set())
      setEvery(false)
    },
  }
}
