import { commitWork } from './commitWork.ts'
import type { Spans } from './createSpans.ts'
import type { Follower } from './Follower.ts'
import { keepWatched } from './keepWatched.ts'
import { logFilters } from './logFilters.ts'
import { readTransfers } from './readTransfers.ts'
import type { Work } from './Work.ts'

/** Reads a claimed stretch to its end, or until the signal. What comes next is read while this is written. */
export async function backFill(follower: Follower, work: Work, spans: Spans, signal: AbortSignal): Promise<void> {
  const filters = logFilters(work)

  const read = async (from: number) => {
    for (;;) {
      signal.throwIfAborted()
      const to = Math.min(work.last, from + spans.next() - 1)
      try {
        const found = await readTransfers(follower.chain, filters, from, to)
        spans.answered(to - from + 1, found.logs)
        const transfers = work.kind === 'watched' ? await keepWatched(follower, found.transfers) : found.transfers
        return { ...found, transfers, from, to }
      } catch (error) {
        if (!spans.failed(to - from + 1, error)) throw error
      }
    }
  }

  let reading: ReturnType<typeof read> | undefined = read(work.next)
  while (reading) {
    const done: Awaited<ReturnType<typeof read>> = await reading
    reading = done.to < work.last ? read(done.to + 1) : undefined
    // Waited for below, unless writing fails first.
    reading?.catch(() => {})
    await commitWork(follower, work, done)
  }
}
