import { createHash } from 'node:crypto'
import type { HoldingRow } from '../../../chain/index/queries/listHoldings.ts'
import type { TransferRow } from '../../../chain/index/queries/listTransfers.ts'
import type { Page } from '../../../chain/index/queries/Page.ts'
import type { Chain, TokenMetadata } from '../../../chain/nodes/Chain.ts'
import type { TokenPrice } from '../../../chain/reads/prices.ts'
import { describePage, formatUnits } from '../describe.ts'
import type { NftDetails, NftRow } from '../NftDetails.ts'

type OlderRange = {
  from_block?: number | undefined
  to_block?: number | undefined
  from_date?: Date | undefined
  to_date?: Date | undefined
}

/** The same range under our own names. */
export const rangeFrom = ({ from_block, to_block, from_date, to_date }: OlderRange) => ({
  fromBlock: from_block,
  toBlock: to_block,
  fromDate: from_date,
  toDate: to_date,
})

type PageInput = {
  limit: number
  cursor?: string | undefined
  offset?: number | undefined
  disable_total: boolean
}

/** A page for older clients. Without a count, `total` is the known minimum: the client would stop otherwise. */
export function toCompatPage<Row, Shown>(
  found: Page<Row> & { seen?: number },
  input: PageInput,
  show: (row: Row, place: number) => Shown,
) {
  const total = found.total ?? found.seen
  const { page, page_size, cursor = '', result } = describePage({ ...found, total }, input, show)
  return { total: input.disable_total ? null : (total ?? null), page, page_size, cursor, result }
}

export type NftFormat = { format: 'decimal' | 'hex'; normalizeMetadata: boolean }

const formatId = (id: string, format: 'decimal' | 'hex') => (format === 'hex' ? `0x${BigInt(id).toString(16)}` : id)

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
  // Distinguishes tokens; the input of the older hash is unknown.
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

type Named = {
  address: string
  name?: string | null | undefined
  symbol?: string | null | undefined
  decimals?: number | undefined
}

/** Logos are none of the chain's: they are always null. */
export const mapToken = ({ address, name, symbol, decimals }: Named) => ({
  address,
  name: name ?? '',
  symbol: symbol ?? '',
  decimals: decimals === undefined ? '' : String(decimals),
  logo: null,
  logo_hash: null,
  thumbnail: null,
})

/** A price with its source. What is unknown is null. */
export function mapPrice(chain: Chain, { token, native, usd, source }: TokenPrice) {
  const { wrapped, v2, v3 } = chain.contracts
  const exchange = [...v2, ...v3].find(({ name }) => name === source?.exchange)
  const formatted = usd ? formatUnits(usd.value, usd.decimals) : null
  const { name, symbol } = chain.nativeCurrency
  return {
    tokenName: token.name ?? null,
    tokenSymbol: token.symbol ?? null,
    tokenLogo: null,
    tokenDecimals: token.decimals === undefined ? null : String(token.decimals),
    nativePrice: native
      ? { value: native.value.toString(), decimals: native.decimals, name, symbol, address: wrapped ?? null }
      : null,
    usdPrice: formatted === null ? null : Number(formatted),
    usdPriceFormatted: formatted,
    exchangeAddress: exchange?.factory ?? null,
    exchangeName: source?.exchange ?? null,
    tokenAddress: token.address,
  }
}

export type OlderTransfer = Pick<
  TransferRow,
  'kind' | 'token' | 'from' | 'to' | 'operator' | 'tokenId' | 'amount' | 'block' | 'blockHash' | 'transaction'
> & { blockTime: Date; transactionIndex: number; logIndex: number; sub: number }

const placeOf = ({ blockTime, block, blockHash }: OlderTransfer) => ({
  block_timestamp: blockTime.toISOString(),
  block_number: String(block),
  block_hash: blockHash,
})

const describeOf = (token: TokenMetadata | undefined, amount: string) => ({
  token_name: token?.name ?? null,
  token_symbol: token?.symbol ?? null,
  token_logo: null,
  token_decimals: token?.decimals === undefined ? null : String(token.decimals),
  value: amount,
  value_decimal: token?.decimals === undefined ? null : formatUnits(BigInt(amount), token.decimals),
})

export const mapErc20Transfer = (row: OlderTransfer, token: TokenMetadata | undefined) => ({
  transaction_hash: row.transaction,
  address: row.token,
  ...placeOf(row),
  to_address: row.to,
  from_address: row.from,
  ...describeOf(token, row.amount),
  transaction_index: row.transactionIndex,
  log_index: row.logIndex,
})

/** The form of getErc20Transfers and its kin, where parties are called wallets and numbers are text. */
export const mapWalletTransfer = (row: OlderTransfer, token: TokenMetadata | undefined) => ({
  ...describeOf(token, row.amount),
  contract_address: row.token,
  transaction_hash: row.transaction,
  transaction_index: String(row.transactionIndex),
  log_index: String(row.logIndex),
  ...placeOf(row),
  from_wallet: row.from,
  to_wallet: row.to,
})

/** `value` is what the transaction paid in the chain's own currency. */
export const mapNftTransfer = (row: OlderTransfer, format: 'decimal' | 'hex', value: bigint | undefined) => ({
  token_address: row.token,
  token_id: formatId(row.tokenId ?? '0', format),
  from_address: row.from,
  to_address: row.to,
  value: value === undefined ? null : value.toString(),
  amount: row.amount,
  contract_type: row.kind.toUpperCase(),
  ...placeOf(row),
  transaction_hash: row.transaction,
  ...(row.kind === 'erc721' && { transaction_type: 'Single' as const }),
  ...(row.sub > 0 && { transaction_type: 'Batch' as const }),
  transaction_index: row.transactionIndex,
  log_index: row.logIndex,
  operator: row.operator,
})
