import type {
  AvatarRecord,
  ChainAnswer,
  ChainPage,
  ChainRecord,
  NftHoldingRecord,
  PortfolioRecord,
  PriceRecord,
  TokenBalanceRecord,
  TokenRecord,
  TransactionRecord,
  TransferRecord,
} from '@countersign/protocol'
import type { Address } from 'viem'
import type { Register } from '../../values/Register.ts'

type Chains = Register extends { chains: infer Registered } ? Registered : { [name: string]: number }

/** The ids of the application's chains, where it registers them. */
export type ChainId = Extract<Chains[keyof Chains], number>

/** A chain by its id, or by a name that the server knows it by. */
export type ChainRef = ChainId | (keyof Chains & string)

export type Avatar = FromWire<AvatarRecord>

export type Token = FromWire<TokenRecord>

/** Chain data with its block and source: the node, the cache or the index. */
export type ChainResult<Result> = Omit<FromWire<ChainAnswer<never>>, 'result'> & {
  /** SYNCING while the server still reads older blocks, so that something may be lacking. */
  readonly status?: 'SYNCED' | 'SYNCING'
  readonly result: Result
}

/** Rows as far as they were read; `cursor` leads on while there are more. */
export type ChainResultPage<Row> = Omit<FromWire<ChainPage<never>>, 'result' | 'page' | 'page_size'> & {
  readonly result: readonly Row[]
}

export type NativeBalance = { readonly balance: bigint; readonly decimals: number; readonly symbol: string }

export type TokenBalance = FromWire<TokenBalanceRecord>

export type TokenPrice = FromWire<PriceRecord>

export type Nft = FromWire<NftHoldingRecord>

export type Transfer = FromWire<TransferRecord>

export type Transaction = FromWire<TransactionRecord>

export type Portfolio = FromWire<PortfolioRecord>

export type ChainInfo = FromWire<ChainRecord>

type AmountField = 'balance' | 'amount' | 'value' | 'gas' | 'gasPrice' | 'gasUsed' | 'cumulativeGasUsed'

/** Addresses, with their checksum. */
type AddressField = 'address' | 'contract' | 'from' | 'operator' | 'owner' | 'pool' | 'quote' | 'to' | 'token'

/** Fields written by others, or call data: unchanged. */
type RawField = 'metadata' | 'normalized' | 'call' | 'logs'

/** Converts chain records for applications: amounts are bigint, times are dates, addresses have their
 * checksum, and everything is read-only. */
type FromWire<Value> = Value extends readonly (infer Item)[]
  ? readonly FromWire<Item>[]
  : Value extends object
    ? { readonly [Field in keyof Value]: FieldFromWire<Field, Value[Field]> }
    : Value

type FieldFromWire<Field, Value> = Field extends RawField
  ? Value
  : Field extends AmountField
    ? Value extends string
      ? bigint
      : Value
    : Field extends AddressField
      ? Value extends string
        ? Address
        : FromWire<Value>
      : Field extends 'timestamp'
        ? Date
        : Field extends 'chain'
          ? ChainId
          : FromWire<Value>

/** The chain: the wallet's if none is given; without a wallet the first of the client's `chains`, or `eth`. */
export type ChainInput = { readonly chain?: ChainRef | undefined }

/** The address: that of the connected wallet if none is given, or else the one that the user signs in with. */
export type AddressInput = ChainInput & { readonly address?: string | undefined }

export type NativeBalanceInput = AddressInput & { readonly block?: number | undefined }

export type TokenBalancesInput = AddressInput & {
  /** Only these contracts; they need not be known to the server before. */
  readonly tokens?: readonly string[] | undefined
  readonly block?: number | undefined
}

export type PageInput = {
  /** How many at once; 500 unless given, and at most. */
  readonly limit?: number | undefined
}

export type NftsInput = AddressInput & PageInput & { readonly tokens?: readonly string[] | undefined }

type RangeInput = {
  readonly fromBlock?: number | undefined
  readonly toBlock?: number | undefined
}

export type TransfersInput = AddressInput &
  PageInput &
  RangeInput & {
    /** All three unless given. */
    readonly kind?: TransferKind | readonly TransferKind[] | undefined
    /** `from` the address, `to` it, or `both` (default). */
    readonly direction?: 'from' | 'to' | 'both' | undefined
    readonly token?: string | undefined
    /** The newest first (`desc`) unless given. */
    readonly order?: 'asc' | 'desc' | undefined
  }

export type TransferKind = 'erc20' | 'erc721' | 'erc1155'

export type TransactionsInput = AddressInput & PageInput & RangeInput

export type TokenInput = ChainInput & { readonly token: string }

export type TokenPriceInput = TokenInput & {
  readonly exchange?: string | undefined
  readonly block?: number | undefined
}

/** Names stand on `eth` unless another chain is given. */
export type AddressOfInput = ChainInput & { readonly name: string }

export type PortfolioInput = {
  readonly address?: string | undefined
  /** All chains with nodes of the operator's unless given. */
  readonly chains?: readonly ChainRef[] | undefined
}

/** A name with its picture. */
export type EnsName = { readonly name: string; readonly avatar?: Avatar }

export type EnsAddress = { readonly name: string; readonly address: Address }

/** Endpoints for chain data: input and result. `null` means that there is nothing on the chain. */
export type ChainQuestions = {
  readonly listChains: { input: object; answer: readonly ChainInfo[] }
  readonly getNativeBalance: { input: NativeBalanceInput; answer: ChainResult<NativeBalance> }
  readonly listTokenBalances: { input: TokenBalancesInput; answer: ChainResult<readonly TokenBalance[]> }
  readonly listNfts: { input: NftsInput; answer: ChainResultPage<Nft> }
  readonly listTransfers: { input: TransfersInput; answer: ChainResultPage<Transfer> }
  readonly listTransactions: { input: TransactionsInput; answer: ChainResultPage<Transaction> }
  readonly getNameOf: { input: AddressInput; answer: ChainResult<EnsName> | null }
  readonly resolveName: { input: AddressOfInput; answer: ChainResult<EnsAddress> | null }
  readonly getToken: { input: TokenInput; answer: ChainResult<Token> }
  readonly getTokenPrice: { input: TokenPriceInput; answer: ChainResult<TokenPrice> | null }
  readonly getPortfolio: { input: PortfolioInput; answer: Portfolio }
}

export type ChainEndpoint = keyof ChainQuestions

export type ChainQuestionInput<Name extends ChainEndpoint> = ChainQuestions[Name]['input']

export type ChainQuestionAnswer<Name extends ChainEndpoint> = ChainQuestions[Name]['answer']
