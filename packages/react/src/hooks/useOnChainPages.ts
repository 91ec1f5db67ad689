import type { CountersignError } from '@countersign/protocol'
import type { OnChainPage } from '../core/chainData/ChainData.ts'
import { getChainPages, type PagesReading } from '../core/chainData/getChainPages.ts'
import type { ChainEndpoint } from '../core/chainData/readChain.ts'
import { useClient } from './useClient.ts'
import { type ReadOptions, useDocumentReading } from './useDocumentReading.ts'
import type { UseOnChain } from './useOnChain.ts'

type Rows<State, Row> = State extends { readonly status: 'success' }
  ? State & {
      readonly at: Pick<OnChainPage<Row>, 'chain' | 'block' | 'source'>
      readonly hasMore: boolean
      /** How many there are, up to 10,000; absent where the server does not count. */
      readonly total?: number
      /** Why the next page could not be read. */
      readonly moreError?: CountersignError
    }
  : State

export type UseOnChainPages<Row> = Rows<UseOnChain<readonly Row[]>, Row> & {
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
  const { loadMore } = reading
  const state = useDocumentReading(client, reading, { enabled, keepPrevious })
  if (state.status !== 'success') return { ...state, loadMore, reading }
  const { data: page, ...rest } = state
  const { chain, block, source, status, result, cursor, total, moreError } = page
  return {
    ...rest,
    data: result,
    at: { chain, block, source },
    isSyncing: status === 'SYNCING',
    hasMore: cursor !== undefined,
    ...(total !== undefined && { total }),
    ...(moreError && { moreError }),
    loadMore,
    reading,
  }
}
