import type { Callbacks } from '../Callbacks.ts'
import type { Client } from '../Client.ts'
import type { Reading } from '../createReading.ts'
import { toCountersignError } from '../errors/toCountersignError.ts'
import { shareChainReading } from './getChainReading.ts'
import { type ChainEndpoint, loadAsking } from './readChain.ts'
import type { Pages, PagesMemo } from './readPages.ts'

export type PagesReading<Row> = Reading<Pages<Row>> & {
  /** Reads the next page, if there is one and none is being read. */
  readonly loadMore: () => Promise<void>
  /** Something was added before the first row: reads no further than to what is known. */
  readonly loadNew: () => void
}

/** A reading that grows by pages. Read again, it reads as many rows as it had. */
export function getChainPages<Row>(client: Client, name: ChainEndpoint, input: object): PagesReading<Row> {
  const memo: PagesMemo<Row> = { isReadingNew: false }
  let isMore = false
  let isNew = false
  let findOwner: () => string | undefined = () => undefined

  async function read(client: Client, callbacks: Callbacks<Pages<Row>>): Promise<Pages<Row> | undefined> {
    const owner = findOwner()
    const before = memo.known?.owner === owner ? memo.known?.pages : undefined
    const from = isMore ? before : undefined
    isMore = false
    memo.isReadingNew = isNew
    isNew = false
    try {
      const { readPages } = await loadAsking()
      return await readPages(client, name, input, callbacks, { memo, owner, before, from })
    } catch (error) {
      return void callbacks.onError?.(toCountersignError(error))
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
          isNew = state.status === 'success' && (!state.isFetching || memo.isReadingNew)
          reading.invalidate()
        },
      }
    },
  )
}
