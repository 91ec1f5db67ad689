import type { Chain, Hex } from '../nodes/Chain.ts'
import { decodeTransfers, type RpcLog, type Transfer, transferTopics } from './Transfer.ts'

/** The three bits that a topic or an address sets in the bloom of a header. */
export type BloomBits = readonly [number, number, number]

// Bits of each transfer topic, from its Keccak-256.
const bits: readonly BloomBits[] = [
  [1443, 481, 1060],
  [43, 1549, 339],
  [25, 370, 1115],
]

/** The headers of blocks as the node has them now; nothing for one that it does not know. */
export async function readHeaders(chain: Chain, numbers: readonly number[]): Promise<(Header | undefined)[]> {
  const outcomes = await chain.batch(
    numbers.map((number) => ({ method: 'eth_getBlockByNumber', params: [toHex(number), false] })),
    { keep: 'none' },
  )
  return outcomes.map((outcome) => {
    if ('error' in outcome) throw outcome.error
    return outcome.result ? readHeader(outcome.result) : undefined
  })
}

/** Logs wanted from a block. */
export type LogInterest = {
  topics: readonly string[]
  /** Every contract unless given. */
  addresses?: readonly string[] | undefined
  mayHold(header: BlockFilter): boolean
}

export const transferInterest: LogInterest = { topics: transferTopics, mayHold: mayHoldTransfers }

export type BlockFilter = Pick<Header, 'isEmpty' | 'logsBloom'>

/** The transfers of each block. */
export async function readBlockTransfers(
  chain: Chain,
  blocks: readonly Pick<Header, 'hash' | 'isEmpty' | 'logsBloom'>[],
): Promise<Transfer[][]> {
  return (await readBlockLogs(chain, blocks, transferInterest)).map(decodeTransfers)
}

/** The logs of each block, asked for by hash: by number, a node that changes its mind could mix two chains. */
export async function readBlockLogs(
  chain: Chain,
  blocks: readonly Pick<Header, 'hash' | 'isEmpty' | 'logsBloom'>[],
  { topics, addresses, mayHold }: LogInterest,
): Promise<RpcLog[][]> {
  const asked = topics.length === 0 ? [] : blocks.filter(mayHold)
  const filter = { topics: [topics], ...(addresses && { address: addresses }) }
  const outcomes = await chain.batch(
    asked.flatMap(({ hash }) => [
      { method: 'eth_getLogs', params: [{ blockHash: hash, ...filter }] },
      // Some nodes return no logs for an unknown block.
      { method: 'eth_getBlockByHash', params: [hash, false] },
    ]),
    { keep: 'none' },
  )
  const answers = outcomes.map((outcome) => {
    if ('error' in outcome) throw outcome.error
    return outcome.result
  })
  const byHash = new Map(
    asked.map(({ hash }, index) => {
      if (readHeader(answers[2 * index + 1]).hash !== hash) throw new Error('The node returned another block.')
      const logs = answers[2 * index] as RpcLog[]
      return [hash, logs.filter(({ blockHash }) => blockHash.toLowerCase() === hash)]
    }),
  )
  return blocks.map(({ hash }) => byHash.get(hash) ?? [])
}

/** Checks the header's bloom for transfers. Saves most requests for logs. */
export function mayHoldTransfers(header: BlockFilter): boolean {
  return bits.some((three) => isInBloom(header, three))
}

/** Returns true if the bloom may contain the entry with these bits. */
export function isInBloom({ isEmpty, logsBloom }: BlockFilter, three: BloomBits): boolean {
  // Some chains leave the bloom out, or empty whatever the block holds.
  if (logsBloom.length !== 514 || /^0x0+$/.test(logsBloom)) return !isEmpty
  return three.every((bit) => isSet(logsBloom, bit))
}

/** The bits of a topic or an address, by its Keccak-256. */
export function bloomBits(digest: Uint8Array): BloomBits {
  const bit = (at: number) => (((digest[at] ?? 0) << 8) | (digest[at + 1] ?? 0)) & 2047
  return [bit(0), bit(2), bit(4)]
}

function isSet(bloom: string, bit: number): boolean {
  const digit = Number.parseInt(bloom.charAt(513 - (bit >> 2)), 16)
  return (digit & (1 << (bit & 3))) !== 0
}

export type Header = {
  number: number
  hash: Hex
  parentHash: Hex
  timestamp: number
  logsBloom: string
  isEmpty: boolean
}

/** Header fields that the indexer needs; throws for an invalid block. */
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
