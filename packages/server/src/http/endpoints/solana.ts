import { CountersignError, type EndpointTypes } from '@countersign/protocol'
import { contract } from '@countersign/protocol/contract'
import { z } from 'zod'
import { getSolana } from '../../chain/solana/getSolana.ts'
import { getSolanaBalance } from '../../chain/solana/getSolanaBalance.ts'
import { getSolanaNft } from '../../chain/solana/getSolanaNft.ts'
import { getSolanaPortfolio } from '../../chain/solana/getSolanaPortfolio.ts'
import { readSolanaAddress } from '../../chain/solana/readSolanaAddress.ts'
import type { Place, SolanaNetwork } from '../../chain/solana/Solana.ts'
import type { Context } from '../../context/Context.ts'
import { checkChainAccess } from '../chain/checkChainAccess.ts'
import {
  describeLamports,
  describeSolanaMint,
  describeSolanaNft,
  describeSolanaToken,
} from '../chain/describeSolana.ts'
import { defineBuiltIn } from '../defineBuiltIn.ts'
import { defineEndpoint, type Endpoint } from '../Endpoint.ts'

/** What was read, and what it holds for. */
type Read = { value: object; place?: Place }
type Reader = (network: SolanaNetwork, address: string, context: Context) => Promise<Read>

const readBalance: Reader = async (network, address) => {
  const { lamports, place } = await getSolanaBalance(network, address)
  return { value: describeLamports(lamports), place }
}

const readTokens: Reader = async (network, address) => {
  const { tokens, place } = await getSolanaPortfolio(network, address)
  return { value: tokens.map(describeSolanaToken), place }
}

const readNfts: Reader = async (network, address) => {
  const { nfts, place } = await getSolanaPortfolio(network, address)
  return { value: nfts.map(describeSolanaNft), place }
}

const readPortfolio: Reader = async (network, address) => {
  const [balance, { nfts, tokens, place }] = await Promise.all([
    getSolanaBalance(network, address),
    getSolanaPortfolio(network, address),
  ])
  const value = {
    nativeBalance: describeLamports(balance.lamports),
    nfts: nfts.map(describeSolanaNft),
    tokens: tokens.map(describeSolanaToken),
  }
  return { value, place: { ...place, slot: Math.min(place.slot, balance.place.slot) } }
}

const readNft: Reader = async (network, mint) => {
  const { details, isMasterEdition } = await getSolanaNft(network, mint)
  return { value: describeSolanaMint(mint, details, isMasterEdition) }
}

const readPrice: Reader = async () => {
  throw new CountersignError(
    'CommandUnavailable',
    'Prices on Solana are not available here: they need data from outside the chain that this server does not have.',
  )
}

type Definition = {
  name:
    | 'getSolanaBalance'
    | 'listSolanaTokens'
    | 'listSolanaNfts'
    | 'getSolanaPortfolio'
    | 'getSolanaNft'
    | 'getSolanaTokenPrice'
  older: string
  read: Reader
  cost?: number
  /** The name of a list in an answer of REST. */
  list?: string
}

const definitions: Definition[] = [
  { name: 'getSolanaBalance', older: 'balance', read: readBalance },
  { name: 'listSolanaTokens', older: 'getSPL', read: readTokens, cost: 10, list: 'tokens' },
  { name: 'listSolanaNfts', older: 'getNFTs', read: readNfts, cost: 10, list: 'nfts' },
  { name: 'getSolanaPortfolio', older: 'getPortfolio', read: readPortfolio, cost: 10 },
  { name: 'getSolanaNft', older: 'getNFTMetadata', read: readNft },
  { name: 'getSolanaTokenPrice', older: 'getTokenPrice', read: readPrice },
]

const address = z.string().describe('32 bytes in base58')
const network = z.enum(['mainnet', 'devnet'])

const rest = ({ name, read, cost, list }: Definition): Endpoint =>
  defineEndpoint(name, {
    admit: (context, caller) => checkChainAccess(context, caller, cost),
    async handle({ context, params }) {
      const wanted = readSolanaAddress(params.address)
      const { value, place } = await read(getSolana(context, params.network), wanted, context)
      return { ...(list ? { [list]: value } : value), ...place } as EndpointTypes[Definition['name']]['output']
    },
  })

const older = ({ name, older, read, cost }: Definition): Endpoint =>
  defineBuiltIn(`sol-${older}`, {
    name: `solanaApi_${older}`,
    summary: contract[name].summary,
    describedInput: z.object({ network: network.default('mainnet'), address }),
    async handle({ context, caller, input: body }) {
      checkChainAccess(context, caller, cost)
      // The client adds it by itself; others who call the function may leave it out too.
      const wanted = body.address || caller.session?.user.solAddress
      if (!wanted) throw new CountersignError('InvalidValue', 'required param address not provided')
      const found = await read(getSolana(context, body.network || 'mainnet'), readSolanaAddress(wanted), context)
      return { result: found.value }
    },
  })

export const solanaEndpoints: Endpoint[] = [...definitions.map(rest), ...definitions.map(older)]
