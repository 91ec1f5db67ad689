import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { findPart } from './dataValues.ts'
import type { Rows } from './useRows.ts'

/** Heights of a row in pixels: for a pointer, and with room for a thumb. */
const [lowRow, highRow] = [32, 45]

const narrow = window.matchMedia('(pointer: coarse), (max-width: 47.99rem)')

function watchRoom(listener: () => void) {
  narrow.addEventListener('change', listener)
  return () => narrow.removeEventListener('change', listener)
}

/** The rows in sight of the element `scroller`, which are read as they come into sight. */
export function useVirtualRows({ key, want, show, count = 0, total = 0 }: Rows) {
  const scroller = useRef<HTMLElement>(null)
  const rowHeight = useSyncExternalStore(watchRoom, () => (narrow.matches ? highRow : lowRow))
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 10,
    // The head covers the first row in sight.
    scrollPaddingStart: rowHeight,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: another height is another measure
  useEffect(() => virtualizer.measure(), [rowHeight, virtualizer])
  const items = virtualizer.getVirtualItems()
  const [first, last] = [items[0]?.index ?? 0, items.at(-1)?.index ?? 0]
  const drawn = useRef(key)
  useEffect(() => {
    if (drawn.current === key) return want(first, last)
    // Another question begins at its first row.
    drawn.current = key
    scroller.current?.scrollTo(scroller.current.scrollLeft, 0)
  })
  const [target, setTarget] = useState<{ index: number }>()
  // Once the part that the row is in is drawn.
  useEffect(() => {
    if (target) virtualizer.scrollToIndex(target.index, { align: 'start' })
  }, [target, virtualizer])
  const goTo = (row: number) => {
    show(row)
    setTarget({ index: findPart(row, total).index })
  }
  return { scroller, rowHeight, virtualizer, items, goTo }
}
