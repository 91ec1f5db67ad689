import type { NftHoldingRecord, NftRecord } from '@countersign/protocol'
import type { HoldingRow } from '../../chain/index/queries/listHoldings.ts'
import type { NftDetails, NftRow } from './readNftDetails.ts'

export const describeNft = (row: NftRow & { metadata?: unknown }, details: NftDetails | undefined): NftRecord => ({
  token: row.token,
  tokenId: row.tokenId,
  kind: row.kind,
  ...(details?.name !== undefined && { name: details.name }),
  ...(details?.symbol !== undefined && { symbol: details.symbol }),
  ...(details?.uri !== undefined && { uri: details.uri }),
  ...(row.metadata !== null && row.metadata !== undefined && { metadata: row.metadata }),
})

export const describeHolding = (row: HoldingRow, details: NftDetails | undefined): NftHoldingRecord => ({
  ...describeNft(row, details),
  owner: row.owner,
  amount: row.amount,
  sinceBlock: row.block,
  ...(row.minted !== null && { mintedBlock: row.minted }),
})
