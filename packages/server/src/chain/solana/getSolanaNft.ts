import { CountersignError } from '@countersign/protocol'
import { deriveAddress, metaplexProgram } from './deriveAddress.ts'
import { bytesOf, readAccounts, readMints } from './readMints.ts'
import type { MintDetails, SolanaNetwork } from './Solana.ts'

/** First bytes of an edition's account that say that it is the master: of version 1 and 2. */
const masters = new Set([2, 6])

/** What is said of a mint, and whether it is the master of its editions. */
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
