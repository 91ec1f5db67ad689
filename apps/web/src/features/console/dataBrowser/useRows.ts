import type { CountersignError, WireFields, WireWhere } from '@countersign/protocol'
import { useEffect, useRef, useState } from 'react'
import { ask } from '../ask.ts'
import { findPart, planPage } from './dataValues.ts'

const pageLength = 100
/** Milliseconds between two looks for what others changed, and how many times as long as a look takes they are at least. */
const freshness = 5_000
const patience = 10

export type Rows = {
  /** Class, conditions and order, as one text. */
  key: string
  /** True while the rows are still in the order before. */
  isStale: boolean
  /** The first that is drawn, of all of them. */
  start: number
  /** As many as are drawn from there on. */
  count: number | undefined
  /** As many as there are. */
  total: number | undefined
  error: CountersignError | undefined
  /** A row by its place among those that are drawn. */
  at: (index: number) => WireFields | undefined
  /** Place of an object among those that are drawn; `undefined` if it is not read, or not in this view. */
  indexOf: (objectId: string) => number | undefined
  /** Has the part drawn that a row of all of them is in. */
  show: (row: number) => void
  /** Has the rows between two places of those that are drawn read. */
  want: (first: number, last: number) => void
  refetch: () => void
}

type Known = {
  key: string
  /** Class and conditions. */
  subject: string
  count: number
  pages: ReadonlyMap<number, WireFields[]>
}

/** Any number of objects, of which those in sight are read, and read again now and then. */
export function useRows(className: string, where: WireWhere, order: string): Rows {
  const subject = JSON.stringify([className, where])
  const key = JSON.stringify([className, where, order])
  const [round, setRound] = useState(0)
  const [range, setRange] = useState({ key, first: 0, last: 0 })
  const [known, setKnown] = useState<Known>()
  const [error, setError] = useState<{ key: string; error: CountersignError }>()
  // Another question begins at its first row.
  const { first, last } = range.key === key ? range : { first: 0, last: 0 }
  const took = useRef({ ms: 0, at: 0 })
  // Rows stay until those of another order are read: drawing the grid again takes longer than to change its rows.
  const current = known?.subject === subject ? known : undefined
  const total = current?.count
  const [shown, setShown] = useState({ key, row: 0 })
  const { start, count } = findPart(shown.key === key ? shown.row : 0, total ?? 0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for conditions and order; the number of rows is only a hint for the way that a page is read
  useEffect(() => {
    void round
    const control = new AbortController()
    const keep = (count: number | undefined, pages: [number, WireFields[]][]) => {
      if (control.signal.aborted) return
      setError(undefined)
      setKnown((before) => {
        const same = before?.subject === subject ? before : undefined
        const earlier = same?.key === key ? same.pages : []
        return { key, subject, count: count ?? same?.count ?? 0, pages: new Map([...earlier, ...pages]) }
      })
    }
    const read = async (page: number, isCounted: boolean) => {
      const { isTurned, ...part } = planPage(order, page * pageLength, pageLength, total)
      const input = { className, where, ...part, ...(isCounted && { count: 1 as const }) }
      const { results, count } = await ask('findObjects', input, control.signal)
      const rows = results as WireFields[]
      keep(count, [[page, isTurned ? rows.reverse() : rows]])
    }
    // Counting looks at every row that matches: once for a look, however many pages are in sight.
    const pages = Array.from({ length: last - first + 1 }, (_, place) => first + place)
    const begun = performance.now()
    Promise.all(pages.map((page, place) => read(page, place === 0))).then(
      () => {
        took.current = { ms: performance.now() - begun, at: performance.now() }
      },
      (cause: CountersignError) => {
        if (!control.signal.aborted) setError({ key, error: cause })
      },
    )
    return () => control.abort()
  }, [key, round, first, last])
  useEffect(() => {
    const timer = setInterval(() => {
      // A class that is slow to count and sort is polled less often, to spare the server.
      const { ms, at } = took.current
      const isDue = performance.now() - at >= ms * patience
      if (isDue && document.visibilityState === 'visible') setRound((before) => before + 1)
    }, freshness)
    return () => clearInterval(timer)
  }, [])
  return {
    key,
    isStale: current !== undefined && current.key !== key,
    start,
    count: current && count,
    total,
    error: error?.key === key ? error.error : undefined,
    at: (index) => current?.pages.get(Math.floor((start + index) / pageLength))?.[(start + index) % pageLength],
    indexOf(objectId) {
      for (const [page, list] of current?.pages ?? []) {
        const at = list.findIndex((row) => row.objectId === objectId)
        if (at >= 0) return page * pageLength + at - start
      }
      return undefined
    },
    show: (row) => setShown({ key, row }),
    want(from, to) {
      const pageOf = (index: number) => Math.floor((start + index) / pageLength)
      const next = { key, first: pageOf(from), last: pageOf(Math.max(from, to)) }
      if (next.first !== first || next.last !== last) setRange(next)
    },
    refetch: () => setRound((before) => before + 1),
  }
}
