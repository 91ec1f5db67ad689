import type { Context } from '../../context/Context.ts'
import { sql } from '../../db/sql.ts'
import type { Chain } from '../nodes/Chain.ts'
import { getTokenUris } from '../reads/tokens.ts'
import { getFetcher, isTooMany } from './getFetcher.ts'
import type { Nft } from './Nft.ts'
import { type Metadata, readMetadata } from './readMetadata.ts'

export const keyOf = (asker: string, chain: Chain, { token, tokenId }: Nft) =>
  `${asker} ${chain.id} ${token} ${tokenId}`

/**
 * Reads the URIs of NFTs from their contracts, fetches them and stores the results, failures included. Throws only if
 * the node or the database fails, or the queue is full. Concurrent calls for the same NFT share one fetch.
 */
export async function syncMetadata(context: Context, chain: Chain, nfts: readonly Nft[], asker: string): Promise<void> {
  const { underWay } = getFetcher(context)
  const others = nfts.flatMap((nft) => underWay.get(keyOf(asker, chain, nft)) ?? [])
  const own = nfts.filter((nft) => !underWay.has(keyOf(asker, chain, nft)))
  if (own.length > 0) {
    const uris = getTokenUris(chain, own)
    const works = own.map((nft, place) => {
      const key = keyOf(asker, chain, nft)
      const work = uris
        .then((all) => sync(context, chain, nft, all[place], asker))
        .finally(() => {
          underWay.delete(key)
        })
      underWay.set(key, work)
      return work
    })
    others.push(...works)
  }
  const outcomes = await Promise.allSettled(others)
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
}

async function sync(context: Context, chain: Chain, nft: Nft, uri: string | undefined, asker: string): Promise<void> {
  const { signal } = getFetcher(context)
  const { nft: settings } = context.config
  if (!uri) return write(context, chain, nft, { error: 'The contract returns no URI for this token.' })
  if (uri.length > settings.maxSize * 2) {
    return write(context, chain, nft, { error: `The URI of the token is longer than ${settings.maxSize * 2} bytes.` })
  }
  const outcome = await readMetadata(context, uri, asker).then(
    (metadata) => ({ uri, metadata }),
    (error: Error) => {
      if (isTooMany(error)) throw error
      return { uri, error: error.message.slice(0, 300) }
    },
  )
  // A fetch aborted by the server's stop says nothing about the document.
  if (signal.aborted) return
  await write(context, chain, nft, outcome)
}

type Outcome = { uri?: string; metadata?: Metadata; error?: string }

async function write(
  { db, clock }: Context,
  chain: Chain,
  { token, tokenId }: Nft,
  { uri, metadata, error }: Outcome,
): Promise<void> {
  const now = sql.param(clock.now())
  await db.query(sql`
    insert into countersign.chain_nfts as known (chain, token, id, uri, uri_read, metadata, metadata_read, error)
    values (${chain.id}, ${token}, ${String(tokenId)}::numeric, ${uri ?? null}, ${now},
      ${metadata ? JSON.stringify(metadata) : null}::jsonb, ${now}, ${error ?? null})
    on conflict (chain, token, id) do update set
      uri = excluded.uri, uri_read = excluded.uri_read,
      metadata = coalesce(excluded.metadata, case when known.uri = excluded.uri then known.metadata end),
      metadata_read = excluded.metadata_read, error = excluded.error`)
}
