import { commitWork, type ReadBlocks } from './commitWork.ts'
import type { Spans } from './createSpans.ts'
import type { Follower } from './Follower.ts'
import { followedOf } from './followedOf.ts'
import { keepWatched } from './keepWatched.ts'
import { logFilters } from './logFilters.ts'
import { toHex } from './readHeader.ts'
import { readTransactions } from './readTransactions.ts'
import { readTransfers } from './readTransfers.ts'
import type { Work } from './Work.ts'

/** Reads a claimed stretch to its end, or until the signal. What comes next is read while this is written. */
export async function backFill(follower: Follower, work: Work, spans: Spans, signal: AbortSignal): Promise<void> {
  const readStretch = work.kind === 'transactions' ? readSent(follower, work) : readMoved(follower, work)

  const read = async (from: number): Promise<ReadBlocks> => {
    for (;;) {
      signal.throwIfAborted()
      const to = Math.min(work.last, from + spans.next() - 1)
      try {
        const found = await readStretch(from, to)
        spans.answered(to - from + 1, found.logs)
        return { ...found, from, to }
      } catch (error) {
        if (!spans.failed(to - from + 1, error)) throw error
      }
    }
  }

  let reading: Promise<ReadBlocks> | undefined = read(work.next)
  while (reading) {
    const done: ReadBlocks = await reading
    reading = done.to < work.last ? read(done.to + 1) : undefined
    // Waited for below, unless writing fails first.
    reading?.catch(() => {})
    await commitWork(follower, work, done)
  }
}

type ReadStretch = (from: number, to: number) => Promise<Omit<ReadBlocks, 'from' | 'to'>>

function readMoved(follower: Follower, work: Work): ReadStretch {
  const filters = logFilters(work)
  return async (from, to) => {
    const found = await readTransfers(follower.chain, filters, from, to)
    const transfers = work.kind === 'watched' ? await keepWatched(follower, found.transfers) : found.transfers
    return { ...found, transfers, transactions: [] }
  }
}

function readSent(follower: Follower, { addresses }: Work): ReadStretch {
  const named = new Set(addresses)
  const pick = (parties: Set<string>) => (named.size > 0 ? named : followedOf(follower, parties))
  return async (from, to) => {
    const numbers = Array.from({ length: to - from + 1 }, (_, index) => toHex(from + index))
    const { transactions, seen } = await readTransactions(follower.chain, numbers, pick)
    return { transfers: [], times: new Map(), logs: seen, transactions }
  }
}
