import { useWindowVirtualizer, type VirtualItem } from '@tanstack/react-virtual'
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { cx } from './cx.ts'

/** Row heights of lists left earlier, by history entry: going back leads to the same row. */
const measured = new Map<string, VirtualItem[]>()
const mostMeasured = 6

type Props = {
  label: string
  count: number
  /** Estimated row height in pixels, until it is measured. */
  estimate: number
  keyOf: (index: number) => string
  children: (index: number) => ReactNode
  /** Called when the end comes near. */
  onEnd?: (() => void) | undefined
  /** No lines between the rows. */
  plain?: boolean
}

/** A list of any length, of which only what is in sight is in the page. It scrolls with the page. */
export function VirtualRows({ label, count, estimate, keyOf, children, onEnd, plain = false }: Props) {
  const list = useRef<HTMLUListElement>(null)
  const [scrollMargin, setMargin] = useState(0)
  const place = `${useLocation().key} ${label}`
  useLayoutEffect(() => {
    const fit = () => {
      if (list.current) setMargin(Math.round(list.current.getBoundingClientRect().top + window.scrollY))
    }
    fit()
    const observer = new ResizeObserver(fit)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [])
  const virtualizer = useWindowVirtualizer({
    count,
    estimateSize: () => estimate,
    getItemKey: keyOf,
    overscan: 8,
    scrollMargin,
    initialMeasurementsCache: measured.get(place) ?? [],
  })
  useEffect(
    () => () => {
      measured.delete(place)
      measured.set(place, virtualizer.takeSnapshot())
      for (const oldest of measured.keys()) if (measured.size > mostMeasured) measured.delete(oldest)
    },
    [place, virtualizer],
  )
  const items = virtualizer.getVirtualItems()
  const last = items.at(-1)?.index ?? -1
  useEffect(() => {
    if (last >= count - 12 && count > 0) onEnd?.()
  }, [last, count, onEnd])
  return (
    <ul ref={list} aria-label={label} className="relative" style={{ height: virtualizer.getTotalSize() }}>
      {items.map(({ index, key, start }) => (
        <li
          key={key}
          ref={virtualizer.measureElement}
          data-index={index}
          aria-setsize={count}
          aria-posinset={index + 1}
          className={cx('absolute inset-x-0 top-0', !plain && 'border-b border-line last:border-0')}
          style={{ transform: `translateY(${start - scrollMargin}px)` }}
        >
          {children(index)}
        </li>
      ))}
    </ul>
  )
}
