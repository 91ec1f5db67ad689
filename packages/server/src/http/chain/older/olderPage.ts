import type { Page } from '../../../chain/index/queries/Page.ts'
import { describePage } from '../describePage.ts'

type PageInput = {
  limit: number
  cursor?: string | undefined
  offset?: number | undefined
  disable_total: boolean
}

/**
 * A page as the older clients read it. Where nobody counted, `total` is what there is at least: without one the client
 * would not go on.
 */
export function toOlderPage<Row, Shown>(
  found: Page<Row> & { seen?: number },
  input: PageInput,
  show: (row: Row, place: number) => Shown,
) {
  const total = found.total ?? found.seen
  const { page, page_size, cursor = '', result } = describePage({ ...found, total }, input, show)
  return { total: input.disable_total ? null : (total ?? null), page, page_size, cursor, result }
}
