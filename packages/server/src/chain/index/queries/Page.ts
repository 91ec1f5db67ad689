import { CountersignError } from '@countersign/protocol'

/** Parameters of every list. */
export type PageQuery = {
  limit: number
  cursor?: string | undefined
  /** For callers who count rows; a cursor is quicker. */
  offset?: number | undefined
  /** Also returns the total number of rows. */
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

/** A page whose rows are the text of a JSON array. */
export type WrittenPage = Omit<Page<never>, 'rows'> & { written: string }

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

/**
 * Position at the end of a page, and the number of pages so far. A position, not a row: it stays valid when blocks
 * change.
 */
export type Cursor = { after: (string | number)[]; page: number }

export function encodeCursor({ after, page }: Cursor): string {
  return Buffer.from(JSON.stringify([page, ...after])).toString('base64url')
}

/** Refuses what was not made by `encodeCursor` for the same kind of list: `kinds` are the types of its parts. */
export function decodeCursor(text: string, kinds: readonly ('number' | 'decimal' | 'address')[]): Cursor {
  const [page, ...after] = parse(text)
  const isRight = after.length === kinds.length && after.every((part, index) => isKind(part, kinds[index]))
  if (!isRight || !Number.isSafeInteger(page) || (page as number) < 0) {
    throw new CountersignError('InvalidValue', 'The cursor does not belong to this list. Start again without a cursor.')
  }
  return { after: after as (string | number)[], page: page as number }
}

function parse(text: string): unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    return Array.isArray(parts) ? parts : []
  } catch {
    return []
  }
}

function isKind(part: unknown, kind: 'number' | 'decimal' | 'address' | undefined): boolean {
  if (kind === 'number') return Number.isSafeInteger(part)
  if (kind === 'decimal') return typeof part === 'string' && /^\d{1,78}$/.test(part)
  return typeof part === 'string' && /^0x[0-9a-f]{40}$/.test(part)
}
