import type { Follower } from './Follower.ts'
import { readHeaders } from './readBlocks.ts'
import type { Header } from './readHeader.ts'

/** The chain was replaced below everything that is remembered of it. */
class ChainReplaced extends Error {
  override readonly name = 'ChainReplaced'
}

const together = 32

/** The newest block, at `below` or under it, that the node and the index have in common. */
export async function findAncestor({ context, chain, className }: Follower, below: number): Promise<Header> {
  const known = await context.db.query<{ number: number; hash: string }>({
    text: 'select number, hash from countersign.chain_blocks where chain = $1 and number <= $2 order by number desc',
    values: [chain.id, below],
  })
  for (let at = 0; at < known.length; at += together) {
    const stored = known.slice(at, at + together)
    const headers = await readHeaders(
      chain,
      stored.map(({ number }) => number),
    )
    const place = stored.findIndex(({ hash }, index) => headers[index]?.hash === hash)
    const found = headers[place]
    if (found) return found
  }
  throw new ChainReplaced(
    `The node has other blocks than the index from block ${known.at(-1)?.number ?? below} on, which were final. If the ` +
      `chain was set up anew, delete the class ${className} and restart the server: all of it is read again then.`,
  )
}
