import { z } from 'zod'

/** Responses of the legacy data API: names with underscores, numbers as text, null for unknown values. */
const text = z.string()
const number = z.number()
const textOrNull = text.nullable()
const always = z.null()

/** Response of a function. */
export const resultOf = <Result extends z.ZodType>(result: Result) => z.strictObject({ result })

const syncStatus = z.enum(['SYNCED', 'SYNCING'])

export const compatPageOf = <Row extends z.ZodType>(row: Row) =>
  z.strictObject({
    total: number.nullable(),
    page: number,
    page_size: number,
    cursor: text,
    result: z.array(row),
  })

/** A page from the index, which says whether it has caught up with the chain. */
export const syncedPageOf = <Row extends z.ZodType>(row: Row) => compatPageOf(row).extend({ status: syncStatus })

const place = { block_timestamp: text, block_number: text, block_hash: text }
/** A transaction that is in no block yet has none of these. */
const placeOrNull = { block_timestamp: textOrNull, block_number: textOrNull, block_hash: textOrNull }
const topics = { topic0: textOrNull, topic1: textOrNull, topic2: textOrNull, topic3: textOrNull }

export const compatTransaction = z.strictObject({
  hash: text,
  nonce: textOrNull,
  transaction_index: textOrNull,
  from_address: text,
  to_address: textOrNull,
  value: textOrNull,
  gas: textOrNull,
  gas_price: textOrNull,
  input: text,
  receipt_cumulative_gas_used: textOrNull,
  receipt_gas_used: textOrNull,
  receipt_contract_address: textOrNull,
  receipt_root: textOrNull,
  receipt_status: textOrNull,
  ...placeOrNull,
})

const transactionLog = z.strictObject({
  log_index: textOrNull,
  transaction_hash: text,
  transaction_index: textOrNull,
  address: text,
  data: text,
  ...topics,
  ...placeOrNull,
})

export const internalTransaction = z.strictObject({
  transaction_hash: text,
  block_number: text,
  block_hash: text,
  type: text,
  from: text,
  to: textOrNull,
  value: textOrNull,
  gas: textOrNull,
  gas_used: textOrNull,
  input: text,
  output: text,
})

const internal_transactions = z.array(internalTransaction).optional()

export const fullTransaction = compatTransaction.extend({ logs: z.array(transactionLog), internal_transactions })

const decoded = z
  .strictObject({
    signature: text,
    label: text,
    type: text,
    params: z.array(z.strictObject({ name: text, type: text, value: z.unknown() })),
  })
  .nullable()

export const verboseTransaction = compatTransaction.extend({
  logs: z.array(transactionLog.extend({ decoded_event: decoded })),
  decoded_call: decoded,
  internal_transactions,
})

export const compatBlock = z.strictObject({
  timestamp: text,
  number: text,
  hash: text,
  parent_hash: text,
  nonce: text,
  sha3_uncles: text,
  logs_bloom: text,
  transactions_root: text,
  state_root: text,
  receipts_root: text,
  miner: text,
  difficulty: text,
  total_difficulty: text,
  size: text,
  extra_data: text,
  gas_limit: text,
  gas_used: text,
  transaction_count: text,
  transactions: z.array(fullTransaction),
})

export const blockOfDate = z.strictObject({
  date: text,
  block: number,
  timestamp: number,
  block_timestamp: text,
  hash: text,
  parent_hash: text,
})

export const compatLog = z.strictObject({
  transaction_hash: text,
  address: text,
  data: text,
  ...place,
  ...topics,
  transaction_index: number,
  log_index: number,
})

export const contractEvent = z.strictObject({
  transaction_hash: text,
  address: text,
  ...place,
  data: z.record(z.string(), z.unknown()),
})

export const nativeBalances = z.strictObject({
  chain: text,
  chain_id: text,
  total_balance: text,
  block_number: text,
  block_timestamp: text,
  total_balance_formatted: text,
  wallet_balances: z.array(z.strictObject({ address: text, balance: text, balance_formatted: text })),
})

export const compatTokenBalance = z.strictObject({
  token_address: text,
  name: textOrNull,
  symbol: textOrNull,
  logo: always,
  thumbnail: always,
  decimals: number.nullable(),
  balance: text,
})

export const compatToken = z.strictObject({
  address: text,
  name: text,
  symbol: text,
  decimals: text,
  logo: always,
  logo_hash: always,
  thumbnail: always,
})

export const compatPrice = z.strictObject({
  tokenName: textOrNull,
  tokenSymbol: textOrNull,
  tokenLogo: always,
  tokenDecimals: textOrNull,
  nativePrice: z
    .strictObject({ value: text, decimals: number, name: text, symbol: text, address: textOrNull })
    .nullable(),
  usdPrice: number.nullable(),
  usdPriceFormatted: textOrNull,
  exchangeAddress: textOrNull,
  exchangeName: textOrNull,
  tokenAddress: text,
})

const amount = {
  token_name: textOrNull,
  token_symbol: textOrNull,
  token_logo: always,
  token_decimals: textOrNull,
  value: text,
  value_decimal: textOrNull,
}

export const erc20Transfer = z.strictObject({
  transaction_hash: text,
  address: text,
  ...place,
  to_address: text,
  from_address: text,
  ...amount,
  transaction_index: number,
  log_index: number,
})

/** The form of getErc20Transfers and the functions like it: parties are called wallets, numbers are text. */
export const walletTransfer = z.strictObject({
  ...amount,
  contract_address: text,
  transaction_hash: text,
  transaction_index: text,
  log_index: text,
  ...place,
  from_wallet: text,
  to_wallet: text,
})

export const compatNftTransfer = z.strictObject({
  token_address: text,
  token_id: text,
  from_address: text,
  to_address: text,
  value: textOrNull,
  amount: text,
  contract_type: text,
  ...place,
  transaction_hash: text,
  transaction_type: z.enum(['Single', 'Batch']).optional(),
  transaction_index: number,
  log_index: number,
  operator: textOrNull,
})

const compatNft = z.strictObject({
  token_address: text,
  token_id: text,
  contract_type: text,
  token_uri: textOrNull,
  metadata: textOrNull,
  normalized_metadata: z
    .strictObject({
      name: textOrNull,
      description: textOrNull,
      image: textOrNull,
      external_link: textOrNull,
      animation_url: textOrNull,
      attributes: z.array(
        z.looseObject({ trait_type: textOrNull, value: z.union([text, number, z.boolean()]).nullable() }),
      ),
    })
    .nullable()
    .optional(),
  name: textOrNull,
  symbol: textOrNull,
  token_hash: text,
  last_token_uri_sync: textOrNull,
  last_metadata_sync: textOrNull,
})

export const compatNftId = compatNft.extend({ amount: text })
export const singleNft = compatNft.extend({ owner_of: textOrNull, amount: textOrNull })
export const compatNftHolding = compatNft.extend({
  owner_of: text,
  amount: text,
  block_number: text,
  block_number_minted: textOrNull,
})

export const compatCollection = z.strictObject({
  token_address: text,
  contract_type: textOrNull,
  name: textOrNull,
  symbol: textOrNull,
})
