import type { ChainBlockRef } from '@countersign/protocol'
import type { BlockRef } from '../../chain/nodes/Chain.ts'

/** A block as answers name it. */
export const describeBlockRef = ({ number, hash, timestamp }: BlockRef | NamedBlock): ChainBlockRef => ({
  number,
  hash,
  timestamp: toIso(timestamp),
})

type NamedBlock = { number: number; hash: string; timestamp: number }

/** The time of a block, which is in seconds. */
export const toIso = (seconds: number): string => new Date(seconds * 1000).toISOString()
