import type { TransferRow } from '../../../chain/index/queries/listTransfers.ts'
import type { TokenMetadata } from '../../../chain/reads/getTokenMetadata.ts'
import { formatUnits } from '../formatUnits.ts'
import { formatId } from './mapNft.ts'

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
  ...(row.kind === 'erc721' && { transaction_type: 'Single' }),
  ...(row.sub > 0 && { transaction_type: 'Batch' }),
  transaction_index: row.transactionIndex,
  log_index: row.logIndex,
  operator: row.operator,
})
