import type { Context } from '../../context/Context.ts'
import type { Chain } from '../nodes/Chain.ts'
import { isTooMany } from './createFetchQueue.ts'
import { getFetcher } from './getFetcher.ts'
import type { Nft } from './NftRecord.ts'
import { keyOf, syncMetadata } from './syncMetadata.ts'

/** Who mints a million NFTs to an address gets no million of ours to remember; asked again, they are wanted again. */
const mostWaiting = 1_000
const mostAskers = 50
const atOnce = 24

/** Has metadata fetched in the background, for the next time that somebody asks. */
export function wantMetadata(context: Context, chain: Chain, nfts: readonly Nft[], asker: string): void {
  const { signal, waiting, underWay } = getFetcher(context)
  if (signal.aborted || nfts.length === 0) return
  const known = waiting.get(asker)
  if (!known && waiting.size >= mostAskers) return
  const own = known ?? new Map<string, { chain: Chain; nft: Nft }>()
  for (const nft of nfts) {
    const key = keyOf(asker, chain, nft)
    if (own.size >= mostWaiting) break
    if (!underWay.has(key)) own.set(key, { chain, nft })
  }
  if (known || own.size === 0) return
  waiting.set(asker, own)
  // Each asker's by themselves: a host that takes its time holds up those alone who wait for it.
  context.background.run('nft metadata', () => drain(context, asker, own).finally(() => waiting.delete(asker)))
}

async function drain(context: Context, asker: string, own: Map<string, { chain: Chain; nft: Nft }>): Promise<void> {
  const { signal } = getFetcher(context)
  while (own.size > 0 && !signal.aborted) {
    const [first] = own.values()
    if (!first) return
    const batch: Nft[] = []
    for (const [key, { chain, nft }] of own) {
      if (chain !== first.chain || batch.length >= atOnce) continue
      batch.push(nft)
      own.delete(key)
    }
    // A chain without a node must not keep those of other chains waiting; theirs are asked for again.
    await syncMetadata(context, first.chain, batch, asker).catch((error) => {
      if (signal.aborted || isTooMany(error)) return
      context.log.warn({ err: error, chain: first.chain.id }, 'metadata of NFTs could not be read')
    })
  }
}
