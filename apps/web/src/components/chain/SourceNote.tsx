import type { ChainSource } from '@countersign/protocol'
import { RelativeTime } from '../RelativeTime.tsx'
import { BlockLink } from './BlockLink.tsx'

type Props = {
  chain: number | string
  chainName?: string | undefined
  block: { number: number; timestamp: Date | string }
  source?: ChainSource | undefined
  isSyncing?: boolean
}

const words: Record<ChainSource, string> = {
  node: 'read from the node',
  cache: 'as last read from the node',
  index: 'from the server’s index',
}

/** Which block something holds for, how old that is, and where it was read. */
export function SourceNote({ chain, chainName, block, source, isSyncing = false }: Props) {
  return (
    <p className="text-xs text-muted">
      {chainName && <>{chainName}: </>}
      block <BlockLink chain={chain} block={block.number} />, <RelativeTime date={new Date(block.timestamp)} />
      {source && <>, {words[source]}</>}
      {isSyncing && <>. Older blocks are still being read, so something may be lacking</>}.
    </p>
  )
}
