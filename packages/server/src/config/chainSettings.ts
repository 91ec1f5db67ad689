import { z } from 'zod'
import { eventSchema } from './eventSettings.ts'

const webUrl = z.url({ protocol: /^https?$/, error: 'must be a full http:// or https:// address' })
const flag = z.union([z.boolean(), z.enum(['true', 'false', 'on', 'off', '1', '0'])]).transform((value) => {
  return typeof value === 'boolean' ? value : value === 'true' || value === 'on' || value === '1'
})

const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, 'must be an address: 0x and 40 hex digits')
  .transform((text) => text.toLowerCase())

const exchange = z.strictObject({
  /** Name in responses, also used to select the exchange: `uniswapv2`. */
  name: z.string().min(1).max(60),
  factory: address,
})

/** Contracts that the server itself reads. Well-known chains have theirs; what stands here takes their place. */
const contracts = z.strictObject({
  multicall: address.or(z.literal(false)).optional(),
  ensRegistry: address.optional(),
  /** Factories in the shape of Uniswap v2 and v3. */
  v2: z.array(exchange).optional(),
  v3: z.array(exchange).optional(),
  /** The native currency as a token. */
  wrapped: address.optional(),
  /** Tokens that are worth a dollar; the first that has a pool is what prices in dollars are taken from. */
  stablecoins: z.array(address).optional(),
})

/** Index of a chain, for requests that a node alone cannot serve. */
const index = z.strictObject({
  /**
   * `off`; `users`: transfers of linked wallets and of `addresses`; `contracts`: those of `contracts`, besides `users`;
   * `all`: every transfer of the chain.
   */
  mode: z.enum(['off', 'users', 'contracts', 'all']).default('users'),
  contracts: z.array(address).default([]),
  /** Addresses that are followed besides those of users. */
  addresses: z.array(address).default([]),
  /** The first block that is read, for contracts and addresses alike; that of the chain unless set. */
  startBlock: z.number().int().min(0).optional(),
  /** Also stores transactions of the addresses. Reads whole blocks. */
  transactions: flag.default(false),
  /** Blocks that one question for logs may span at most; the server finds out what the node allows. */
  maxRange: z.number().int().min(1).default(10_000),
  /** Questions for logs that are under way at once. */
  concurrency: z.number().int().min(1).max(32).default(3),
  /** Milliseconds between looks at the head. */
  pollInterval: z.number().int().min(50).max(600_000).default(4_000),
})

export const chainSchema = z.strictObject({
  id: z.number().int().positive(),
  name: z.string().min(1).max(60).optional(),
  /** Further names by which the chain is asked for. */
  aliases: z.array(z.string().min(1).max(60)).default([]),
  /** Nodes of the chain, asked in this order. */
  rpcUrls: z.array(webUrl).default([]),
  /** How many nodes must agree on a contract account's signature. */
  quorum: z.number().int().min(1).default(1),
  /** URL of a block explorer; /tx/…, /address/… and /block/… are appended. */
  explorer: webUrl.optional(),
  nativeCurrency: z
    .strictObject({
      name: z.string().min(1),
      symbol: z.string().min(1),
      decimals: z.number().int().min(0).max(36).default(18),
    })
    .optional(),
  contracts: contracts.prefault({}),
  /** Blocks below the head that are final. Unless set, the node is asked for its `finalized` block. */
  finality: z.number().int().min(0).optional(),
  /** Time (ms) for a node to respond. */
  timeout: z.number().int().min(50).max(600_000).default(10_000),
  /** Maximum calls per second to a node; reduced if it reports too many. */
  requestsPerSecond: z.number().positive().max(100_000).default(500),
  /** Questions that go to a node in one request. */
  batchSize: z.number().int().min(1).max(1_000).default(50),
  /** Milliseconds after which the head is asked for again. */
  headCacheTtl: z.number().int().min(0).max(600_000).default(1_000),
  /** Index of the chain. Nothing is stored without it. */
  index: index.optional(),
  /** Events of contracts that become objects of classes. */
  events: z.array(eventSchema).max(1_000).default([]),
})

export type ChainSettings = z.output<typeof chainSchema>
export type IndexSettings = z.output<typeof index>

/** Of a chain that is followed for its events alone. */
export const indexOff: IndexSettings = index.parse({ mode: 'off' })

/** The part of the indexer that is the same for every chain. */
export const indexerSchema = z.strictObject({
  /** Indexes chains on this server. If off, it still reads the index of the other servers. */
  enabled: flag.default(true),
  /** The class that holds transfers. */
  transferClass: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9_]{0,62}$/, 'must be the name of a class')
    .default('Transfer'),
  /** Class for the state of transactions that users sent. */
  sentClass: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9_]{0,62}$/, 'must be the name of a class')
    .default('SentTransaction'),
  /** Transactions of one user that are followed at a time. */
  sentPerUser: z.number().int().min(1).max(10_000).default(50),
  /**
   * Serves `EthTransactions` and the other legacy classes from the index: `own` shows each user the rows of linked
   * wallets, `public` shows everything to everyone.
   */
  olderClasses: z.enum(['off', 'own', 'public']).default('off'),
})

/** Reads of chains cost the operator's nodes work: whose they may be, and how many. */
export const chainApiSchema = z.strictObject({
  access: z.enum(['anyone', 'signedIn', 'master']).default('anyone'),
  /**
   * Reads that one address may make in a minute; searches of logs and portfolios count for ten, and each call to a node
   * beyond that for one more. 0 for no limit.
   */
  requestsPerMinute: z.number().int().min(0).default(600),
})
