import type { Hex } from '../nodes/Chain.ts'

export type Header = {
  number: number
  hash: Hex
  parentHash: Hex
  timestamp: number
  logsBloom: string
  isEmpty: boolean
}

/** The parts of a block that the indexer needs; throws for what is no block. */
export function readHeader(block: unknown): Header {
  const parts = (block ?? {}) as { [name: string]: unknown }
  const { number, hash, parentHash, timestamp, logsBloom, transactions } = parts
  if (typeof hash !== 'string' || typeof parentHash !== 'string')
    throw new Error('The node does not know the block yet.')
  return {
    number: Number(number),
    hash: hash.toLowerCase() as Hex,
    parentHash: parentHash.toLowerCase() as Hex,
    timestamp: Number(timestamp),
    isEmpty: Array.isArray(transactions) && transactions.length === 0,
    logsBloom: typeof logsBloom === 'string' ? logsBloom : '',
  }
}

export function toHex(number: number): Hex {
  return `0x${number.toString(16)}`
}
