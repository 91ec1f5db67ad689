import type { TransferRecord } from '@countersign/protocol'
import { type CountersignError, useClient } from '@countersign/react'
import { request } from '@countersign/react/core'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { ChainTransfer } from './mergeTransfers.ts'

type Pages = {
  rows: readonly ChainTransfer[]
  cursor?: string
  block?: { number: number; timestamp: string }
  isSyncing: boolean
  isFetching: boolean
  error?: CountersignError
}

const nothing: Pages = { rows: [], isSyncing: false, isFetching: true }

/** The transfers of a token or of collectibles, whoever made them, page by page, the newest first. */
export function useTokenTransfers(
  chain: number,
  token: string,
  list: 'listTokenTransfers' | 'listNftTransfers',
  enabled = true,
): Pages & { loadMore: () => void; retry: () => void } {
  const client = useClient()
  const [pages, setPages] = useState<Pages>(nothing)
  const asking = useRef<AbortController>(undefined)
  const ask = useCallback(
    (before: Pages) => {
      const control = new AbortController()
      asking.current = control
      const input = { chain: String(chain), token, limit: 250, ...(before.cursor && { cursor: before.cursor }) }
      const { error: _, ...rest } = before
      setPages({ ...rest, isFetching: true })
      request(client, list, input, { signal: control.signal }).then(
        ({ result, cursor, block, status }) => {
          if (control.signal.aborted) return
          const rows = [...before.rows, ...result.map((row) => readTransfer(row, chain))]
          setPages({ rows, block, isSyncing: status === 'SYNCING', isFetching: false, ...(cursor && { cursor }) })
        },
        (error) => control.signal.aborted || setPages({ ...rest, isFetching: false, error }),
      )
    },
    [client, chain, token, list],
  )
  useEffect(() => {
    if (enabled) ask(nothing)
    return () => asking.current?.abort()
  }, [ask, enabled])
  const loadMore = useCallback(() => {
    if (pages.cursor && !pages.isFetching) ask(pages)
  }, [ask, pages])
  return { ...pages, loadMore, retry: () => ask(pages) }
}

const readTransfer = ({ amount, block, ...row }: TransferRecord, chain: number): ChainTransfer => ({
  ...row,
  chain,
  amount: BigInt(amount),
  block: { ...block, timestamp: new Date(block.timestamp) },
})
