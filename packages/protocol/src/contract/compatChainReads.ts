import { z } from 'zod'
import * as chainFields from './chainFields.ts'
import {
  blockOfDate,
  compatBlock,
  compatCollection,
  compatLog,
  compatNftHolding,
  compatNftId,
  compatNftTransfer,
  compatPageOf,
  compatPrice,
  compatToken,
  compatTokenBalance,
  compatTransaction,
  contractEvent,
  erc20Transfer,
  fullTransaction,
  internalTransaction,
  nativeBalances,
  resultOf,
  singleNft,
  syncedPageOf,
  verboseTransaction,
  walletTransfer,
} from './compatRecords.ts'
import { defineCompatFunction } from './defineCompatFunction.ts'
import { text as textOf } from './fields.ts'

const { abi, address, anyBlock, blockNumber, blockTag, callParams, date, flag, hash, listOf, order, text, tokenId } =
  chainFields

/** Parameters that travelled in the body of a request to the older API; all others were part of its address. */
const bodyNames = new Set(['abi', 'params', 'tokens', 'contracts', 'data', 'addresses', 'symbols', 'wallet_addresses'])

/** A function of the data API for EVM chains. Errors for missing input have the older API's sentences. */
const read = <const Name extends string, Shape extends z.ZodRawShape, Result extends z.ZodType>(
  name: Name,
  { summary, input, result }: { summary: string; input: Shape; result: Result },
) =>
  defineCompatFunction(name, {
    summary,
    input: z.object({ chain, ...input }),
    output: resultOf(result),
    omitsEmpty: true,
    missing: describeMissing,
    reasons: ['nodeUnavailable'],
  })

export const describeMissing = (field: string) =>
  bodyNames.has(field) ? `param ${field} is required!` : `required param ${field} not provided`

const chain = z
  .union([textOf(100), z.int().min(0)], { error: 'must be the name or id of a chain' })
  .default('eth')
  .describe('Name, alias, decimal or hex id of a chain')

/** The client adds the address of its user; others that call the function may leave it out too. */
const ownAddress = address.optional().describe("An address; the caller's own by default")

const range = {
  from_block: blockNumber.optional(),
  to_block: blockNumber.optional(),
  from_date: date.optional(),
  to_date: date.optional(),
}
const page = { ...chainFields.page, disable_total: flag.default(false) }
const format = z.enum(['decimal', 'hex']).default('decimal').describe('Format of token IDs')
const nft = { format, normalizeMetadata: flag.default(false), media_items: flag.default(false) }
const include = z.enum(['internal_transactions']).optional()
const topics = { topic0: hash.optional(), topic1: hash.optional(), topic2: hash.optional(), topic3: hash.optional() }
const wallets = {
  contract_addresses: listOf(address).optional(),
  exclude_contracts: listOf(address).optional(),
  wallet_addresses: listOf(address).optional(),
  exclude_wallets: listOf(address).optional(),
  ...range,
  ...page,
}
const at = { to_block: blockTag, to_date: date.optional() }
const walletTransfers = z.strictObject({ cursor: z.string(), result: z.array(walletTransfer) })
const transactions = compatPageOf(compatTransaction)

const native = {
  getBlock: read('getBlock', {
    summary: 'A block with its transactions and logs.',
    input: { block_number_or_hash: anyBlock, include },
    result: compatBlock,
  }),
  getDateToBlock: read('getDateToBlock', {
    summary: 'The newest block at or before a date.',
    input: { date },
    result: blockOfDate,
  }),
  getLogsByAddress: read('getLogsByAddress', {
    summary: 'Logs of a contract, newest first.',
    input: { address: ownAddress, block_number: blockNumber.optional(), ...topics, ...range, ...page },
    result: compatPageOf(compatLog),
  }),
  getInternalTransactions: read('getInternalTransactions', {
    summary: 'Internal calls of a transaction. Needs a node with traces.',
    input: { transaction_hash: hash },
    result: z.array(internalTransaction),
  }),
  getTransaction: read('getTransaction', {
    summary: 'A transaction with its logs.',
    input: { transaction_hash: hash, include },
    result: fullTransaction,
  }),
  getTransactionVerbose: read('getTransactionVerbose', {
    summary: 'A transaction with its logs. Known calls and events are decoded.',
    input: { transaction_hash: hash, include },
    result: verboseTransaction,
  }),
  getContractEvents: read('getContractEvents', {
    summary: 'Events of a contract, decoded by its ABI.',
    input: { address: ownAddress, topic: text, abi, ...range, ...page },
    result: compatPageOf(contractEvent),
  }),
  runContractFunction: read('runContractFunction', {
    summary: 'Call a contract function without a transaction.',
    input: { address: ownAddress, function_name: text, abi, params: callParams },
    result: z.unknown(),
  }),
}

const account = {
  getTransactions: read('getTransactions', {
    summary: 'Transactions of an address, newest first.',
    input: { address: ownAddress, ...range, ...page },
    // A plain list for a helper of the same name that is older than the data API.
    result: z.union([transactions, z.array(compatTransaction)]),
  }),
  getTransactionsVerbose: read('getTransactionsVerbose', {
    summary: 'Transactions of an address with decoded logs, calls and events; at most 100 per request.',
    input: { address: ownAddress, ...range, ...page },
    result: compatPageOf(verboseTransaction),
  }),
  getNativeBalance: read('getNativeBalance', {
    summary: 'Native balance of an address.',
    input: { address: ownAddress, to_block: blockTag },
    result: z.strictObject({ balance: z.string() }),
  }),
  getNativeBalancesForAddresses: read('getNativeBalancesForAddresses', {
    summary: 'Native balances of several addresses, all at one block.',
    input: { wallet_addresses: listOf(address), to_block: blockTag },
    result: z.array(nativeBalances),
  }),
  getTokenBalances: read('getTokenBalances', {
    summary: 'ERC-20 balances of an address: of given tokens, or of all indexed ones.',
    input: { address: ownAddress, token_addresses: listOf(address).optional(), to_block: blockTag },
    result: z.array(compatTokenBalance),
  }),
  getTokenTransfers: read('getTokenTransfers', {
    summary: 'ERC-20 transfers from or to an address, newest first.',
    input: { address: ownAddress, ...range, ...page },
    result: compatPageOf(erc20Transfer),
  }),
  getNFTs: read('getNFTs', {
    summary: 'NFTs of an address.',
    input: { address: ownAddress, token_addresses: listOf(address).optional(), ...nft, ...page },
    result: syncedPageOf(compatNftHolding),
  }),
  getNFTTransfers: read('getNFTTransfers', {
    summary: 'NFT transfers from or to an address, newest first.',
    input: {
      address: ownAddress,
      format,
      direction: z.enum(['both', 'to', 'from']).default('both'),
      ...range,
      ...page,
    },
    result: compatPageOf(compatNftTransfer),
  }),
  getWalletNFTCollections: read('getWalletNFTCollections', {
    summary: 'NFT contracts of which an address holds tokens.',
    input: { address: ownAddress, ...page },
    result: syncedPageOf(compatCollection),
  }),
  getNFTsForContract: read('getNFTsForContract', {
    summary: 'NFTs of a contract that an address holds.',
    input: { address: ownAddress, token_address: address, ...nft, ...page },
    result: syncedPageOf(compatNftHolding),
  }),
}

const tokens = {
  getTokenMetadata: read('getTokenMetadata', {
    summary: 'Name, symbol and decimals of tokens.',
    input: { addresses: listOf(address) },
    result: z.array(compatToken),
  }),
  getTokenMetadataBySymbol: read('getTokenMetadataBySymbol', {
    summary: 'Tokens by symbol, among those this server has seen. Symbols are not unique.',
    input: { symbols: listOf(text) },
    result: z.array(compatToken),
  }),
  getTokenPrice: read('getTokenPrice', {
    summary: 'Price of a token in the deepest pool on the chain.',
    input: { address: ownAddress, exchange: text.optional(), to_block: blockTag },
    result: compatPrice,
  }),
  getMultipleTokenPrices: read('getMultipleTokenPrices', {
    summary: 'Prices of several tokens. Tokens without a pool are left out.',
    input: {
      tokens: z
        .array(z.object({ token_address: address, exchange: text.optional(), to_block: blockTag }))
        .min(1)
        .max(100),
    },
    result: z.array(compatPrice),
  }),
  getTokenAddressTransfers: read('getTokenAddressTransfers', {
    summary: 'Transfers of an ERC-20 token, newest first.',
    input: { address: ownAddress, ...range, ...page },
    result: compatPageOf(erc20Transfer),
  }),
  getTokenAllowance: read('getTokenAllowance', {
    summary: "Allowance of a spender for an owner's token.",
    input: { address: ownAddress, owner_address: address, spender_address: address },
    result: z.strictObject({ allowance: z.string() }),
  }),
  getErc20Transfers: read('getErc20Transfers', {
    summary: 'ERC-20 transfers, newest first, read from the node.',
    input: wallets,
    result: walletTransfers,
  }),
  getErc20Mints: read('getErc20Mints', {
    summary: 'Mints of ERC-20 tokens, newest first, read from the node.',
    input: wallets,
    result: walletTransfers,
  }),
  getErc20Burns: read('getErc20Burns', {
    summary: 'Burns of ERC-20 tokens, newest first, read from the node.',
    input: wallets,
    result: walletTransfers,
  }),
  getErc20Approvals: read('getErc20Approvals', {
    summary: 'Approvals of ERC-20 tokens, newest first, read from the node.',
    input: wallets,
    result: walletTransfers,
  }),
}

const nfts = {
  getNFTTransfersByBlock: read('getNFTTransfersByBlock', {
    summary: 'NFT transfers in a block.',
    input: { block_number_or_hash: anyBlock, ...page },
    result: compatPageOf(compatNftTransfer).extend({ block_exists: z.boolean(), index_complete: z.boolean() }),
  }),
  getNFTTransfersFromToBlock: read('getNFTTransfersFromToBlock', {
    summary: 'NFT transfers in a range of blocks, newest first, read from the node.',
    input: { format, ...range, ...page },
    result: compatPageOf(compatNftTransfer),
  }),
  getAllTokenIds: read('getAllTokenIds', {
    summary: 'Token ids of an NFT contract that have a holder.',
    input: { address: ownAddress, ...nft, ...page },
    result: syncedPageOf(compatNftId),
  }),
  getMultipleNFTs: read('getMultipleNFTs', {
    summary: 'Several NFTs, read from their contracts. Those that do not exist are left out.',
    input: {
      tokens: z
        .array(z.object({ token_address: address, token_id: tokenId }))
        .min(1)
        .max(25),
      ...nft,
    },
    result: z.array(singleNft),
  }),
  getContractNFTTransfers: read('getContractNFTTransfers', {
    summary: "Transfers of a contract's NFTs, newest first.",
    input: { address: ownAddress, format, ...range, ...page },
    result: compatPageOf(compatNftTransfer),
  }),
  getNFTOwners: read('getNFTOwners', {
    summary: "Holders of a contract's NFTs.",
    input: { address: ownAddress, ...nft, ...page },
    result: syncedPageOf(compatNftHolding),
  }),
  getNFTMetadata: read('getNFTMetadata', {
    summary: 'Name, symbol and standard of an NFT contract.',
    input: { address: ownAddress },
    result: compatCollection.extend({ synced_at: z.null() }),
  }),
  reSyncMetadata: read('reSyncMetadata', {
    summary: 'Fetch the metadata of an NFT again.',
    input: {
      address: ownAddress,
      token_id: tokenId,
      flag: z.enum(['uri', 'metadata']).default('uri'),
      mode: z.enum(['async', 'sync']).default('async'),
    },
    result: z.strictObject({ status: z.enum(['in-progress', 'completed']) }),
  }),
  syncNFTContract: read('syncNFTContract', {
    summary: 'Returns whether a contract is indexed.',
    input: { address: ownAddress },
    result: z.strictObject({}),
  }),
  getTokenIdMetadata: read('getTokenIdMetadata', {
    summary: 'An NFT, read from its contract.',
    input: { address: ownAddress, token_id: tokenId, ...nft },
    result: singleNft,
  }),
  getTokenIdOwners: read('getTokenIdOwners', {
    summary: 'Holders of an NFT.',
    input: { address: ownAddress, token_id: tokenId, ...nft, ...page },
    result: syncedPageOf(compatNftHolding),
  }),
  getWalletTokenIdTransfers: read('getWalletTokenIdTransfers', {
    summary: 'Transfers of an NFT, newest first.',
    input: { address: ownAddress, token_id: tokenId, format, order, ...page },
    result: compatPageOf(compatNftTransfer),
  }),
}

const resolve = {
  summary: 'Address of a name.',
  input: { domain: text, currency: text.optional() },
  result: z.strictObject({ address: z.string() }),
}

const others = {
  resolveDomain: read('resolveDomain', resolve),
  resolveENSDomain: read('resolveENSDomain', resolve),
  resolveAddress: read('resolveAddress', {
    summary: 'Name of an address, if the name resolves back to it.',
    input: { address: ownAddress },
    result: z.strictObject({ name: z.string() }),
  }),
  getPairReserves: read('getPairReserves', {
    summary: 'Reserves of a Uniswap v2 pool.',
    input: { pair_address: address, ...at },
    result: z.strictObject({ reserve0: z.string(), reserve1: z.string() }),
  }),
  getPairAddress: read('getPairAddress', {
    summary: 'Pool of two tokens at an exchange.',
    input: { token0_address: address, token1_address: address, exchange: text, ...at },
    result: z.strictObject({ token0: compatToken, token1: compatToken, pairAddress: z.string() }),
  }),
}

/** The functions of the older data API that read an EVM chain. */
export const chainReadFunctions = { ...native, ...account, ...tokens, ...nfts, ...others }
