import { z } from 'zod'
import { instant } from './fields.ts'
import { generic, named } from './typeNames.ts'

const text = z.string()
const number = z.number()
const nft = z.enum(['erc721', 'erc1155'])
const syncStatus = z.enum(['SYNCED', 'SYNCING'])
const source = named(
  'ChainSource',
  z
    .enum(['node', 'cache', 'index'])
    .describe('`node`: read now; `cache`: read before and still valid; `index`: from the chain index of this server.'),
)

export const blockRef = named(
  'ChainBlockRef',
  z.strictObject({ number, hash: text, timestamp: instant }).describe('A block, as named by every chain result.'),
)

const answerFields = <Result extends z.ZodType>(result: Result) => ({
  chain: number,
  block: blockRef,
  source,
  result,
  status: syncStatus.optional().describe('SYNCING while the index still reads older blocks; data may be missing.'),
})

export function answerOf<Result extends z.ZodType>(given: Result) {
  // A copy, so that the same record elsewhere in the response is not mistaken for the result.
  const result = given.clone() as Result
  return generic(
    'ChainAnswer',
    { parameter: 'Result', schema: result },
    z
      .strictObject(answerFields(result))
      .describe(
        'Amounts, ids and other numbers that a contract chooses are decimal text. Addresses and hashes are lower case.',
      ),
  )
}

export function pageOf<Row extends z.ZodType>(given: Row) {
  const row = given.clone() as Row
  return generic(
    'ChainPage',
    { parameter: 'Row', schema: row },
    z.strictObject({
      ...answerFields(z.array(row)),
      page: number,
      page_size: number,
      total: number.optional().describe('Counted up to 10,000. Absent if counting would be too slow.'),
      cursor: text.optional().describe('Cursor of the next page; absent on the last one.'),
    }),
  )
}

const chainIndexRecord = named(
  'ChainIndexRecord',
  z.strictObject({
    mode: z.enum(['users', 'contracts', 'all']),
    status: syncStatus,
    block: number,
    progress: number.describe('Share of the older blocks that has been read, from 0 to 1.'),
    secondsLeft: number.optional(),
  }),
)

export const chainRecord = named(
  'ChainRecord',
  z.strictObject({
    id: number,
    name: text,
    aliases: z.array(text),
    nativeCurrency: z.strictObject({ name: text, symbol: text, decimals: number }),
    explorer: text.optional(),
    head: blockRef.optional(),
    finalized: number.optional(),
    error: text.optional().describe('Why there is no head, as a sentence.'),
    reason: text.optional().describe('The stable name of `error`.'),
    index: chainIndexRecord.optional(),
  }),
)

const decoded = named(
  'DecodedRecord',
  z.strictObject({
    label: text,
    signature: text,
    params: z.array(z.strictObject({ name: text, type: text, value: z.unknown() })),
  }),
)

const plainLog = z.strictObject({
  address: text,
  topics: z.array(text),
  data: text,
  logIndex: number,
  transaction: text,
  transactionIndex: number,
  decoded: decoded.optional(),
})
export const logRecord = named('LogRecord', plainLog.extend({ block: blockRef }))

const plainTransaction = z.strictObject({
  hash: text,
  from: text,
  to: text.optional(),
  value: text,
  nonce: number,
  gas: text,
  gasPrice: text,
  input: text,
  index: number.optional().describe('Absent while pending.'),
  status: z.enum(['success', 'failed']).optional(),
  gasUsed: text.optional(),
  cumulativeGasUsed: text.optional(),
  contract: text.optional(),
})
export const transactionRecord = named(
  'TransactionRecord',
  plainTransaction.extend({
    block: blockRef.optional(),
    call: decoded.optional(),
    logs: z.array(plainLog).optional(),
  }),
)

export const blockRecord = named(
  'BlockRecord',
  blockRef.extend({
    parentHash: text,
    miner: text,
    gasLimit: text,
    gasUsed: text,
    baseFeePerGas: text.optional(),
    size: number,
    extraData: text,
    transactionCount: number,
    transactions: z.array(plainTransaction),
  }),
)

export const internalTransactionRecord = named(
  'InternalTransactionRecord',
  z.strictObject({
    type: text,
    from: text,
    to: text.optional(),
    value: text,
    gas: text,
    gasUsed: text,
    input: text,
    output: text,
    error: text.optional(),
    depth: number,
  }),
)

const avatar = named(
  'AvatarRecord',
  z
    .union([z.strictObject({ url: text }), z.strictObject({ token: text, tokenId: text, uri: text })])
    .describe('An image by its URL, or the NFT whose metadata at `uri` contains it.'),
)
export const nameRecord = z.strictObject({ name: text, avatar: avatar.optional() })

export const addressRecord = named(
  'AddressRecord',
  z.strictObject({
    address: text,
    balance: text,
    nonce: number,
    isContract: z.boolean(),
    name: text.optional(),
    avatar: avatar.optional(),
  }),
)

export const tokenRecord = named(
  'TokenRecord',
  z.strictObject({
    token: text,
    name: text.optional(),
    symbol: text.optional(),
    decimals: number.optional(),
  }),
)
export const tokenBalanceRecord = named('TokenBalanceRecord', tokenRecord.extend({ balance: text }))

export const priceRecord = named(
  'PriceRecord',
  tokenRecord
    .extend({
      native: z.strictObject({ value: text, decimals: number, symbol: text }).optional(),
      usd: text.optional(),
      from: z
        .strictObject({ exchange: text, kind: z.enum(['v2', 'v3']), pool: text, quote: text, depth: text })
        .optional(),
    })
    .describe('From the deepest known pool on the chain: the current price of a small swap.'),
)

export const priceChangeRecord = named(
  'PriceChangeRecord',
  z.strictObject({
    token: text.optional().describe('Absent for the native currency.'),
    usd: text.describe('In US dollars, of one whole token.'),
    usdBefore: text.optional().describe('24 hours earlier; absent without an archive node, or without a pool then.'),
  }),
)

export const pairRecord = named(
  'PairRecord',
  z.strictObject({
    exchange: text,
    pair: text,
    token0: tokenRecord,
    token1: tokenRecord,
    reserve0: text.optional(),
    reserve1: text.optional(),
  }),
)

export const transferRecord = named(
  'TransferRecord',
  z.strictObject({
    kind: z.enum(['erc20', 'erc721', 'erc1155']),
    token: text,
    from: text,
    to: text,
    operator: text.optional(),
    tokenId: text.optional(),
    amount: text,
    block: blockRef,
    transaction: text,
    transactionIndex: number,
    logIndex: number,
  }),
)

export const nftRecord = named(
  'NftRecord',
  z.strictObject({
    token: text,
    tokenId: text,
    kind: nft,
    name: text.optional(),
    symbol: text.optional(),
    uri: text.optional(),
    metadata: z.unknown().optional().describe('Content of `uri`, if already fetched.'),
    normalized: z
      .strictObject({
        name: text.nullable(),
        description: text.nullable(),
        image: text.nullable(),
        external_link: text.nullable(),
        animation_url: text.nullable(),
        attributes: z.array(
          z.looseObject({
            trait_type: text.nullable(),
            value: z.union([text, number, z.boolean()]).nullable(),
          }),
        ),
      })
      .optional(),
  }),
)
export const nftHoldingRecord = named(
  'NftHoldingRecord',
  nftRecord.extend({
    owner: text,
    amount: text,
    sinceBlock: number,
    mintedBlock: number.optional(),
  }),
)
export const collectionRecord = named(
  'CollectionRecord',
  z.strictObject({
    token: text,
    kind: nft.optional(),
    name: text.optional(),
    symbol: text.optional(),
  }),
)
export const pictureRecord = named(
  'PictureRecord',
  z
    .strictObject({ type: text, base64: text })
    .describe('An unchanged image, for pages that load nothing from other hosts.'),
)

const portfolioChain = named(
  'PortfolioChain',
  z.strictObject({
    chain: number,
    name: text,
    block: blockRef.optional(),
    age: number.optional().describe('Seconds since that block.'),
    source: source.optional(),
    native: z.strictObject({ balance: text, symbol: text, decimals: number, usd: text.optional() }).optional(),
    tokens: z.array(tokenBalanceRecord.extend({ usd: text.optional() })).optional(),
    nfts: number.optional().describe('NFTs of the address. Absent if the index does not include the address.'),
    complete: z
      .boolean()
      .optional()
      .describe('True if every token is known: only the index has all tokens of an address.'),
    status: syncStatus.optional(),
    error: text.optional().describe('Why there is no data of this chain, as a sentence.'),
    reason: text.optional().describe('The stable name of `error`.'),
  }),
)

export const portfolioRecord = named(
  'PortfolioRecord',
  z.strictObject({ address: text, chains: z.array(portfolioChain) }),
)

const valueRecord = named(
  'ValueRecord',
  z
    .strictObject({
      block: blockRef,
      usd: text.describe('In US dollars; includes only assets with a price.'),
      unpriced: number.describe('Number of currencies and tokens without a price.'),
    })
    .describe('Value of an address at the prices of that time.'),
)

export const valueHistoryRecord = named(
  'ValueHistoryRecord',
  z.strictObject({
    points: z.array(valueRecord).describe('Oldest first; the last one is the head.'),
    complete: z.boolean().describe('True if every token is known: only the index has all tokens of an address.'),
  }),
)

/** Slot and source that a Solana read is valid for. */
const solanaPlace = { slot: number, source: z.enum(['node', 'cache']) }
const lamports = z.strictObject({ solana: text, lamports: text })
const solanaNft = z.strictObject({
  associatedTokenAddress: text,
  mint: text,
  name: text.nullable(),
  symbol: text.nullable(),
})
const solanaToken = named('SolanaTokenRecord', solanaNft.extend({ amount: text, amountRaw: text, decimals: number }))
export const solanaBalance = lamports.extend(solanaPlace)
export const solanaTokens = z.strictObject({ tokens: z.array(solanaToken), ...solanaPlace })
export const solanaNfts = z.strictObject({ nfts: z.array(solanaNft), ...solanaPlace })
export const solanaPortfolio = named(
  'SolanaPortfolioRecord',
  z.strictObject({
    nativeBalance: lamports,
    tokens: z.array(solanaToken),
    nfts: z.array(solanaNft),
    ...solanaPlace,
  }),
)
export const solanaMint = z.strictObject({
  mint: text,
  standard: text,
  name: text,
  symbol: text,
  metaplex: z.strictObject({
    metadataUri: text,
    masterEdition: z.boolean(),
    isMutable: z.boolean().nullable(),
    primarySaleHappened: z.boolean().nullable(),
    sellerFeeBasisPoints: number.nullable(),
    updateAuthority: text.nullable(),
  }),
})
