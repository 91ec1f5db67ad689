/** A block, as every answer from a chain names the one that it holds for. */
export type ChainBlockRef = { number: number; hash: string; timestamp: string }

/** `node`: asked just now; `cache`: asked before, and still so; `index`: from what this server keeps of the chain. */
export type ChainSource = 'node' | 'cache' | 'index'

/** Amounts, ids and other numbers that a contract chooses are decimal text. Addresses and hashes are lower case. */
export type ChainAnswer<Result> = { chain: number; block: ChainBlockRef; source: ChainSource; result: Result }

export type ChainPage<Row> = ChainAnswer<Row[]> & {
  /** SYNCING while the index still reads older blocks, so that something may be lacking. */
  status?: 'SYNCED' | 'SYNCING'
  page: number
  page_size: number
  /** At most 10,000 is counted. Absent where counting would mean to read everything. */
  total?: number
  /** Leads to the next page; absent on the last one. */
  cursor?: string
}

export type ChainPageInput = { limit?: number; cursor?: string; order?: 'asc' | 'desc' }

export type ChainRange = { fromBlock?: number; toBlock?: number; fromDate?: string; toDate?: string }

export type ChainRecord = {
  id: number
  name: string
  aliases: string[]
  nativeCurrency: { name: string; symbol: string; decimals: number }
  explorer?: string
  head?: ChainBlockRef
  finalized?: number
  /** Why there is no head: a sentence, and its stable name. */
  error?: string
  reason?: string
  index?: ChainIndexRecord
}

export type ChainIndexRecord = {
  mode: 'users' | 'contracts' | 'all'
  status: 'SYNCED' | 'SYNCING'
  block: number
  /** Of the older blocks that are to be read, from 0 to 1. */
  progress: number
  secondsLeft?: number
}

export type DecodedRecord = {
  label: string
  signature: string
  params: { name: string; type: string; value: unknown }[]
}

export type LogRecord = {
  address: string
  topics: string[]
  data: string
  logIndex: number
  transaction: string
  transactionIndex: number
  block: ChainBlockRef
  decoded?: DecodedRecord
}

export type TransactionRecord = {
  hash: string
  from: string
  to?: string
  value: string
  nonce: number
  gas: string
  gasPrice: string
  input: string
  /** Absent while it waits for a block. */
  index?: number
  block?: ChainBlockRef
  status?: 'success' | 'failed'
  gasUsed?: string
  cumulativeGasUsed?: string
  contract?: string
  call?: DecodedRecord
  logs?: Omit<LogRecord, 'block'>[]
}

export type BlockRecord = ChainBlockRef & {
  parentHash: string
  miner: string
  gasLimit: string
  gasUsed: string
  baseFeePerGas?: string
  size: number
  extraData: string
  transactionCount: number
  transactions: Omit<TransactionRecord, 'block' | 'logs' | 'call'>[]
}

export type InternalTransactionRecord = {
  type: string
  from: string
  to?: string
  value: string
  gas: string
  gasUsed: string
  input: string
  output: string
  error?: string
  depth: number
}

export type AddressRecord = {
  address: string
  balance: string
  nonce: number
  isContract: boolean
  name?: string
  avatar?: AvatarRecord
}

/** A picture by its address; or the NFT whose metadata, at `uri`, holds it. */
export type AvatarRecord = { url: string } | { token: string; tokenId: string; uri: string }

export type TokenRecord = { token: string; name?: string; symbol?: string; decimals?: number }
export type TokenBalanceRecord = TokenRecord & { balance: string }

/** By the deepest pool on the chain that is known; what a swap of little would cost now. */
export type PriceRecord = TokenRecord & {
  native?: { value: string; decimals: number; symbol: string }
  usd?: string
  from?: { exchange: string; kind: 'v2' | 'v3'; pool: string; quote: string; depth: string }
}

export type TransferRecord = {
  kind: 'erc20' | 'erc721' | 'erc1155'
  token: string
  from: string
  to: string
  operator?: string
  tokenId?: string
  amount: string
  block: ChainBlockRef
  transaction: string
  transactionIndex: number
  logIndex: number
}

export type NftRecord = {
  token: string
  tokenId: string
  kind: 'erc721' | 'erc1155'
  name?: string
  symbol?: string
  uri?: string
  /** What stands at `uri`, where it was fetched already. */
  metadata?: unknown
  /** The same under one set of names, with addresses that a page can show. */
  normalized?: {
    name: string | null
    description: string | null
    image: string | null
    external_link: string | null
    animation_url: string | null
    attributes: { trait_type: string | null; value: string | number | boolean | null }[]
  }
}
/** A picture as it is, for pages that ask no other host. */
export type PictureRecord = { type: string; base64: string }
export type NftHoldingRecord = NftRecord & { owner: string; amount: string; sinceBlock: number; mintedBlock?: number }
export type CollectionRecord = { token: string; kind?: 'erc721' | 'erc1155'; name?: string; symbol?: string }

export type PairRecord = {
  exchange: string
  pair: string
  token0: TokenRecord
  token1: TokenRecord
  /** Of pools in the shape of Uniswap v2. */
  reserve0?: string
  reserve1?: string
}

export type PortfolioRecord = {
  address: string
  chains: PortfolioChain[]
}

export type PortfolioChain = {
  chain: number
  name: string
  block?: ChainBlockRef
  /** Seconds since that block. */
  age?: number
  source?: ChainSource
  native?: { balance: string; symbol: string; decimals: number; usd?: string }
  tokens?: (TokenBalanceRecord & { usd?: string })[]
  /** Ids of collectibles that the address holds. Absent where the index does not follow the address. */
  nfts?: number
  /** Whether every token is known: what an address has touched is in the index alone. */
  complete?: boolean
  status?: 'SYNCED' | 'SYNCING'
  /** Why there is nothing of this chain: a sentence, and its stable name. */
  error?: string
  reason?: string
}

/** What an address had, by the prices of that time. */
export type ValueRecord = {
  block: ChainBlockRef
  /** In dollars; of what had a price. */
  usd: string
  /** How many currencies and tokens it had that had no price. */
  unpriced: number
}

export type ValueHistoryRecord = {
  /** The oldest first; the last one is of the head. */
  points: ValueRecord[]
  /** Whether every token is known: what an address has touched is in the index alone. */
  complete: boolean
}

export type SolanaTokenRecord = {
  associatedTokenAddress: string
  mint: string
  name: string | null
  symbol: string | null
  amount: string
  amountRaw: string
  decimals: number
}

export type SolanaPortfolioRecord = {
  nativeBalance: { solana: string; lamports: string }
  tokens: SolanaTokenRecord[]
  nfts: Pick<SolanaTokenRecord, 'associatedTokenAddress' | 'mint' | 'name' | 'symbol'>[]
  slot: number
  source: 'node' | 'cache'
}
