import type { OnChain } from '../core/chainData/ChainData.ts'
import { getChainReading } from '../core/chainData/getChainReading.ts'
import type { ChainEndpoint } from '../core/chainData/readChain.ts'
import { useClient } from './useClient.ts'
import { type ReadOptions, type UseDocumentReading, useDocumentReading } from './useDocumentReading.ts'

type Unread<Reading> = Exclude<Reading, { readonly status: 'success' }>
type Read<Reading> = Omit<Extract<Reading, { readonly status: 'success' }>, 'data'>

/** As a reading of documents, and once it is there with the chain, the block and the source of what was read. */
export type UseOnChain<Result> =
  | Unread<UseDocumentReading<Result>>
  | (Read<UseDocumentReading<Result>> & {
      readonly data: Result
      /** Absent where there is nothing on the chain, as with an address without a name. */
      readonly at?: Pick<OnChain<Result>, 'chain' | 'block' | 'source'>
      /** The server still reads older blocks, so that something may be lacking. */
      readonly isSyncing: boolean
    })

/** What a chain says to one question. Components that ask the same share one reading. */
export function useOnChain<Result>(name: ChainEndpoint, given: (object & ReadOptions) | undefined): UseOnChain<Result> {
  const client = useClient()
  const { enabled = true, keepPrevious = false, ...input } = given ?? {}
  const reading = getChainReading<OnChain<Result> | null>(client, name, given && input)
  const state = useDocumentReading(client, reading, { enabled, keepPrevious })
  if (state.status !== 'success') return state
  const { data: answer, ...rest } = state
  if (!answer) return { ...rest, data: answer as Result, isSyncing: false }
  const { chain, block, source, status, result } = answer
  return { ...rest, data: result, at: { chain, block, source }, isSyncing: status === 'SYNCING' }
}
