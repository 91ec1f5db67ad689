import { z } from 'zod'
import {
  abi,
  address,
  anyBlock,
  blockTag,
  callParams,
  date,
  hash,
  listOf,
  order,
  page,
  range,
  text,
  tokenId,
  topics,
} from './chainFields.ts'
import {
  addressRecord,
  answerOf,
  blockRecord,
  blockRef,
  chainRecord,
  collectionRecord,
  internalTransactionRecord,
  logRecord,
  nameRecord,
  nftHoldingRecord,
  nftRecord,
  pageOf,
  pairRecord,
  pictureRecord,
  portfolioRecord,
  priceRecord,
  tokenBalanceRecord,
  tokenRecord,
  transactionRecord,
  transferRecord,
  valueHistoryRecord,
} from './chainRecords.ts'
import type { EndpointContract } from './EndpointContract.ts'
import { fields, listOf as results, text as textOf, wireObject } from './fields.ts'
import { typed } from './typeNames.ts'

const onChain = z.object({
  chain: typed('string | number', textOf(100)).describe('Name, alias, decimal or hex id of a chain'),
})
const ofAddress = onChain.extend({ address })
const ofToken = onChain.extend({ token: address })
const ofNft = ofToken.extend({ id: tokenId })
const ofName = onChain.extend({ name: text })
const ofTransaction = onChain.extend({ hash })

const kinds = ['erc20', 'erc721', 'erc1155'] as const
const paged = z.object(page)
const orderedRange = z.object({ order, ...range, ...page })

/** Common part of every chain read. Null and empty text count as absent, because legacy clients send them. */
export const read = {
  method: 'GET',
  list: 'chain',
  textQuery: true,
  omitsEmpty: true,
  reasons: ['nodeUnavailable'],
} as const

/** Endpoints that read chains. */
export const chain = {
  listChains: {
    method: 'GET',
    path: '/chain',
    list: 'chain',
    summary: 'Chains of this server, with head and index.',
    output: results(chainRecord),
  },
  getChain: {
    ...read,
    path: '/chain/:chain',
    summary: 'A chain, with its head and the progress of its index.',
    params: onChain,
    output: chainRecord,
  },
  getBlock: {
    ...read,
    path: '/chain/:chain/blocks/:block',
    summary: 'A block with its transactions, by number, hash, `latest` or `finalized`.',
    params: onChain.extend({ block: anyBlock }),
    output: answerOf(blockRecord),
  },
  getBlockByDate: {
    ...read,
    path: '/chain/:chain/date/:date',
    summary: 'The newest block at or before a date.',
    params: onChain.extend({ date }),
    output: answerOf(blockRef),
  },
  getTransaction: {
    ...read,
    path: '/chain/:chain/transactions/:hash',
    summary: 'A transaction with its logs. Known calls and events are decoded.',
    params: ofTransaction,
    output: answerOf(transactionRecord),
  },
  listInternalTransactions: {
    ...read,
    path: '/chain/:chain/transactions/:hash/internal',
    summary: 'Internal calls of a transaction. Needs a node with traces.',
    params: ofTransaction,
    output: answerOf(z.array(internalTransactionRecord)),
  },
  getAddress: {
    ...read,
    path: '/chain/:chain/addresses/:address',
    summary: 'Balance, nonce, name and avatar of an address, and whether it is a contract.',
    params: ofAddress,
    output: answerOf(addressRecord),
  },
  getNativeBalance: {
    ...read,
    path: '/chain/:chain/addresses/:address/balance',
    summary: 'Native balance of an address, now or at a block.',
    params: ofAddress,
    input: z.object({ block: blockTag }),
    output: answerOf(z.strictObject({ balance: z.string(), decimals: z.number(), symbol: z.string() })),
  },
  listNativeBalances: {
    ...read,
    path: '/chain/:chain/balances',
    summary: 'Native balances of several addresses, all at one block.',
    params: onChain,
    input: z.object({ addresses: listOf(address), block: blockTag }),
    output: answerOf(z.array(z.strictObject({ address: z.string(), balance: z.string() }))),
  },
  listTokenBalances: {
    ...read,
    path: '/chain/:chain/addresses/:address/tokens',
    summary: 'ERC-20 balances of an address: of given tokens, or of all indexed ones.',
    params: ofAddress,
    input: z.object({ tokens: listOf(address).optional(), block: blockTag }),
    output: answerOf(z.array(tokenBalanceRecord)),
  },
  listNfts: {
    ...read,
    path: '/chain/:chain/addresses/:address/nfts',
    summary: 'NFTs of an address.',
    params: ofAddress,
    input: paged.extend({ tokens: listOf(address).optional() }),
    output: pageOf(nftHoldingRecord),
  },
  listTransfers: {
    ...read,
    path: '/chain/:chain/addresses/:address/transfers',
    summary: 'Token and NFT transfers from or to an address, newest first.',
    params: ofAddress,
    input: orderedRange.extend({
      kind: listOf(z.enum(kinds))
        .default([...kinds])
        .describe('erc20, erc721, erc1155'),
      direction: z.enum(['both', 'from', 'to']).default('both'),
      token: address.optional(),
    }),
    output: pageOf(transferRecord),
  },
  listTransactions: {
    ...read,
    path: '/chain/:chain/addresses/:address/transactions',
    summary: 'Transactions of an address, newest first.',
    params: ofAddress,
    input: z.object({ ...range, ...page }),
    output: pageOf(transactionRecord),
  },
  listCollections: {
    ...read,
    path: '/chain/:chain/addresses/:address/collections',
    summary: 'NFT contracts of which an address holds tokens.',
    params: ofAddress,
    input: paged,
    output: pageOf(collectionRecord),
  },
  getNameOf: {
    ...read,
    path: '/chain/:chain/addresses/:address/name',
    summary: 'Name and avatar of an address, if the name resolves back to it.',
    params: ofAddress,
    output: answerOf(nameRecord),
  },
  resolveName: {
    ...read,
    path: '/chain/:chain/names/:name',
    summary: 'Address of a name.',
    params: ofName,
    output: answerOf(z.strictObject({ name: z.string(), address: z.string() })),
  },
  getNamePicture: {
    ...read,
    path: '/chain/:chain/names/:name/picture',
    summary: 'Avatar of a name, fetched by the server.',
    params: ofName,
    output: answerOf(pictureRecord),
  },
  listTokens: {
    ...read,
    path: '/chain/:chain/tokens',
    summary: 'Name, symbol and decimals of tokens: by address from the chain, by symbol from those seen before.',
    params: onChain,
    input: z.object({ addresses: listOf(address).optional(), symbols: listOf(text).optional() }),
    output: answerOf(z.array(tokenRecord)),
  },
  getToken: {
    ...read,
    path: '/chain/:chain/tokens/:token',
    summary: 'Name, symbol and decimals of a token.',
    params: ofToken,
    output: answerOf(tokenRecord),
  },
  getTokenPrice: {
    ...read,
    path: '/chain/:chain/tokens/:token/price',
    summary: 'Price of a token in the deepest pool on the chain; 101 if there is none.',
    params: ofToken,
    input: z.object({ exchange: text.optional(), block: blockTag }),
    output: answerOf(priceRecord),
  },
  getAllowance: {
    ...read,
    path: '/chain/:chain/tokens/:token/allowance',
    summary: "Allowance of a spender for an owner's token.",
    params: ofToken,
    input: z.object({ owner: address, spender: address, block: blockTag }),
    output: answerOf(z.strictObject({ allowance: z.string() })),
  },
  listTokenTransfers: {
    ...read,
    path: '/chain/:chain/tokens/:token/transfers',
    summary: 'Transfers of an ERC-20 token, newest first.',
    params: ofToken,
    input: orderedRange,
    output: pageOf(transferRecord),
  },
  getCollection: {
    ...read,
    path: '/chain/:chain/nfts/:token',
    summary: 'Name, symbol and standard of an NFT contract.',
    params: ofToken,
    output: answerOf(collectionRecord),
  },
  listTokenIds: {
    ...read,
    path: '/chain/:chain/nfts/:token/ids',
    summary: 'Token ids of an NFT contract that have a holder.',
    params: ofToken,
    input: paged,
    output: pageOf(nftRecord.extend({ amount: z.string() })),
  },
  listNftOwners: {
    ...read,
    path: '/chain/:chain/nfts/:token/owners',
    summary: "Holders of a contract's NFTs.",
    params: ofToken,
    input: paged,
    output: pageOf(nftHoldingRecord),
  },
  listNftTransfers: {
    ...read,
    path: '/chain/:chain/nfts/:token/transfers',
    summary: "Transfers of a contract's NFTs, newest first.",
    params: ofToken,
    input: orderedRange,
    output: pageOf(transferRecord),
  },
  getNft: {
    ...read,
    path: '/chain/:chain/nfts/:token/:id',
    summary: 'An NFT, read from its contract: owner (ERC-721) and metadata URI.',
    params: ofNft,
    output: answerOf(nftRecord.extend({ owner: z.string().optional() })),
  },
  getNftPicture: {
    ...read,
    path: '/chain/:chain/nfts/:token/:id/picture',
    summary: 'Image of an NFT with known metadata, fetched by the server.',
    params: ofNft,
    output: answerOf(pictureRecord),
  },
  listNftOwnersOfId: {
    ...read,
    path: '/chain/:chain/nfts/:token/:id/owners',
    summary: 'Holders of an NFT.',
    params: ofNft,
    input: paged,
    output: pageOf(nftHoldingRecord),
  },
  listNftTransfersOfId: {
    ...read,
    path: '/chain/:chain/nfts/:token/:id/transfers',
    summary: 'Transfers of an NFT, newest first.',
    params: ofNft,
    input: orderedRange,
    output: pageOf(transferRecord),
  },
  listLogs: {
    ...read,
    path: '/chain/:chain/logs',
    summary: 'Logs by contract and topics, read from the node.',
    params: onChain,
    input: orderedRange.extend({ address: address.optional(), topics: topics.optional() }),
    output: pageOf(logRecord),
  },
  getPair: {
    ...read,
    path: '/chain/:chain/pairs',
    summary: 'Pool of two tokens at an exchange, with its reserves.',
    params: onChain,
    input: z.object({ tokenA: address, tokenB: address, exchange: text, block: blockTag }),
    output: answerOf(pairRecord),
  },
  callContract: {
    ...read,
    method: 'POST',
    path: '/chain/:chain/call',
    summary: 'Call a contract function without a transaction.',
    params: onChain,
    input: z.object({
      address,
      abi,
      function: text.describe('Its name, or its signature if several functions share the name'),
      params: callParams,
      from: address.optional(),
      block: blockTag,
    }),
    output: answerOf(z.unknown()),
  },
  followTransaction: {
    method: 'POST',
    path: '/chain/:chain/transactions/:hash/follow',
    access: 'user',
    list: 'chain',
    summary: 'Follow a transaction of the user. Its state is written to a document.',
    params: ofTransaction,
    input: z.object({ data: wireObject.optional().describe('Custom fields to store with it') }),
    output: fields,
  },
  listEvents: {
    ...read,
    method: 'POST',
    path: '/chain/:chain/events',
    summary: 'Events of a contract, decoded by its ABI.',
    params: onChain,
    input: orderedRange.extend({ address, abi, event: text.optional() }),
    output: pageOf(logRecord),
  },
  getValueHistory: {
    ...read,
    path: '/chain/:chain/addresses/:address/value',
    summary: 'Value history of an address: balances and pool prices at about 24 blocks. Needs an archive node.',
    params: ofAddress,
    input: z.object({
      days: z.coerce
        .number({ error: 'must be a number' })
        .min(1)
        .max(365)
        .default(30)
        .describe('Number of days; 30 by default'),
    }),
    output: answerOf(valueHistoryRecord),
  },
  getPortfolio: {
    ...read,
    path: '/portfolio/:address',
    summary: 'Assets of an address by chain: native currency, tokens with known prices, NFTs.',
    params: z.object({ address }),
    input: z.object({
      chains: listOf(text)
        .optional()
        .describe('Names or ids of chains; by default all chains with nodes of the operator'),
    }),
    output: portfolioRecord,
  },
} as const satisfies Record<string, EndpointContract>
