import type {
  AddressRecord,
  AvatarRecord,
  BlockRecord,
  ChainAnswer,
  ChainBlockRef,
  ChainPage,
  ChainPageInput,
  ChainRange,
  ChainRecord,
  CollectionRecord,
  InternalTransactionRecord,
  LogRecord,
  NftHoldingRecord,
  NftRecord,
  PairRecord,
  PictureRecord,
  PortfolioRecord,
  PriceRecord,
  SolanaPortfolioRecord,
  TokenBalanceRecord,
  TokenRecord,
  TransactionRecord,
  TransferRecord,
  ValueHistoryRecord,
} from './chain.ts'
import type { WireFields } from './values.ts'

type Empty = Record<never, never>
/** By name, alias, decimal or hex id. */
type OnChain = { chain: string | number }

type OnSolana = { network: 'mainnet' | 'devnet'; address: string }
type SolanaPlace = Pick<SolanaPortfolioRecord, 'slot' | 'source'>

/** What the endpoints that read chains take and answer. */
export type ChainEndpointTypes = {
  listChains: { input: Empty; output: { results: ChainRecord[] } }
  getChain: { input: { chain: string | number }; output: ChainRecord }
  getBlock: { input: OnChain & { block: string | number }; output: ChainAnswer<BlockRecord> }
  getBlockByDate: { input: OnChain & { date: string | number }; output: ChainAnswer<ChainBlockRef> }
  getTransaction: { input: OnChain & { hash: string }; output: ChainAnswer<TransactionRecord> }
  listInternalTransactions: { input: OnChain & { hash: string }; output: ChainAnswer<InternalTransactionRecord[]> }
  getAddress: { input: OnChain & { address: string }; output: ChainAnswer<AddressRecord> }
  getNativeBalance: {
    input: OnChain & { address: string; block?: number | string }
    output: ChainAnswer<{ balance: string; decimals: number; symbol: string }>
  }
  listNativeBalances: {
    input: OnChain & { addresses: string; block?: number | string }
    output: ChainAnswer<{ address: string; balance: string }[]>
  }
  listTokenBalances: {
    input: OnChain & { address: string; tokens?: string; block?: number | string }
    output: ChainAnswer<TokenBalanceRecord[]> & { status?: 'SYNCED' | 'SYNCING' }
  }
  listNfts: {
    input: OnChain & { address: string; tokens?: string } & Omit<ChainPageInput, 'order'>
    output: ChainPage<NftHoldingRecord>
  }
  listTransfers: {
    input: OnChain & { address: string; kind?: string; direction?: string; token?: string } & ChainPageInput &
      ChainRange
    output: ChainPage<TransferRecord>
  }
  listTransactions: {
    input: OnChain & { address: string } & Omit<ChainPageInput, 'order'> & ChainRange
    output: ChainPage<TransactionRecord>
  }
  listCollections: {
    input: OnChain & { address: string } & Omit<ChainPageInput, 'order'>
    output: ChainPage<CollectionRecord>
  }
  getNameOf: { input: OnChain & { address: string }; output: ChainAnswer<{ name: string; avatar?: AvatarRecord }> }
  resolveName: { input: OnChain & { name: string }; output: ChainAnswer<{ name: string; address: string }> }
  getNamePicture: { input: OnChain & { name: string }; output: ChainAnswer<PictureRecord> }
  listTokens: { input: OnChain & { addresses?: string; symbols?: string }; output: ChainAnswer<TokenRecord[]> }
  getToken: { input: OnChain & { token: string }; output: ChainAnswer<TokenRecord> }
  getTokenPrice: {
    input: OnChain & { token: string; exchange?: string; block?: number | string }
    output: ChainAnswer<PriceRecord>
  }
  getAllowance: {
    input: OnChain & { token: string; owner: string; spender: string; block?: number | string }
    output: ChainAnswer<{ allowance: string }>
  }
  listTokenTransfers: {
    input: OnChain & { token: string } & ChainPageInput & ChainRange
    output: ChainPage<TransferRecord>
  }
  getCollection: { input: OnChain & { token: string }; output: ChainAnswer<CollectionRecord> }
  listTokenIds: {
    input: OnChain & { token: string } & Omit<ChainPageInput, 'order'>
    output: ChainPage<NftRecord & { amount: string }>
  }
  listNftOwners: {
    input: OnChain & { token: string } & Omit<ChainPageInput, 'order'>
    output: ChainPage<NftHoldingRecord>
  }
  listNftTransfers: {
    input: OnChain & { token: string } & ChainPageInput & ChainRange
    output: ChainPage<TransferRecord>
  }
  getNft: { input: OnChain & { token: string; id: string }; output: ChainAnswer<NftRecord & { owner?: string }> }
  getNftPicture: { input: OnChain & { token: string; id: string }; output: ChainAnswer<PictureRecord> }
  listNftOwnersOfId: {
    input: OnChain & { token: string; id: string } & Omit<ChainPageInput, 'order'>
    output: ChainPage<NftHoldingRecord>
  }
  listNftTransfersOfId: {
    input: OnChain & { token: string; id: string } & ChainPageInput & ChainRange
    output: ChainPage<TransferRecord>
  }
  listLogs: {
    input: OnChain & { address?: string; topics?: string } & ChainPageInput & ChainRange
    output: ChainPage<LogRecord>
  }
  getPair: {
    input: OnChain & { tokenA: string; tokenB: string; exchange: string; block?: number | string }
    output: ChainAnswer<PairRecord>
  }
  followTransaction: { input: OnChain & { hash: string; data?: WireFields }; output: WireFields }
  callContract: {
    input: OnChain & { address: string; abi: unknown; function: string; params?: unknown; block?: number | string }
    output: ChainAnswer<unknown>
  }
  listEvents: {
    input: OnChain & { address: string; abi: unknown; event?: string } & ChainPageInput & ChainRange
    output: ChainPage<LogRecord>
  }
  /** What an address had over the last days, by balances and prices at blocks of that time. */
  getValueHistory: { input: OnChain & { address: string; days?: number }; output: ChainAnswer<ValueHistoryRecord> }
  /** What an address has, on every chain with a node of the operator's, or on those that are named. */
  getPortfolio: { input: { address: string; chains?: string }; output: PortfolioRecord }
  getSolanaBalance: {
    input: OnSolana
    output: SolanaPortfolioRecord['nativeBalance'] & SolanaPlace
  }
  listSolanaTokens: { input: OnSolana; output: Pick<SolanaPortfolioRecord, 'tokens'> & SolanaPlace }
  listSolanaNfts: { input: OnSolana; output: Pick<SolanaPortfolioRecord, 'nfts'> & SolanaPlace }
  getSolanaNft: { input: OnSolana; output: WireFields }
  getSolanaTokenPrice: { input: OnSolana; output: Empty }
  getSolanaPortfolio: { input: OnSolana; output: SolanaPortfolioRecord }
}
