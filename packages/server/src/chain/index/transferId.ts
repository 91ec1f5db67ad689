import type { Transfer } from './Transfer.ts'

/**
 * The same for the same transfer, whoever reads it and however often: nothing is ever kept twice. Begins with chain and
 * block, so that neighbours on the chain are neighbours in the index too.
 */
export function transferId(chain: number, { block, blockHash, logIndex, sub }: Transfer): string {
  const place = block.toString(36).padStart(7, '0')
  return `${chain.toString(36)}-${place}-${blockHash.slice(2, 18)}-${logIndex.toString(36)}-${sub.toString(36)}`
}
