import { CountersignError } from '@countersign/protocol'
import type { TimeLimit } from '../context/Registry.ts'

/** Settles after so many milliseconds at the latest. Work that goes on can ask its limit. */
export function withTimeLimit<Result>(
  ms: number,
  what: string,
  work: (limit: TimeLimit) => Promise<Result>,
): Promise<Result> {
  const { limit, abort } = createTimeLimit()
  return new Promise<Result>((resolve, reject) => {
    const timer = setTimeout(() => {
      const error = new CountersignError('Timeout', `${what} took longer than ${ms} ms.`)
      abort(error)
      reject(error)
    }, ms)
    const fail = (error: unknown) => {
      clearTimeout(timer)
      reject(error)
    }
    const succeed = (result: Result) => {
      clearTimeout(timer)
      resolve(result)
    }
    try {
      work(limit).then(succeed, fail)
    } catch (error) {
      fail(error)
    }
  })
}

function createTimeLimit(): { limit: TimeLimit; abort(reason: unknown): void } {
  let controller: AbortController | undefined
  let ended: { reason: unknown } | undefined
  const acts = new Set<(reason: unknown) => void>()
  return {
    limit: {
      get signal() {
        if (controller) return controller.signal
        controller = new AbortController()
        if (ended) controller.abort(ended.reason)
        return controller.signal
      },
      throwIfAborted() {
        if (ended) throw ended.reason
      },
      onAbort(act) {
        acts.add(act)
        return () => acts.delete(act)
      },
    },
    abort(reason) {
      ended = { reason }
      controller?.abort(reason)
      for (const act of acts) act(reason)
    },
  }
}

/** Limit that lasts until a signal. */
export function limitOf(signal: AbortSignal): TimeLimit {
  return {
    signal,
    throwIfAborted: () => signal.throwIfAborted(),
    onAbort(act) {
      const listen = () => act(signal.reason)
      signal.addEventListener('abort', listen, { once: true })
      return () => signal.removeEventListener('abort', listen)
    },
  }
}

/** Result of the work, or the reason of the limit if that comes first. */
export async function untilAborted<Result>(limit: TimeLimit, work: () => Promise<Result>): Promise<Result> {
  limit.throwIfAborted()
  let stop = () => {}
  const aborted = new Promise<never>((_, reject) => {
    stop = limit.onAbort(reject)
  })
  try {
    return await Promise.race([work(), aborted])
  } finally {
    stop()
  }
}
