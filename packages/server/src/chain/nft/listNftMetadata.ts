import type { Context } from '../../context/Context.ts'
import type { Chain } from '../nodes/Chain.ts'
import type { Nft, NftRecord } from './NftRecord.ts'
import type { Metadata } from './readMetadata.ts'
import { wantMetadata } from './wantMetadata.ts'

/** Characters of metadata that one answer holds; what comes after is left out of it. */
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
 * What is known of the metadata of NFTs, in their order. Nothing is waited for: what is not known yet, or is old, is
 * fetched in the background.
 */
export async function listNftMetadata(
  context: Context,
  chain: Chain,
  nfts: readonly Nft[],
  asker: string,
): Promise<NftRecord[]> {
  if (nfts.length === 0) return []
  const records = await findRecords(context, chain, nfts)
  wantMetadata(
    context,
    chain,
    nfts.filter((_nft, place) => isDue(context, records[place] ?? nothing)),
    asker,
  )
  return records
}

/** Whether a record is to be fetched: it never was, it is old, or a failure is long enough ago. */
export function isDue({ config, clock }: Context, { metadataRead, error }: NftRecord): boolean {
  if (!metadataRead) return true
  const age = clock.now().getTime() - metadataRead.getTime()
  return age > (error === undefined ? config.nft.keepFor : config.nft.retryAfter) * 1000
}

export async function findRecords({ db }: Context, chain: Chain, nfts: readonly Nft[]): Promise<NftRecord[]> {
  const rows = await db.query<Row>({
    name: 'find-nft-metadata',
    text: `select place::integer, uri, uri_read, metadata_read, error,
             case when sum(length(metadata::text)) over (order by place) <= ${mostText} then metadata end as metadata
           from unnest($2::text[], $3::numeric[]) with ordinality as wanted (token, id, place)
           join countersign.chain_nfts using (token, id) where chain = $1`,
    values: [chain.id, nfts.map(({ token }) => token), nfts.map(({ tokenId }) => String(tokenId))],
  })
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
