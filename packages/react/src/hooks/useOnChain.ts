import { useMemo } from 'react'
import type { OnChain } from '../core/chainData/ChainData.ts'
import { getChainReading } from '../core/chainData/getChainReading.ts'
import type { ChainEndpoint } from '../core/chainData/readChain.ts'
import { useClient } from './useClient.ts'
import { type ReadOptions, type UseDocumentReading, useDocumentReading } from './useDocumentReading.ts'

type At = Pick<OnChain<unknown>, 'chain' | 'block' | 'source'>

type WithSource<Reading> = Reading & {
  /** Absent where there is nothing on the chain, as with an address without a name. */
  readonly at?: At
} & (Reading extends { readonly status: 'success' }
    ? {
        /** The server still reads older blocks, so that something may be lacking. */
        readonly isSyncing: boolean
      }
    : { readonly isSyncing?: boolean })

/** As a reading of documents, and once it is there with the chain, the block and the source of what was read. */
export type UseOnChain<Result> = WithSource<UseDocumentReading<Result>>

/** What a chain says to one question. Components that ask the same share one reading. */
export function useOnChain<Result>(name: ChainEndpoint, given: (object & ReadOptions) | undefined): UseOnChain<Result> {
  const client = useClient()
  const { enabled = true, keepPrevious = false, ...input } = given ?? {}
  const reading = getChainReading<OnChain<Result> | null>(client, name, given && input)
  const { data: answer, ...rest } = useDocumentReading(client, reading, { enabled, keepPrevious })
  const at = useAt(answer)
  const read = answer
    ? { data: answer.result, at, isSyncing: answer.status === 'SYNCING' }
    : { data: answer, isSyncing: false }
  return { ...rest, ...read } as UseOnChain<Result>
}

/** Where something was read, the same object for as long as that does not change. */
export function useAt(answer: At | null | undefined): At | undefined {
  const { chain, block, source } = answer ?? {}
  return useMemo(() => (block && chain && source ? { chain, block, source } : undefined), [chain, block, source])
}
