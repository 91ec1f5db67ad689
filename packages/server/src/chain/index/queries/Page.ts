import { encodeCursor } from './cursor.ts'

/** What is asked of a list, whatever it lists. */
export type PageQuery = {
  limit: number
  cursor?: string | undefined
  /** For callers who count rows; a cursor is quicker. */
  offset?: number | undefined
  /** Whether the number of all rows is wanted. */
  count?: boolean | undefined
}

export type Page<Row> = {
  rows: Row[]
  /** Absent on the last page. */
  cursor: string | undefined
  /** How many pages were before this one, as the cursors tell. */
  page: number
  /** Of all rows, at most `mostCounted`. */
  total: number | undefined
}

/** Counting further would take longer than anyone waits for a page. */
export const mostCounted = 10_000

/** A page from rows of which one more than the limit was asked for. */
export function pageOf<Row>(
  rows: Row[],
  limit: number,
  { page, total, place }: { page: number; total: number | undefined; place: (row: Row) => (string | number)[] },
): Page<Row> {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const cursor = rows.length > limit && last ? encodeCursor({ after: place(last), page: page + 1 }) : undefined
  return { rows: shown, cursor, page, total }
}
