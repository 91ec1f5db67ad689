export type AnswerCache = {
  find(key: string): { result: unknown } | undefined
  keep(key: string, result: unknown, how: 'final' | 'head', size?: number): void
  /** The head has moved: what depended on it is forgotten. */
  dropHead(): void
  dropAll(): void
}

const mostBytes = 48 * 1024 * 1024
const mostEach = 4 * 1024 * 1024

type Entry = { result: unknown; size: number }

/** Cached results: those valid forever, evicted by least use, and those valid until the head moves. */
export function createAnswerCache(most = mostBytes): AnswerCache {
  const final = new Map<string, Entry>()
  let head = new Map<string, Entry>()
  let finalSize = 0
  let headSize = 0

  return {
    find(key) {
      const kept = final.get(key)
      if (!kept) return head.get(key)
      // A map keeps the order of insertion: what was used last goes to the end.
      final.delete(key)
      final.set(key, kept)
      return kept
    },
    keep(key, result, how, bytes) {
      const size = key.length + (bytes ?? sizeOf(result)) + 100
      if (size > mostEach || size > most) return
      if (how === 'head') {
        if (headSize + size > most) return
        headSize += size
        head.set(key, { result, size })
        return
      }
      finalSize += size - (final.get(key)?.size ?? 0)
      final.delete(key)
      final.set(key, { result, size })
      for (const [oldest, entry] of final) {
        if (finalSize <= most) break
        final.delete(oldest)
        finalSize -= entry.size
      }
    },
    dropHead() {
      head = new Map()
      headSize = 0
    },
    dropAll() {
      final.clear()
      finalSize = 0
      head = new Map()
      headSize = 0
    },
  }
}

const sizeOf = (value: unknown) => (typeof value === 'string' ? value.length : (JSON.stringify(value)?.length ?? 0))
