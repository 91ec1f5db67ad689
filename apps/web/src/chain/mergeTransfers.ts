import type { Transfer } from '@countersign/react/chain'

/** A transfer, and the chain that it is on. */
export type ChainTransfer = Transfer & { readonly chain: number }

/** Transfers of one wallet on one chain read so far, newest first. */
export type TransferPages = { chain: number; rows: readonly Transfer[]; hasMore: boolean }

export type Merged = {
  rows: ChainTransfer[]
  /** Older than this something may be lacking, until more is read; absent where everything is there. */
  since?: Date
}

/**
 * Merges several paged lists. It ends where the first list with more pages ends: beyond that, its later rows would
 * appear among those already shown.
 */
export function mergeTransfers(sources: readonly TransferPages[]): Merged {
  const ends = sources.flatMap(({ rows, hasMore }) => (hasMore ? [timeOf(rows.at(-1))] : []))
  const since = ends.length > 0 ? Math.max(...ends) : undefined
  const found = new Map<string, ChainTransfer>()
  for (const { chain, rows } of sources) {
    const placed = rows.map((row) => placeOn(chain, row))
    for (const [place, key] of keyTransfers(placed).entries()) {
      const row = placed[place]
      if (row && (since === undefined || timeOf(row) >= since)) found.set(key, row)
    }
  }
  const rows = [...found.values()].sort(
    (one, other) =>
      timeOf(other) - timeOf(one) || other.block.number - one.block.number || other.logIndex - one.logIndex,
  )
  return since === undefined ? { rows } : { rows, since: new Date(since) }
}

/**
 * A key for each. A transfer between two wallets of one's own is in the lists of both, under the same key; a batch has
 * several under one log, and may move the same collectible several times.
 */
export function keyTransfers(rows: readonly ChainTransfer[]): string[] {
  const times = new Map<string, number>()
  return rows.map(({ chain, transaction, logIndex, tokenId = '' }) => {
    const key = `${chain} ${transaction} ${logIndex} ${tokenId}`
    const time = times.get(key) ?? 0
    times.set(key, time + 1)
    return time === 0 ? key : `${key} ${time}`
  })
}

const known = new WeakMap<Transfer, ChainTransfer>()

/** The same object for the same row: what was drawn of it need not be drawn again when the list grows. */
export function placeOn(chain: number, row: Transfer): ChainTransfer {
  const before = known.get(row)
  if (before?.chain === chain) return before
  const placed = { ...row, chain }
  known.set(row, placed)
  return placed
}

const timeOf = (row: Transfer | undefined) => row?.block.timestamp.getTime() ?? Number.POSITIVE_INFINITY
