import { CountersignError, type EndpointTypes, refuse } from '@countersign/protocol'
import { describeMissing } from '@countersign/protocol/contract'
import { getSolana, type MintDetails, type Place, type SolanaNetwork } from '../../../chain/solana/getSolana.ts'
import {
  getSolanaBalance,
  getSolanaNft,
  getSolanaPortfolio,
  type NamedAccount,
  readSolanaAddress,
} from '../../../chain/solana/solanaAccounts.ts'
import type { Context } from '../../../context/Context.ts'
import { defineEndpoint } from '../../../endpoint/defineEndpoint.ts'
import type { Endpoint } from '../../../endpoint/Endpoint.ts'
import { type BuiltInResult, defineBuiltIn } from '../../../functions/defineBuiltIn.ts'
import { checkChainAccess } from '../defineChainRead.ts'
import { formatUnits } from '../describe.ts'

/** Value read, and the slot it is valid for. */
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
    'Prices on Solana are not available here: they need off-chain data, which this server does not have.',
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
  older: 'balance' | 'getSPL' | 'getNFTs' | 'getPortfolio' | 'getNFTMetadata' | 'getTokenPrice'
  read: Reader
  cost?: number
  /** Name of a list in a REST response. */
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

const rest = ({ name, read, cost, list }: Definition): Endpoint =>
  defineEndpoint(name, {
    admit: (context, caller) => checkChainAccess(context, caller, cost),
    async handle({ context, params }) {
      const wanted = readSolanaAddress(params.address)
      const { value, place } = await read(getSolana(context, params.network), wanted, context)
      return { ...(list ? { [list]: value } : value), ...place } as EndpointTypes[Definition['name']]['output']
    },
  })

const older = ({ older, read, cost }: Definition): Endpoint =>
  defineBuiltIn(`sol-${older}`, {
    name: `solanaApi_${older}`,
    admit: (context, caller) => checkChainAccess(context, caller, cost),
    async handle({ context, caller, input }) {
      // The client adds it automatically; others who call the function may omit it too.
      const wanted = input.address || caller.session?.user.solAddress
      if (!wanted)
        throw refuse(
          'invalidInput',
          { field: 'address', problem: 'is required' },
          { sentence: describeMissing('address') },
        )
      const found = await read(getSolana(context, input.network || 'mainnet'), readSolanaAddress(wanted), context)
      return { result: found.value as BuiltInResult<`sol-${Definition['older']}`> }
    },
  })

export const solanaEndpoints: Endpoint[] = [...definitions.map(rest), ...definitions.map(older)]

/** Balances as both doors write them: in SOL, and in lamports. */
const describeLamports = (lamports: bigint) => ({
  solana: formatUnits(lamports, 9),
  lamports: String(lamports),
})

const describeSolanaNft = ({ account, mint, details }: NamedAccount) => ({
  associatedTokenAddress: account,
  mint,
  name: details?.name ?? null,
  symbol: details?.symbol ?? null,
})

const describeSolanaToken = (each: NamedAccount) => ({
  ...describeSolanaNft(each),
  amount: formatUnits(each.amount, each.decimals),
  amountRaw: String(each.amount),
  decimals: each.decimals,
})

/** Metadata of a mint, with the names of the older API. */
const describeSolanaMint = (mint: string, details: MintDetails, isMasterEdition: boolean) => ({
  mint,
  standard: details.standard,
  name: details.name,
  symbol: details.symbol,
  metaplex: {
    metadataUri: details.uri,
    masterEdition: isMasterEdition,
    isMutable: details.isMutable ?? null,
    primarySaleHappened: details.primarySaleHappened ?? null,
    sellerFeeBasisPoints: details.sellerFeeBasisPoints ?? null,
    updateAuthority: details.updateAuthority ?? null,
  },
})
