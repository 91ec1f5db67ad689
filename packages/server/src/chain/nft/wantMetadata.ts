import type { Context } from '../../context/Context.ts'
import type { Chain } from '../nodes/Chain.ts'
import { getFetcher } from './getFetcher.ts'
import type { Nft } from './NftRecord.ts'
import { keyOf, syncMetadata } from './syncMetadata.ts'

/** Whoever mints a million NFTs to an address gets no million of ours to remember; asked again, they are wanted again. */
const mostWaiting = 5_000
const atOnce = 32

/** Has metadata fetched in the background, for the next time that somebody asks. */
export function wantMetadata(context: Context, chain: Chain, nfts: readonly Nft[]): void {
  const fetcher = getFetcher(context)
  if (fetcher.signal.aborted) return
  for (const nft of nfts) {
    const key = keyOf(chain, nft)
    if (fetcher.waiting.size >= mostWaiting) break
    if (!fetcher.underWay.has(key)) fetcher.waiting.set(key, { chain, nft })
  }
  if (fetcher.draining || fetcher.waiting.size === 0) return
  fetcher.draining = true
  context.background.run('nft metadata', () => drain(context).finally(() => (fetcher.draining = false)))
}

async function drain(context: Context): Promise<void> {
  const { waiting, signal } = getFetcher(context)
  while (waiting.size > 0 && !signal.aborted) {
    const [first] = waiting.values()
    if (!first) return
    const batch: Nft[] = []
    for (const [key, { chain, nft }] of waiting) {
      if (chain !== first.chain || batch.length >= atOnce) continue
      batch.push(nft)
      waiting.delete(key)
    }
    // A chain without a node must not keep those of other chains waiting; theirs are asked for again.
    await syncMetadata(context, first.chain, batch).catch((error) =>
      context.log.warn({ err: error, chain: first.chain.id }, 'metadata of NFTs could not be read'),
    )
  }
}
