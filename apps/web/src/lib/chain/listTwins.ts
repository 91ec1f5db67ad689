import { shortenAddress } from '@countersign/react'
import type { ChainTransfer } from './mergeTransfers.ts'

/**
 * Addresses that are written alike once they are short. Whoever is after the next payment makes one that looks like
 * somebody who was paid before, and puts it into the list by a transfer of nothing.
 */
export function listTwins(transfers: readonly ChainTransfer[], own: ReadonlySet<string>): ReadonlySet<string> {
  const seen = new Set(own)
  for (const { from, to } of transfers) seen.add(from).add(to)
  const first = new Map<string, string>()
  const twins = new Set<string>()
  for (const address of seen) {
    const short = shortenAddress(address)
    const other = first.get(short)
    if (other === undefined) first.set(short, address)
    else twins.add(other).add(address)
  }
  return twins
}
