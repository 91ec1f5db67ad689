import type { ChainSource } from '@countersign/protocol'
import { say } from '../../lib/say.ts'
import { Phrase } from '../Phrase.tsx'
import { RelativeTime } from '../RelativeTime.tsx'
import { BlockLink } from './BlockLink.tsx'

type Props = {
  chain: number | string
  chainName?: string | undefined
  block: { number: number; timestamp: Date | string }
  source?: ChainSource | undefined
  isSyncing?: boolean
}

const describeSource = (source: ChainSource) =>
  ({
    node: say('read from the node'),
    cache: say('as last read from the node'),
    index: say('from the server’s index'),
  })[source]

/** Which block something holds for, how old that is, and where it was read. */
export function SourceNote({ chain, chainName, block, source, isSyncing = false }: Props) {
  const number = <BlockLink chain={chain} block={block.number} />
  const age = <RelativeTime date={new Date(block.timestamp)} />
  return (
    <p className="text-xs text-muted">
      {chainName !== undefined && (
        <>
          <bdi>{chainName}</bdi>
          {': '}
        </>
      )}
      {source ? (
        <Phrase text="block {number}, {age}, {source}." values={{ number, age, source: describeSource(source) }} />
      ) : (
        <Phrase text="block {number}, {age}." values={{ number, age }} />
      )}
      {isSyncing && ` ${say('Older blocks are still being read, so something may be lacking.')}`}
    </p>
  )
}
