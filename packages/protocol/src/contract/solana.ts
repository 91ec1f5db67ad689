import { z } from 'zod'
import { read } from './chain.ts'
import { solanaBalance, solanaMint, solanaNfts, solanaPortfolio, solanaTokens } from './chainRecords.ts'
import type { EndpointContract } from './EndpointContract.ts'

const onSolana = z.object({
  network: z.enum(['mainnet', 'devnet']),
  address: z
    .string()
    .regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/, 'must be a Solana address: 32 bytes in base58')
    .describe('32 bytes in base58'),
})

/** Endpoints that read Solana. */
export const solana = {
  getSolanaBalance: {
    ...read,
    list: 'operator',
    path: '/solana/:network/addresses/:address/balance',
    scope: 'chain:read',
    summary: 'SOL balance of a Solana address.',
    params: onSolana,
    output: solanaBalance,
  },
  listSolanaTokens: {
    ...read,
    list: 'operator',
    path: '/solana/:network/addresses/:address/tokens',
    scope: 'chain:read',
    summary: 'Token balances of a Solana address.',
    params: onSolana,
    output: solanaTokens,
  },
  listSolanaNfts: {
    ...read,
    list: 'operator',
    path: '/solana/:network/addresses/:address/nfts',
    scope: 'chain:read',
    summary: 'NFTs of a Solana address.',
    params: onSolana,
    output: solanaNfts,
  },
  getSolanaPortfolio: {
    ...read,
    path: '/solana/:network/addresses/:address/portfolio',
    scope: 'chain:read',
    summary: 'SOL, tokens and NFTs of a Solana address.',
    params: onSolana,
    output: solanaPortfolio,
  },
  getSolanaNft: {
    ...read,
    list: 'operator',
    path: '/solana/:network/nfts/:address',
    scope: 'chain:read',
    summary: 'Metadata of a mint (Metaplex, Token-2022).',
    params: onSolana,
    output: solanaMint,
  },
  getSolanaTokenPrice: {
    ...read,
    list: 'operator',
    path: '/solana/:network/tokens/:address/price',
    scope: 'chain:read',
    summary: 'Not available: prices on Solana need data from outside the chain.',
    params: onSolana,
    output: z.strictObject({}),
  },
} as const satisfies Record<string, EndpointContract>
