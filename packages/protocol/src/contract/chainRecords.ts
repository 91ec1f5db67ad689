import { z } from 'zod'
import { instant } from './fields.ts'

/** What is answered from a chain. Beside the types of `../chain.ts`. */
const text = z.string()
const number = z.number()
const nft = z.enum(['erc721', 'erc1155'])
const syncStatus = z.enum(['SYNCED', 'SYNCING'])
const source = z.enum(['node', 'cache', 'index'])

export const blockRef = z.strictObject({ number, hash: text, timestamp: instant })

/** An answer about a chain, with the block that it holds for. */
export const answerOf = <Result extends z.ZodType>(result: Result) =>
  z.strictObject({ chain: number, block: blockRef, source, result, status: syncStatus.optional() })

export const pageOf = <Row extends z.ZodType>(row: Row) =>
  answerOf(z.array(row)).extend({
    page: number,
    page_size: number,
    total: number.optional(),
    cursor: text.optional(),
  })

export const chainRecord = z.strictObject({
  id: number,
  name: text,
  aliases: z.array(text),
  nativeCurrency: z.strictObject({ name: text, symbol: text, decimals: number }),
  explorer: text.optional(),
  head: blockRef.optional(),
  finalized: number.optional(),
  error: text.optional(),
  reason: text.optional(),
  index: z
    .strictObject({
      mode: z.enum(['users', 'contracts', 'all']),
      status: syncStatus,
      block: number,
      progress: number,
      secondsLeft: number.optional(),
    })
    .optional(),
})

const decoded = z.strictObject({
  label: text,
  signature: text,
  params: z.array(z.strictObject({ name: text, type: text, value: z.unknown() })),
})

const plainLog = z.strictObject({
  address: text,
  topics: z.array(text),
  data: text,
  logIndex: number,
  transaction: text,
  transactionIndex: number,
  decoded: decoded.optional(),
})
export const logRecord = plainLog.extend({ block: blockRef })

const plainTransaction = z.strictObject({
  hash: text,
  from: text,
  to: text.optional(),
  value: text,
  nonce: number,
  gas: text,
  gasPrice: text,
  input: text,
  index: number.optional(),
  status: z.enum(['success', 'failed']).optional(),
  gasUsed: text.optional(),
  cumulativeGasUsed: text.optional(),
  contract: text.optional(),
})
export const transactionRecord = plainTransaction.extend({
  block: blockRef.optional(),
  call: decoded.optional(),
  logs: z.array(plainLog).optional(),
})

export const blockRecord = blockRef.extend({
  parentHash: text,
  miner: text,
  gasLimit: text,
  gasUsed: text,
  baseFeePerGas: text.optional(),
  size: number,
  extraData: text,
  transactionCount: number,
  transactions: z.array(plainTransaction),
})

export const internalTransactionRecord = z.strictObject({
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
})

const avatar = z.union([z.strictObject({ url: text }), z.strictObject({ token: text, tokenId: text, uri: text })])
export const named = z.strictObject({ name: text, avatar: avatar.optional() })

export const addressRecord = z.strictObject({
  address: text,
  balance: text,
  nonce: number,
  isContract: z.boolean(),
  name: text.optional(),
  avatar: avatar.optional(),
})

export const tokenRecord = z.strictObject({
  token: text,
  name: text.optional(),
  symbol: text.optional(),
  decimals: number.optional(),
})
export const tokenBalanceRecord = tokenRecord.extend({ balance: text })

export const priceRecord = tokenRecord.extend({
  native: z.strictObject({ value: text, decimals: number, symbol: text }).optional(),
  usd: text.optional(),
  from: z.strictObject({ exchange: text, kind: z.enum(['v2', 'v3']), pool: text, quote: text, depth: text }).optional(),
})

export const pairRecord = z.strictObject({
  exchange: text,
  pair: text,
  token0: tokenRecord,
  token1: tokenRecord,
  reserve0: text.optional(),
  reserve1: text.optional(),
})

export const transferRecord = z.strictObject({
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
})

export const nftRecord = z.strictObject({
  token: text,
  tokenId: text,
  kind: nft,
  name: text.optional(),
  symbol: text.optional(),
  uri: text.optional(),
  metadata: z.unknown().optional(),
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
})
export const nftHoldingRecord = nftRecord.extend({
  owner: text,
  amount: text,
  sinceBlock: number,
  mintedBlock: number.optional(),
})
export const collectionRecord = z.strictObject({
  token: text,
  kind: nft.optional(),
  name: text.optional(),
  symbol: text.optional(),
})
export const pictureRecord = z.strictObject({ type: text, base64: text })

export const portfolioRecord = z.strictObject({
  address: text,
  chains: z.array(
    z.strictObject({
      chain: number,
      name: text,
      block: blockRef.optional(),
      age: number.optional(),
      source: source.optional(),
      native: z.strictObject({ balance: text, symbol: text, decimals: number, usd: text.optional() }).optional(),
      tokens: z.array(tokenBalanceRecord.extend({ usd: text.optional() })).optional(),
      nfts: number.optional(),
      complete: z.boolean().optional(),
      status: syncStatus.optional(),
      error: text.optional(),
      reason: text.optional(),
    }),
  ),
})

export const valueHistoryRecord = z.strictObject({
  points: z.array(z.strictObject({ block: blockRef, usd: text, unpriced: number })),
  complete: z.boolean(),
})

/** What a read of Solana holds for. */
const solanaPlace = { slot: number, source: z.enum(['node', 'cache']) }
const lamports = z.strictObject({ solana: text, lamports: text })
const solanaNft = z.strictObject({
  associatedTokenAddress: text,
  mint: text,
  name: text.nullable(),
  symbol: text.nullable(),
})
const solanaToken = solanaNft.extend({ amount: text, amountRaw: text, decimals: number })
export const solanaBalance = lamports.extend(solanaPlace)
export const solanaTokens = z.strictObject({ tokens: z.array(solanaToken), ...solanaPlace })
export const solanaNfts = z.strictObject({ nfts: z.array(solanaNft), ...solanaPlace })
export const solanaPortfolio = z.strictObject({
  nativeBalance: lamports,
  tokens: z.array(solanaToken),
  nfts: z.array(solanaNft),
  ...solanaPlace,
})
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
