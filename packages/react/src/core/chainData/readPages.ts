import type { CountersignError } from '@countersign/protocol'
import type { Callbacks } from '../Callbacks.ts'
import type { Client } from '../Client.ts'
import { toCountersignError } from '../errors/toCountersignError.ts'
import { askChain } from './askChain.ts'
import type { OnChainPage } from './ChainData.ts'
import type { ChainEndpoint } from './readChain.ts'

export type Pages<Row> = OnChainPage<Row> & {
  /** Why the next page could not be read; those before it are there. */
  readonly moreError?: CountersignError
}

export type PagesMemo<Row> = {
  known?: { readonly owner: string | undefined; readonly pages: Pages<Row> }
  /** What is being read now is only what is new. */
  isReadingNew: boolean
}

type Run<Row> = {
  readonly memo: PagesMemo<Row>
  readonly owner: string | undefined
  /** What the owner has on show, and the same where the next page is to be read. */
  readonly before: Pages<Row> | undefined
  readonly from: Pages<Row> | undefined
}

/** Reads the next page, what is new, or as many rows as there were. */
export async function readPages<Row>(
  client: Client,
  name: ChainEndpoint,
  input: object,
  { onSuccess, onError, signal }: Callbacks<Pages<Row>>,
  { memo, owner, before, from }: Run<Row>,
): Promise<Pages<Row> | undefined> {
  const wanted = from ? from.result.length + 1 : (before?.result.length ?? 0)
  const show = (pages: Pages<Row>) => {
    if (signal?.aborted) return undefined
    memo.known = { owner, pages }
    onSuccess?.(pages)
    return pages
  }
  let rows = from?.result ?? []
  let cursor = from?.cursor
  for (;;) {
    const asked = { ...input, ...(cursor !== undefined && { cursor }) }
    let page: OnChainPage<Row>
    try {
      page = (await askChain(client, name, asked, signal)) as OnChainPage<Row>
    } catch (cause) {
      const error = toCountersignError(cause)
      client.internal.watchError?.(error)
      if (from) return show({ ...from, moreError: error })
      return void onError?.(error)
    }
    const first = before?.result[0]
    const met = memo.isReadingNew && first ? page.result.findIndex((row) => isSame(row, first)) : -1
    if (before && met >= 0) {
      const { cursor: _, ...rest } = page
      const result = Object.freeze([...page.result.slice(0, met), ...before.result])
      return show({ ...rest, result, ...(before.cursor !== undefined && { cursor: before.cursor }) })
    }
    memo.isReadingNew = false
    rows = [...rows, ...page.result]
    cursor = page.cursor
    if (cursor === undefined || rows.length >= wanted) return show({ ...page, result: Object.freeze(rows) })
  }
}

/** Rows of a list are told apart by where on the chain they are. */
function isSame(one: unknown, other: unknown): boolean {
  return ['transaction', 'logIndex', 'tokenId'].every((field) => Object(one)[field] === Object(other)[field])
}
