import type { CountersignError } from '@countersign/protocol'
import type { Callbacks } from '../Callbacks.ts'
import type { Client } from '../Client.ts'
import type { Reading } from '../createReading.ts'
import { toCountersignError } from '../errors/toCountersignError.ts'
import type { OnChainPage } from './ChainData.ts'
import { shareChainReading } from './getChainReading.ts'
import { type ChainEndpoint, readChain } from './readChain.ts'

export type Pages<Row> = OnChainPage<Row> & {
  /** Why the next page could not be read; those before it are there. */
  readonly moreError?: CountersignError
}

export type PagesReading<Row> = Reading<Pages<Row>> & {
  /** Reads the next page, if there is one and none is being read. */
  readonly loadMore: () => Promise<void>
  /** Something was added before the first row: reads no further than to what is known. */
  readonly loadNew: () => void
}

/** A reading that grows by pages. Read again, it reads as many rows as it had. */
export function getChainPages<Row>(client: Client, name: ChainEndpoint, input: object): PagesReading<Row> {
  let known: { readonly owner: string | undefined; readonly pages: Pages<Row> } | undefined
  let isMore = false
  let isNew = false
  /** What is being read now is only what is new. */
  let isReadingNew = false
  let findOwner: () => string | undefined = () => undefined

  async function read(client: Client, callbacks: Callbacks<Pages<Row>>): Promise<Pages<Row> | undefined> {
    const owner = findOwner()
    const before = known?.owner === owner ? known?.pages : undefined
    const from = isMore ? before : undefined
    isMore = false
    isReadingNew = isNew
    isNew = false
    const wanted = from ? from.result.length + 1 : (before?.result.length ?? 0)
    const { onSuccess, onError, signal } = callbacks
    const show = (pages: Pages<Row>) => {
      if (signal?.aborted) return undefined
      known = { owner, pages }
      onSuccess?.(pages)
      return pages
    }
    let rows = from?.result ?? []
    let cursor = from?.cursor
    for (;;) {
      const asked = { ...input, ...(cursor !== undefined && { cursor }) }
      let failure: CountersignError | undefined
      const page = await readChain<OnChainPage<Row>>(client, name, asked, {
        ...(signal && { signal }),
        onError: (error) => {
          failure = error
        },
      })
      if (!page) {
        const error = failure ?? toCountersignError(undefined)
        if (from) return show({ ...from, moreError: error })
        return void onError?.(error)
      }
      const first = before?.result[0]
      const met = isReadingNew && first ? page.result.findIndex((row) => isSame(row, first)) : -1
      if (before && met >= 0) {
        const { cursor: _, ...rest } = page
        const result = Object.freeze([...page.result.slice(0, met), ...before.result])
        return show({ ...rest, result, ...(before.cursor !== undefined && { cursor: before.cursor }) })
      }
      isReadingNew = false
      rows = [...rows, ...page.result]
      cursor = page.cursor
      if (cursor === undefined || rows.length >= wanted) return show({ ...page, result: Object.freeze(rows) })
    }
  }

  return shareChainReading<Pages<Row>, Pick<PagesReading<Row>, 'loadMore' | 'loadNew'>>(
    client,
    name,
    input,
    read,
    (reading, owner) => {
      findOwner = owner
      return {
        async loadMore() {
          const state = reading.peek.get()
          if (state.isFetching || state.data?.cursor === undefined) return
          isMore = true
          await reading.refetch()
        },
        loadNew() {
          const state = reading.peek.get()
          // Whatever else is being read would be cut off, and must not be forgotten.
          isNew = state.status === 'success' && (!state.isFetching || isReadingNew)
          reading.invalidate()
        },
      }
    },
  )
}

/** Rows of a list are told apart by where on the chain they are. */
function isSame(one: unknown, other: unknown): boolean {
  return ['transaction', 'logIndex', 'tokenId'].every((field) => Object(one)[field] === Object(other)[field])
}
