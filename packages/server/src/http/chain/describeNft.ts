import type { NftHoldingRecord, NftRecord } from '@countersign/protocol'
import type { HoldingRow } from '../../chain/index/queries/listHoldings.ts'
import type { NftDetails, NftRow } from './readNftDetails.ts'

export const describeNft = ({ token, tokenId, kind }: NftRow, details: NftDetails | undefined): NftRecord => {
  const { name, symbol, uri, metadata, normalized } = details ?? {}
  return {
    token,
    tokenId,
    kind,
    ...(name !== undefined && { name }),
    ...(symbol !== undefined && { symbol }),
    ...(uri !== undefined && { uri }),
    ...(metadata !== undefined && { metadata }),
    ...(normalized && { normalized }),
  }
}

export const describeHolding = (row: HoldingRow, details: NftDetails | undefined): NftHoldingRecord => ({
  ...describeNft(row, details),
  owner: row.owner,
  amount: row.amount,
  sinceBlock: row.block,
  ...(row.minted !== null && { mintedBlock: row.minted }),
})
