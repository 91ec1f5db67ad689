import { CountersignError } from '@countersign/protocol'
import { readBase58 } from '../../encoding/base58.ts'
import type { MintDetails, Place, SolanaNetwork } from './getSolana.ts'
import {
  bytesOf,
  deriveAddress,
  listSolanaTokens,
  metaplexProgram,
  readAccounts,
  readMints,
  type TokenAccount,
} from './solanaTokens.ts'

export function readSolanaAddress(value: unknown, name = 'address'): string {
  if (typeof value === 'string' && value.length <= 44 && readBase58(value)?.length === 32) return value
  throw new CountersignError('InvalidValue', `${name} must be a Solana address: 32 bytes in base58.`)
}

/** SOL balance of an address, in lamports. */
export async function getSolanaBalance(
  network: SolanaNetwork,
  address: string,
): Promise<{ lamports: bigint; place: Place }> {
  const { value, place } = await network.request('getBalance', [address, { commitment: 'confirmed' }], readLamports)
  return { lamports: value, place }
}

function readLamports(value: unknown): bigint {
  const text = typeof value === 'number' ? String(value) : value
  if (typeof text !== 'string' || !/^\d{1,20}$/.test(text)) throw new Error('a balance is not a number')
  return BigInt(text)
}

/** First bytes of an edition's account that say that it is the master: of version 1 and 2. */
const masters = new Set([2, 6])

/** Metadata of a mint, and if it is the master edition. */
export async function getSolanaNft(
  network: SolanaNetwork,
  mint: string,
): Promise<{ details: MintDetails; isMasterEdition: boolean }> {
  const found = await readMints(network, [{ mint, isToken2022: true }])
  const details = found.get(mint)
  if (!details) throw new CountersignError('ObjectNotFound', 'This mint has no metadata.')
  if (details.standard !== 'metaplex') return { details, isMasterEdition: false }
  const [edition] = await readAccounts(network, [deriveAddress(mint, 'edition')], 'base64')
  const first = edition && 'owner' in edition && edition.owner === metaplexProgram ? bytesOf(edition)?.[0] : undefined
  return { details, isMasterEdition: first !== undefined && masters.has(first) }
}

export type NamedAccount = TokenAccount & { details: MintDetails | undefined }

/** Assets of an address by kind. An NFT is the only unit of an indivisible mint that is not a currency. */
export async function getSolanaPortfolio(
  network: SolanaNetwork,
  owner: string,
): Promise<{ tokens: NamedAccount[]; nfts: NamedAccount[]; place: Place }> {
  const { accounts, place } = await listSolanaTokens(network, owner)
  const details = await readMints(network, accounts)
  const named = accounts.map((account) => ({ ...account, details: details.get(account.mint) }))
  return { tokens: named.filter((each) => !isNft(each)), nfts: named.filter(isNft), place }
}

const isNft = ({ amount, decimals, details }: NamedAccount) =>
  amount === 1n && decimals === 0 && details?.isFungible !== true
