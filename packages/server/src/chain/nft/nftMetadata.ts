import type { Context } from '../../context/Context.ts'
import { sql } from '../../db/sql.ts'
import type { Chain } from '../nodes/Chain.ts'
import { getFetcher, isTooMany } from './getFetcher.ts'
import type { Nft } from './Nft.ts'
import type { Metadata } from './readMetadata.ts'
import { keyOf, syncMetadata } from './syncMetadata.ts'

/** Metadata of an NFT, as far as it is known. */
export type NftRecord = {
  /** URI of the metadata, from the contract. */
  uri: string | undefined
  uriRead: Date | undefined
  metadata: Metadata | undefined
  /** When it was last tried. */
  metadataRead: Date | undefined
  /** Why the last try brought nothing; what was known before is kept while the URI is the same. */
  error: string | undefined
}

/**
 * Metadata of one NFT: cached, or fetched now if it is missing, old, or `fresh` is set. On failure `error` has the
 * reason.
 */
export async function getNftMetadata(
  context: Context,
  chain: Chain,
  nft: Nft,
  { asker, fresh = false }: { asker: string; fresh?: boolean },
): Promise<NftRecord> {
  const [known] = fresh ? [] : await findRecords(context, chain, [nft])
  if (known && !isDue(context, known)) return known
  try {
    await syncMetadata(context, chain, [nft], asker)
  } catch (error) {
    // A node that does not respond, or a full queue, does not hide known data.
    if (known?.metadata) return known
    throw error
  }
  const [record] = await findRecords(context, chain, [nft])
  if (!record) throw new Error('the lookup of one NFT returned none')
  return record
}

/** Maximum characters of metadata in one response; the rest is left out. */
const mostText = 8_000_000

type Row = {
  place: number
  uri: string | null
  uri_read: Date | null
  metadata: Metadata | null
  metadata_read: Date | null
  error: string | null
}

const nothing: NftRecord = {
  uri: undefined,
  uriRead: undefined,
  metadata: undefined,
  metadataRead: undefined,
  error: undefined,
}

/**
 * Returns the known metadata of NFTs, in their order, without waiting. Missing or old metadata is fetched in the
 * background.
 */
export async function listNftMetadata(
  context: Context,
  chain: Chain,
  nfts: readonly Nft[],
  asker: string,
): Promise<NftRecord[]> {
  if (nfts.length === 0) return []
  const records = await findRecords(context, chain, nfts)
  queueMetadata(
    context,
    chain,
    nfts.filter((_nft, place) => isDue(context, records[place] ?? nothing)),
    asker,
  )
  return records
}

/** Returns true if a record was never fetched, is old, or failed long enough ago. */
function isDue({ config, clock }: Context, { metadataRead, error }: NftRecord): boolean {
  if (!metadataRead) return true
  const age = clock.now().getTime() - metadataRead.getTime()
  return age > (error === undefined ? config.nft.keepFor : config.nft.retryAfter) * 1000
}

export async function findRecords({ db }: Context, chain: Chain, nfts: readonly Nft[]): Promise<NftRecord[]> {
  const rows = await db.query<Row>(sql.named('find-nft-metadata')`
    select place::integer, uri, uri_read, metadata_read, error,
      case when sum(length(metadata::text)) over (order by place) <= ${mostText} then metadata end as metadata
    from unnest(
      ${nfts.map(({ token }) => token)}::text[],
      ${nfts.map(({ tokenId }) => String(tokenId))}::numeric[]) with ordinality as wanted (token, id, place)
    join countersign.chain_nfts using (token, id)
    where chain = ${chain.id}`)
  const records = nfts.map(() => nothing)
  for (const { place, uri, uri_read, metadata, metadata_read, error } of rows) {
    records[place - 1] = {
      uri: uri ?? undefined,
      uriRead: uri_read ?? undefined,
      metadata: metadata ?? undefined,
      metadataRead: metadata_read ?? undefined,
      error: error ?? undefined,
    }
  }
  return records
}

/**
 * Queue limit: an attacker could mint a million NFTs to an address. Dropped ones are queued again on the next request.
 */
const mostWaiting = 1_000

const mostAskers = 50

const atOnce = 24

/** Has metadata fetched in the background, for the next time that somebody asks. */
export function queueMetadata(context: Context, chain: Chain, nfts: readonly Nft[], asker: string): void {
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
  // A separate queue per caller: a slow host delays only those who wait for it.
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
    // A chain without a node must not delay those of other chains; its NFTs are requested again later.
    await syncMetadata(context, first.chain, batch, asker).catch((error) => {
      if (signal.aborted || isTooMany(error)) return
      context.log.warn({ err: error, chain: first.chain.id }, 'NFT metadata could not be read')
    })
  }
}
