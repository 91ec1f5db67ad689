import { z } from 'zod'

const webUrl = z.url({ protocol: /^https?$/, error: 'must be a full http:// or https:// address' })

const network = z.strictObject({
  /** Nodes of the network, asked in this order. */
  rpcUrls: z.array(webUrl).default([]),
  /** Time (ms) for a node to respond. */
  timeout: z.number().int().min(50).max(600_000).default(10_000),
  /** Maximum calls per second to a node; reduced if it reports too many. */
  requestsPerSecond: z.number().positive().max(100_000).default(40),
  /** Cache lifetime (ms) of a response. */
  cacheTtl: z.number().int().min(0).max(600_000).default(2_000),
})

/** Networks of Solana that are read. */
export const solanaSchema = z.strictObject({
  mainnet: network.prefault({}),
  devnet: network.prefault({}),
})

export type SolanaSettings = z.output<typeof network>
