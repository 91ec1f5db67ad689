import { z } from 'zod'
import { longest } from '../limits.ts'
import { address } from './chainFields.ts'
import { solanaBalance, solanaMint, solanaNfts, solanaPortfolio, solanaTokens } from './chainRecords.ts'
import { chainReadFunctions } from './compatChainReads.ts'
import { resultOf } from './compatRecords.ts'
import { defineCompatFunction } from './defineCompatFunction.ts'
import type { EndpointContract } from './EndpointContract.ts'
import { openObject, text as textOf } from './fields.ts'
import { signInMethods } from './signInMethods.ts'

const filePath = textOf(250)
  .min(1)
  .refine(
    (path) =>
      path.split('/').every((part) => part !== '' && part !== '.' && part !== '..') && !/[\p{Cc}\\]/u.test(path),
    'must be the path of a file within the folder, such as images/1.png',
  )

/** More than the largest request: its size is limited by the setting `jsonLimit`. */
const longestContent = 64 * 1024 * 1024

const folder = z
  .array(
    z.object({
      path: filePath,
      content: z.union([textOf(longestContent), z.looseObject({}), z.array(z.unknown()).max(50_000)], {
        error: 'must be a text or JSON',
      }),
    }),
  )
  .min(1)
  .max(1_000)
  .optional()

/** Function that needs data from outside of chains. */
const unavailable = <const Name extends string>(name: Name, need: string) =>
  defineCompatFunction(name, {
    summary: `Not available here: needs ${need}.`,
    input: openObject({}),
    output: resultOf(z.never()),
    reasons: ['commandUnavailable'],
  })

/** Functions that need data from outside of chains. */
export const unavailableFunctions = {
  getNFTTrades: unavailable('getNFTTrades', 'marketplace orders'),
  getNFTLowestPrice: unavailable('getNFTLowestPrice', 'marketplace orders'),
  searchNFTs: unavailable('searchNFTs', 'an index of all NFT metadata'),
  getTopERC20TokensByMarketCap: unavailable('getTopERC20TokensByMarketCap', 'market data'),
  getTopERC20TokensByPriceMovers: unavailable('getTopERC20TokensByPriceMovers', 'market data'),
  getTopNFTCollectionsByMarketCap: unavailable('getTopNFTCollectionsByMarketCap', 'market data'),
  getHottestNFTCollectionsByTradingVolume: unavailable('getHottestNFTCollectionsByTradingVolume', 'market data'),
  reviewContracts: unavailable('reviewContracts', 'people who review reports'),
}

const onSolana = z.object({
  network: textOf(20).nullish().describe('mainnet (default) or devnet'),
  address: textOf(longest.address).nullish().describe("32 bytes in base58; the caller's own by default"),
})

/** A function of the data API for Solana. */
const readSolana = <const Name extends string, Result extends z.ZodType>(name: Name, summary: string, result: Result) =>
  defineCompatFunction(name, { summary, input: onSolana, output: resultOf(result), reasons: ['nodeUnavailable'] })

const place = { slot: true, source: true } as const

export const solanaFunctions = {
  'sol-balance': readSolana('sol-balance', 'SOL balance of a Solana address.', solanaBalance.omit(place)),
  'sol-getSPL': readSolana('sol-getSPL', 'Token balances of a Solana address.', solanaTokens.shape.tokens),
  'sol-getNFTs': readSolana('sol-getNFTs', 'NFTs of a Solana address.', solanaNfts.shape.nfts),
  'sol-getPortfolio': readSolana(
    'sol-getPortfolio',
    'SOL, tokens and NFTs of a Solana address.',
    solanaPortfolio.omit(place),
  ),
  'sol-getNFTMetadata': readSolana('sol-getNFTMetadata', 'Metadata of a mint (Metaplex, Token-2022).', solanaMint),
  'sol-getTokenPrice': readSolana(
    'sol-getTokenPrice',
    'Not available: prices on Solana need data from outside the chain.',
    z.never(),
  ),
}

const { address: signerAddress, chainId, purpose } = signInMethods.createChallenge.input.shape

/** Follows an address as if a user had linked it. */
const watchAddress = <const Name extends string>(name: Name) =>
  defineCompatFunction(name, {
    summary: 'Index the transfers of an address, as for a wallet of a user.',
    access: 'master',
    input: z.object({
      address,
      chainId: z
        .union([textOf(100), z.int().min(0)])
        .optional()
        .describe('Name, alias, decimal or hex id of a chain'),
      sync_historical: z.boolean().optional().describe('Ignored: old transfers are always read'),
    }),
    output: resultOf(z.strictObject({ success: z.literal(true) })),
  })

/** Every function that older clients call on their own, by its name. An application may define its own instead. */
export const compatFunctions = {
  ...chainReadFunctions,
  ...unavailableFunctions,
  ...solanaFunctions,
  uploadFolder: defineCompatFunction('uploadFolder', {
    summary: 'Save files to IPFS as one folder.',
    // The documents of the client call it `abi`, its code `data`.
    input: z.object({ abi: folder, data: folder }),
    output: resultOf(z.array(z.strictObject({ path: z.string() }))),
    omitsEmpty: true,
  }),
  web3ApiVersion: defineCompatFunction('web3ApiVersion', {
    summary: 'The version of this server.',
    output: resultOf(z.strictObject({ version: z.string() })),
  }),
  endpointWeights: defineCompatFunction('endpointWeights', {
    summary: 'Weight of each function in the rate limit.',
    output: resultOf(
      z.array(
        z.strictObject({ endpoint: z.string(), path: z.string(), rateLimitWeight: z.string(), price: z.string() }),
      ),
    ),
  }),
  watchContractEvent: defineCompatFunction('watchContractEvent', {
    summary: 'Store a contract event as objects of a class, with legacy fields.',
    access: 'master',
    input: z.object({
      chainId: z.union([textOf(100), z.int().min(0)]).describe('Name, alias, decimal or hex id of a chain'),
      address: textOf(100).describe('The contract'),
      topic: textOf(2_000).optional().describe('Signature of the event; same as in the ABI'),
      abi: z.union([textOf(1_000_000), openObject({}), z.array(openObject({})).max(2_000)]).describe('The event'),
      tableName: textOf(63).describe('The class'),
      sync_historical: z.boolean().optional().describe('Set to read old logs too'),
    }),
    output: resultOf(z.strictObject({ success: z.literal(true) })),
  }),
  watchEthAddress: watchAddress('watchEthAddress'),
  watchBscAddress: watchAddress('watchBscAddress'),
  watchPolygonAddress: watchAddress('watchPolygonAddress'),
  getPluginSpecs: defineCompatFunction('getPluginSpecs', {
    summary: 'Empty list of plugins, for legacy clients.',
    output: resultOf(z.array(z.never())),
  }),
  getServerTime: defineCompatFunction('getServerTime', {
    summary: 'The time, with a nonce for one sign-in of this installation.',
    output: resultOf(z.strictObject({ dateTime: z.string() }).nullable()),
    reasons: ['olderSignInDisabled'],
  }),
  requestMessage: defineCompatFunction('requestMessage', {
    summary: 'Message (EIP-4361) for a wallet to sign, for legacy clients.',
    input: z.object({
      address: signerAddress.unwrap().unwrap(),
      chain: chainId.describe('The chain id of an EVM chain'),
      network: textOf(60).nullish().describe('The Solana network'),
      networkType: z.enum(['evm', 'solana']).optional(),
      purpose,
    }),
    output: resultOf(z.strictObject({ message: z.string() })),
  }),
} as const satisfies Record<string, EndpointContract>

export type CompatFunctions = typeof compatFunctions
