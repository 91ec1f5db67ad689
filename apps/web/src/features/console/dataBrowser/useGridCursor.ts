import { type KeyboardEvent, type RefObject, useEffect, useEffectEvent, useState } from 'react'
import { formatNumber } from '../../../i18n/format.ts'
import { t } from '../../../i18n/translate.ts'
import { toasts } from '../../../ui/feedback/toasts.ts'
import { useProve } from '../ask.ts'
import { messageOf, sendRows } from './dataRows.ts'
import type { Fields } from './dataValues.ts'
import { type Cursor, mostCells, moveBy, type Place, parseTabbed, planPaste, rangeOf, toTabbed } from './gridCells.ts'
import { undoRows } from './undoRows.ts'
import type { Rows } from './useRows.ts'

type Props = {
  /** The grid, which has the focus. */
  table: RefObject<HTMLTableElement | null>
  className: string
  fields: Fields
  rows: Rows
  /** Names of the shown columns. The first is empty: that of the rows themselves. */
  names: readonly string[]
  /** Rows in sight. */
  page: number
  mayEdit: (name: string) => boolean
  /** Brings a row into sight. */
  onReach: (place: Place) => void
  /** Enter, F2 or Space on a cell, or Enter on a head. */
  onOpen: (place: Place, key: 'Enter' | ' ' | 'Shift+Space') => void
}

/** The focused cell of a grid, the range beside it, and what keys, copy and paste do with them. */
export function useGridCursor({ table, className, fields, rows, names, page, mayEdit, onReach, onOpen }: Props) {
  const prove = useProve()
  const [cursor, setCursor] = useState<Cursor>({ at: { row: 0, column: 0 }, from: { row: 0, column: 0 } })
  const { at } = cursor
  const count = rows.count ?? 0

  const go = (to: Place, isRange = false) => {
    setCursor({ at: to, from: isRange ? cursor.from : to })
    onReach(to)
  }

  const press = (event: KeyboardEvent<HTMLElement>) => {
    // Keys of an editor or a menu inside the grid are their own.
    if (event.target !== event.currentTarget) return
    const isEdge = event.ctrlKey || event.metaKey
    const isRtl = getComputedStyle(event.currentTarget).direction === 'rtl'
    const to = moveBy(event.key, at, { rows: count, columns: names.length, page, isEdge, isRtl })
    if (to) {
      event.preventDefault()
      // A range has no part in the head.
      go(event.shiftKey ? { ...to, row: Math.max(to.row, 0) } : to, event.shiftKey)
    } else if (event.key === 'Enter' || event.key === 'F2' || event.key === ' ') {
      event.preventDefault()
      onOpen(at, event.key !== ' ' ? 'Enter' : event.shiftKey ? 'Shift+Space' : ' ')
    } else if (event.key === 'Escape') setCursor({ at, from: at })
  }

  /** Rows and columns of the range, without the column of checkboxes. */
  const readRange = (height = 1, width = 1) => {
    const { top, bottom, left, right } = rangeOf(cursor)
    const first = Math.max(top, 0)
    const isSpot = top === bottom && left === right
    const lastRow = Math.min(isSpot ? first + height - 1 : bottom, count - 1)
    const lastColumn = Math.min(isSpot ? left + width - 1 : right, names.length - 1)
    const columns = names.slice(left, lastColumn + 1).filter(Boolean)
    if ((lastRow - first + 1) * columns.length > mostCells) return undefined
    const found = Array.from({ length: Math.max(lastRow - first + 1, 0) }, (_, place) => rows.at(first + place))
    return { found, columns }
  }
  const refuse = () => toasts.add(t('Select at most {count} cells.', { count: formatNumber(mostCells) }), 'danger')

  const copy = useEffectEvent((event: ClipboardEvent) => {
    if (document.activeElement !== table.current) return
    const range = readRange()
    event.preventDefault()
    if (!range) return refuse()
    event.clipboardData?.setData('text/plain', toTabbed(range.found, range.columns))
  })

  const paste = useEffectEvent((event: ClipboardEvent) => {
    if (document.activeElement !== table.current) return
    event.preventDefault()
    const cells = parseTabbed(event.clipboardData?.getData('text/plain') ?? '')
    const range = readRange(cells.length, Math.max(...cells.map((line) => line.length), 0))
    if (!range) return refuse()
    const plan = planPaste(cells, range.found, range.columns, fields, mayEdit)
    if ('problem' in plan)
      return void toasts.add(t('Nothing pasted. Not a valid value: {value}', { value: plan.problem }), 'danger')
    void save(plan.requests, plan.back)
  })
  // Without a text selection browsers send these events to the page, not to the focused table.
  useEffect(() => {
    const listeners = { copy: (event: ClipboardEvent) => copy(event), paste: (event: ClipboardEvent) => paste(event) }
    document.addEventListener('copy', listeners.copy)
    document.addEventListener('paste', listeners.paste)
    return () => {
      document.removeEventListener('copy', listeners.copy)
      document.removeEventListener('paste', listeners.paste)
    }
  }, [])

  const save = async (requests: Parameters<typeof sendRows>[1], back: Parameters<typeof sendRows>[1]) => {
    try {
      const answer = await prove(() => sendRows(className, requests))
      if (!answer) return
      const [failure] = answer.failures
      rows.refetch()
      if (failure) toasts.add(failure.message, 'danger')
      else
        toasts.add(
          t('{count, plural, one {# row updated} other {# rows updated}}', { count: answer.done }),
          'ok',
          undoRows(className, back, rows.refetch),
        )
    } catch (error) {
      toasts.add(messageOf(error), 'danger')
    }
  }

  return { cursor, go, press }
}
