import type { Chain } from '../nodes/Chain.ts'
import { decodeTransfers } from './decodeTransfers.ts'
import { mayHoldTransfers } from './mayHoldTransfers.ts'
import { type Header, readHeader, toHex } from './readHeader.ts'
import type { RpcLog, Transfer } from './Transfer.ts'
import { transferTopics } from './topics.ts'

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

/** The transfers of each block, asked for by hash: by number, a node that changes its mind could mix two chains. */
export async function readBlockTransfers(
  chain: Chain,
  blocks: readonly Pick<Header, 'hash' | 'isEmpty' | 'logsBloom'>[],
): Promise<Transfer[][]> {
  const asked = blocks.filter(mayHoldTransfers)
  const outcomes = await chain.batch(
    asked.flatMap(({ hash }) => [
      { method: 'eth_getLogs', params: [{ blockHash: hash, topics: [transferTopics] }] },
      // Some nodes answer with no logs where they do not know the block.
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
      if (readHeader(answers[2 * index + 1]).hash !== hash) throw new Error('The node answered with another block.')
      const transfers = decodeTransfers(answers[2 * index] as RpcLog[])
      return [hash, transfers.filter(({ blockHash }) => blockHash === hash)]
    }),
  )
  return blocks.map(({ hash }) => byHash.get(hash) ?? [])
}
