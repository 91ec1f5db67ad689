import type { CountersignError } from '@countersign/protocol'
import { getChainPages, type PagesReading } from '../core/chainData/getChainPages.ts'
import type { ChainEndpoint } from '../core/chainData/readChain.ts'
import { useClient } from './useClient.ts'
import { type ReadOptions, useDocumentReading } from './useDocumentReading.ts'
import { type UseOnChain, useAt } from './useOnChain.ts'

type Rows = {
  readonly hasMore: boolean
  /** How many there are, up to 10,000; absent where the server does not count. */
  readonly total?: number
  /** Why the next page could not be read. */
  readonly moreError?: CountersignError
}

type WithRows<State extends { readonly at?: unknown }> = State extends { readonly status: 'success' }
  ? State & Required<Pick<State, 'at'>> & Rows
  : State & Partial<Rows>

export type UseOnChainPages<Row> = WithRows<UseOnChain<readonly Row[]>> & {
  /** Reads the next page to the end of `data`, if there is one. */
  readonly loadMore: () => Promise<void>
}

/** Rows of a chain, page by page. Components that ask the same share one reading, and its pages. */
export function useOnChainPages<Row>(
  name: ChainEndpoint,
  { enabled = true, keepPrevious = false, ...input }: object & ReadOptions,
): UseOnChainPages<Row> & { readonly reading: PagesReading<Row> } {
  const client = useClient()
  const reading = getChainPages<Row>(client, name, input)
  const { data: page, ...rest } = useDocumentReading(client, reading, { enabled, keepPrevious })
  const at = useAt(page)
  const { result: data, status, cursor, total, moreError } = page ?? {}
  return {
    ...rest,
    data,
    ...(page && { at, isSyncing: status === 'SYNCING', hasMore: cursor !== undefined }),
    ...(total !== undefined && { total }),
    ...(moreError && { moreError }),
    loadMore: reading.loadMore,
    reading,
  } as UseOnChainPages<Row> & { readonly reading: PagesReading<Row> }
}
