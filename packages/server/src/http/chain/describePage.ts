import type { Page } from '../../chain/index/queries/Page.ts'

export type PageInput = { limit: number; cursor?: string | undefined; offset?: number | undefined }

/** A page as it is answered. */
export function describePage<Row, Shown>(
  { rows, cursor, page, total }: Page<Row>,
  { limit, offset }: PageInput,
  show: (row: Row, place: number) => Shown,
) {
  return { ...placeOf({ cursor, page, total }, limit, offset), result: rows.map(show) }
}

/**
 * The older client takes a page without a cursor for the last one only where `page` has come to the end of `total`; else
 * it goes on by offset, from the beginning. Who counts by offset gets no cursor, which would count otherwise.
 */
function placeOf(
  { cursor, page, total }: { cursor: string | undefined; page: number; total: number | undefined },
  limit: number,
  offset: number | undefined,
): { total?: number; page: number; page_size: number; cursor?: string } {
  const counted = total === undefined ? {} : { total }
  if (offset !== undefined && offset > 0) {
    const at = Math.floor(offset / limit)
    return { ...counted, page: cursor ? at : lastOf(total, limit, at), page_size: limit }
  }
  if (cursor) return { ...counted, page, page_size: limit, cursor }
  return { ...counted, page: lastOf(total, limit, page), page_size: limit }
}

const lastOf = (total: number | undefined, limit: number, page: number) =>
  Math.max(page, Math.ceil((total ?? 0) / limit) - 1)
