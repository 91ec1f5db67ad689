import type { Context } from '../../context/Context.ts'
import type { Chain } from '../nodes/Chain.ts'
import { findRecords, isDue } from './listNftMetadata.ts'
import type { Nft, NftRecord } from './NftRecord.ts'
import { syncMetadata } from './syncMetadata.ts'

/**
 * The metadata of one NFT: as it is known, or fetched now where it is not, is old, or `fresh` asks for it. Where it
 * cannot be had, `error` says why.
 */
export async function getNftMetadata(
  context: Context,
  chain: Chain,
  nft: Nft,
  { asker, fresh = false }: { asker: string; fresh?: boolean },
): Promise<NftRecord> {
  const [known] = fresh ? [] : await findRecords(context, chain, [nft])
  if (known && !isDue(context, known)) return known
  try {
    await syncMetadata(context, chain, [nft], asker)
  } catch (error) {
    // A node that does not answer, or a line that is too long, takes nothing away that is known.
    if (known?.metadata) return known
    throw error
  }
  const [record] = await findRecords(context, chain, [nft])
  if (!record) throw new Error('what was asked for one NFT answered for none')
  return record
}
