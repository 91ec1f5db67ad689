import type { Chain, Made } from './Chain.ts'
import type { AnswerCache } from './createAnswerCache.ts'
import type { Head } from './createHead.ts'

/** Remembers what was worked out from answers, beside the answers themselves. Those who ask at once wait for one. */
export function createMemory(cache: AnswerCache, head: Head): Chain['remember'] {
  const underWay = new Map<string, Promise<unknown>>()

  const work = async <T>(place: string, make: () => Promise<Made<T>>): Promise<T> => {
    const since = head.known()?.hash
    const { value, final = false, size } = await make()
    const bytes = size ?? (typeof value === 'string' ? value.length : 1_000)
    if (final || since === head.known()?.hash) cache.keep(place, value, final ? 'final' : 'head', bytes)
    return value
  }

  return async <T>(key: string, make: () => Promise<Made<T>>) => {
    await head.get()
    const place = `made ${key}`
    const kept = cache.find(place)
    if (kept) return { value: kept.result as T, source: 'cache' }
    const same = underWay.get(place) as Promise<T> | undefined
    if (same) return { value: await same, source: 'node' }
    const made = work(place, make).finally(() => underWay.delete(place))
    underWay.set(place, made)
    return { value: await made, source: 'node' }
  }
}
