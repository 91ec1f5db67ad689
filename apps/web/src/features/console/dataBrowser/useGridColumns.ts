import {
  columnOrderingFeature,
  columnPinningFeature,
  columnResizingFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { useEffect, useMemo, useState } from 'react'
import type { Fields } from './dataValues.ts'

const features = tableFeatures({
  columnOrderingFeature,
  columnPinningFeature,
  columnResizingFeature,
  columnSizingFeature,
  columnVisibilityFeature,
})

/** Widths in pixels. */
const [narrowest, widest] = [64, 800]
const usual = 180
const usualOf: { [type: string]: number } = { Boolean: 100, Number: 110, Date: 168, Relation: 130, File: 160 }
const idWidth = 130

/** Order, widths and pinned columns of a class in this browser. */
type Kept = { order: string[]; widths: Record<string, number>; pinned: string[] }

const keyOf = (className: string) => `countersign.console.columns.${className}`

/** Anyone who uses this browser may have written to it. */
function readKept(className: string): Kept {
  const texts = (list: unknown) =>
    Array.isArray(list) ? list.filter((each): each is string => typeof each === 'string') : []
  try {
    const { order, widths, pinned } = Object(JSON.parse(localStorage.getItem(keyOf(className)) ?? '{}'))
    const sizes = Object.entries(Object(widths) as Record<string, unknown>).filter(
      (each): each is [string, number] => typeof each[1] === 'number' && each[1] >= narrowest && each[1] <= widest,
    )
    return { order: texts(order), widths: Object.fromEntries(sizes), pinned: texts(pinned) }
  } catch {
    return { order: [], widths: {}, pinned: [] }
  }
}

export type GridColumn = {
  name: string
  width: number
  /** Distance from the start of the row, for a pinned column. */
  start: number | undefined
  resize: ((event: unknown) => void) | undefined
}

export type GridColumns = {
  columns: readonly GridColumn[]
  setWidth: (name: string, width: number) => void
  togglePin: (name: string) => void
  /** Moves a column before another one, or by so many places. */
  move: (name: string, to: string | number) => void
}

const noRows: object[] = []

/** Columns of a class as they are shown: in their order, pinned ones first, with their widths. */
export function useGridColumns(className: string, names: readonly string[], fields: Fields): GridColumns {
  const [first] = useState(() => readKept(className))
  const columns = useMemo(() => {
    const sizeOf = (id: string) => (id === 'objectId' ? idWidth : (usualOf[fields[id]?.type ?? ''] ?? usual))
    // Room for the whole name of a field, with its buttons.
    const sizes = (id: string) => Math.max(sizeOf(id), Math.min(id.length * 8 + 44, usual))
    return names.map((id) => ({ id, size: sizes(id), minSize: narrowest, maxSize: widest }))
  }, [names, fields])
  const table = useTable({
    features,
    columns,
    data: noRows,
    columnResizeMode: 'onChange',
    columnResizeDirection: document.documentElement.dir === 'rtl' ? 'rtl' : 'ltr',
    initialState: {
      columnOrder: first.order,
      columnSizing: first.widths,
      columnPinning: { start: first.pinned, end: [] },
    },
  })
  const { columnOrder, columnSizing, columnPinning } = table.state
  useEffect(() => {
    const kept: Kept = { order: columnOrder, widths: columnSizing, pinned: columnPinning.start }
    try {
      localStorage.setItem(keyOf(className), JSON.stringify(kept))
    } catch {
      // Kept until the page is closed.
    }
  }, [className, columnOrder, columnSizing, columnPinning.start])
  const headers = table.getHeaderGroups()[0]?.headers ?? []
  const shown = headers.map((header) => ({
    name: header.column.id,
    width: header.column.getSize(),
    start: header.column.getIsPinned() === 'start' ? header.column.getStart('start') : undefined,
    resize: header.getResizeHandler(),
  }))
  const move: GridColumns['move'] = (name, to) => {
    const pinned = columnPinning.start
    const isPinned = pinned.includes(name)
    const list = shown.filter(({ start }) => (start !== undefined) === isPinned).map((each) => each.name)
    const at = list.indexOf(name)
    const target = typeof to === 'number' ? at + to : list.indexOf(to)
    if (target < 0 || target >= list.length || target === at) return
    list.splice(at, 1)
    list.splice(target, 0, name)
    if (isPinned) table.setColumnPinning({ start: list, end: [] })
    else table.setColumnOrder([...pinned, ...list])
  }
  return {
    columns: shown,
    setWidth: (name, width) =>
      table.setColumnSizing((before) => ({ ...before, [name]: Math.min(Math.max(width, narrowest), widest) })),
    togglePin(name) {
      const { start } = columnPinning
      const next = start.includes(name) ? start.filter((each) => each !== name) : [...start, name]
      table.setColumnPinning({ start: next, end: [] })
    },
    move,
  }
}
