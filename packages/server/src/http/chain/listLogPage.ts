import { decodeCursor, encodeCursor } from '../../chain/index/queries/Page.ts'
import type { BlockRef, Chain } from '../../chain/nodes/Chain.ts'
import type { Log } from '../../chain/reads/blocks.ts'
import { getLogs, type LogFilter } from '../../chain/reads/getLogs.ts'

export type LogQuery = Pick<LogFilter, 'address' | 'topics' | 'fromBlock' | 'toBlock' | 'order'> & {
  limit: number
  cursor?: string | undefined
  offset?: number | undefined
  /** Logs that a filter of nodes cannot tell from others. */
  keep?: (log: Log) => boolean
}

export type LogPage = {
  rows: (Log & { block: BlockRef })[]
  cursor: string | undefined
  page: number
  /** Known on the last page alone. */
  total: number | undefined
  /** How many there are at least. */
  seen: number
  block: BlockRef
}

/** A page of logs straight from the nodes. Where they take too long it ends early, and its cursor goes on from there. */
export async function listLogPage(chain: Chain, query: LogQuery): Promise<LogPage> {
  const { limit, offset = 0, order = 'desc', address, topics, keep = () => true } = query
  const cursor = query.cursor ? decodeCursor(query.cursor, ['number', 'number']) : undefined
  const page = cursor?.page ?? Math.floor(offset / limit)
  const filter = { ...(address && { address }), ...(topics && { topics }), order }
  const { edge, rest } = rangesOf(query, cursor?.after as [number, number] | undefined, order)
  const logs: Log[] = []
  if (edge) {
    const found = await getLogs(chain, { ...filter, fromBlock: edge.block, toBlock: edge.block })
    logs.push(...found.logs.filter((log) => edge.isBeyond(log) && keep(log)))
  }
  const missing = limit + 1 + (cursor ? 0 : offset) - logs.length
  const found = await getLogs(chain, { ...filter, ...rest, limit: Math.max(1, missing) })
  logs.push(...found.logs.filter(keep))
  const shown = logs.slice(cursor ? 0 : offset).slice(0, limit)
  const more = logs.length - (cursor ? 0 : offset) > limit
  const last = shown.at(-1)
  const next = more && last ? [last.blockNumber, last.logIndex] : found.complete ? undefined : edgeOf(found, order)
  const before = cursor ? page * limit : Math.min(offset, logs.length)
  return {
    rows: await withBlocks(chain, shown),
    cursor: next && encodeCursor({ after: next, page: page + 1 }),
    page,
    total: next ? undefined : before + shown.length,
    seen: before + shown.length + (next ? 1 : 0),
    block: found.block,
  }
}

/** The last block of the page before has logs on both sides of the position; it is read separately. */
function rangesOf({ fromBlock, toBlock }: LogQuery, after: [number, number] | undefined, order: 'asc' | 'desc') {
  const whole = { ...(fromBlock !== undefined && { fromBlock }), ...(toBlock !== undefined && { toBlock }) }
  if (!after) return { edge: undefined, rest: whole }
  const [block, index] = after
  const isBeyond = ({ logIndex }: Log) => (order === 'desc' ? logIndex < index : logIndex > index)
  const rest = order === 'desc' ? { ...whole, toBlock: block - 1 } : { ...whole, fromBlock: block + 1 }
  return { edge: { block, isBeyond }, rest }
}

/** Beyond everything that was read. */
const edgeOf = ({ fromBlock, toBlock }: { fromBlock: number; toBlock: number }, order: 'asc' | 'desc') =>
  order === 'desc' ? [fromBlock, 0] : [toBlock, Number.MAX_SAFE_INTEGER]

async function withBlocks(chain: Chain, logs: readonly Log[]): Promise<LogPage['rows']> {
  const blocks = new Map<number, Promise<BlockRef>>()
  for (const { blockNumber } of logs) if (!blocks.has(blockNumber)) blocks.set(blockNumber, chain.block(blockNumber))
  return Promise.all(
    logs.map(async (log) => ({
      ...log,
      block: (await blocks.get(log.blockNumber)) ?? (await chain.block(log.blockNumber)),
    })),
  )
}
