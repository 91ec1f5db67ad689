import { createHash } from 'node:crypto'
import type { HoldingRow } from '../../../chain/index/queries/listHoldings.ts'
import type { NftDetails, NftRow } from '../readNftDetails.ts'

export type NftFormat = { format: 'decimal' | 'hex'; normalizeMetadata: boolean }

export const formatId = (id: string, format: 'decimal' | 'hex') =>
  format === 'hex' ? `0x${BigInt(id).toString(16)}` : id

/** A collectible as the older functions show it. */
export const mapNft = (row: NftRow, details: NftDetails | undefined, { format, normalizeMetadata }: NftFormat) => ({
  token_address: row.token,
  token_id: formatId(row.tokenId, format),
  contract_type: row.kind.toUpperCase(),
  token_uri: details?.uri ?? null,
  metadata: details?.metadata === undefined ? null : JSON.stringify(details.metadata),
  ...(normalizeMetadata && { normalized_metadata: details?.normalized ?? null }),
  name: details?.name ?? null,
  symbol: details?.symbol ?? null,
  // Tells one from another; what went into the older hash nobody knows.
  token_hash: createHash('md5').update(`${row.token}/${row.tokenId}`).digest('hex'),
  last_token_uri_sync: details?.uriRead?.toISOString() ?? null,
  last_metadata_sync: details?.metadataRead?.toISOString() ?? null,
})

export const mapHolding = (row: HoldingRow, details: NftDetails | undefined, how: NftFormat) => ({
  ...mapNft(row, details, how),
  owner_of: row.owner,
  amount: row.amount,
  block_number: String(row.block),
  block_number_minted: row.minted === null ? null : String(row.minted),
})
