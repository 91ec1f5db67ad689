import type { Client } from '../../client/Client.ts'
import { subscribeToDocuments } from '../../live/subscribe.ts'
import { loadOnce } from '../../platform/loadOnce.ts'
import { type WatchedStore, watchReading } from '../../readings/watchReading.ts'
import type { Pages } from './askChain.ts'
import type { Nft, NftsInput, Transfer, TransfersInput } from './ChainData.ts'
import type { PagesReading } from './chainReadings.ts'
import type { ChainEndpoint } from './ChainData.ts'

/** Rows of a chain, page by page: `data.result` has the rows read so far, `data.cursor` is set if there are more. */
export type WatchedPages<Row> = WatchedStore<Pages<Row>> & {
  /** Reads the next page to the end of the rows, if there is one. */
  readonly loadMore: () => Promise<void>
}

const loadReadings = /*#__PURE__*/ loadOnce(async () => {
  const [readings, events] = await Promise.all([import('./chainReadings.ts'), import('./transferEvents.ts')])
  return { ...readings, ...events }
})

/**
 * The NFTs of an address, as a store that a component of any framework can follow: the wallet's, unless one is given.
 *
 * @example
 * const nfts = watchNfts(client, { chain: 'polygon', limit: 50 })
 * const stop = nfts.subscribe(() => draw(nfts.get().data?.result ?? []))
 */
export function watchNfts(client: Client, input: NftsInput = {}): WatchedPages<Nft> {
  return watchPages(client, 'listNfts', input)
}

/**
 * The transfers of tokens and NFTs from and to an address, the newest first, as a store that a component of any
 * framework can follow: the wallet's, unless one is given. With `live` they are read again as soon as the server sees
 * another.
 *
 * @example
 * const transfers = watchTransfers(client, { direction: 'to', live: true })
 * const stop = transfers.subscribe(() => draw(transfers.get().data?.result ?? []))
 */
export function watchTransfers(
  client: Client,
  { live = false, ...input }: TransfersInput & { readonly live?: boolean } = {},
): WatchedPages<Transfer> {
  const pages = watchPages<Transfer>(client, 'listTransfers', input)
  if (!live) return pages
  return {
    ...pages,
    subscribe(listener) {
      let stopEvents: (() => void) | undefined
      let isOver = false
      const stop = pages.subscribe(listener)
      void loadReadings().then(
        (readings) => {
          if (!isOver) stopEvents = followEvents(client, input, readings)
        },
        () => undefined, // Watchers of the pages receive the error.
      )
      return () => {
        isOver = true
        stopEvents?.()
        stop()
      }
    },
  }
}

type Readings = Awaited<ReturnType<typeof loadReadings>>

/** Subscribes to new transfers of the address on the chain that was read, for as long as it is that one. */
function followEvents(client: Client, input: TransfersInput, readings: Readings): () => void {
  const reading = readings.getChainPages<Transfer>(client, 'listTransfers', input)
  const handlers = readings.createTransferHandlers(reading, input.order)
  let followed = ''
  let stopFollowing: (() => void) | undefined
  const look = () => {
    const query = readings.findTransferQuery(client, input, reading.peek.get().data?.chain)
    const wanted = JSON.stringify(query?.where) ?? ''
    if (wanted === followed) return
    followed = wanted
    stopFollowing?.()
    stopFollowing = query && subscribeToDocuments(client, { query, ...handlers })
  }
  const stopLooking = reading.peek.subscribe(look)
  look()
  return () => {
    stopLooking()
    stopFollowing?.()
  }
}

function watchPages<Row>(client: Client, name: ChainEndpoint, input: object): WatchedPages<Row> {
  const find = async (): Promise<PagesReading<Row>> => (await loadReadings()).getChainPages<Row>(client, name, input)
  return { ...watchReading(find), loadMore: async () => (await find()).loadMore() }
}
