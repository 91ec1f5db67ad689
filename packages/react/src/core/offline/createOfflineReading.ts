import { CountersignError } from '@countersign/protocol'
import type { Client } from '../client/Client.ts'
import type { DocumentPages } from '../documents/findDocumentPage.ts'
import { readQuestion } from '../documents/readQuestion.ts'
import type { Reading } from '../readings/createReading.ts'
import { readerOf } from '../readings/readerOf.ts'
import { shareStructure } from '../readings/shareStructure.ts'
import type { AsyncState } from '../state/AsyncState.ts'
import type { Store } from '../state/createStore.ts'
import { type Asked, answerQuery, isAnswerable } from './answerQuery.ts'
import type { Device } from './createDevice.ts'

export type Present = {
  readonly reader: string
  readonly device: Device
}

type Parts = {
  /** The present user's documents; undefined while they are loaded. */
  readonly present: () => Present | undefined
  /** Changes with everything that a reading depends on. */
  readonly changes: Store<unknown>
  readonly isCurrent: (className: string) => boolean
  readonly errorOf: (className: string) => AsyncState<unknown>['error']
  readonly refetch: (className: string) => void
}

const nothing = () => undefined

/** A reading over the device; undefined for queries that need the server. */
export function createOfflineReading(
  client: Client,
  asked: object,
  { present, changes, isCurrent, errorOf, refetch }: Parts,
): Reading<unknown> | undefined {
  const { kind, query } = readQuestion(asked)
  if (!query || !isAnswerable(query)) return undefined
  const { className } = query
  const pageSize = Number(query.limit ?? 100)
  const pending: AsyncState<unknown> = { status: 'pending', isFetching: true }
  let pages = 1
  let shown: { of: unknown; pages: number; state: AsyncState<unknown> } | undefined

  function answer(): AsyncState<unknown> {
    const found = present()
    // Correct even before the change is notified: a first render must not show another user's data.
    if (!found || found.reader !== readerOf(client)) return pending
    const { device } = found
    const error = errorOf(className)
    if (!device.stateOf(className)) {
      return error ? { status: 'error', error, isFetching: false } : pending
    }
    const isStale = !isCurrent(className)
    const data = read(device, query as Asked)
    if (data.value === undefined) {
      const missing = new CountersignError('ObjectNotFound', 'Object not found.')
      return isStale && data.isPartial ? pending : { status: 'error', error: missing, isFetching: false }
    }
    const before = shown?.state.data
    return {
      status: 'success',
      data: shareStructure(before, data.value),
      isFetching: false,
      ...(isStale && { isStale }),
      ...(data.isPartial && { isPartial: true }),
    }
  }

  function read(device: Device, question: Asked): { value: unknown; isPartial: boolean } {
    if (kind === 'count') {
      const { count, isPartial } = answerQuery(device, { ...question, limit: 0 })
      return { value: count, isPartial }
    }
    const limit = kind === 'get' ? 1 : kind === 'pages' ? pageSize * pages : question.limit
    const { documents, count, isPartial } = answerQuery(device, {
      ...question,
      ...(limit !== undefined && { limit }),
    })
    if (kind === 'get') return { value: documents[0], isPartial }
    if (kind !== 'pages') return { value: Object.freeze(documents), isPartial }
    const isMore = count > documents.length
    const value: DocumentPages<unknown> = { items: Object.freeze(documents), ...(isMore && { cursor: String(pages) }) }
    return { value, isPartial }
  }

  const get = () => {
    const of = changes.get()
    if (shown && shown.of === of && shown.pages === pages && present()?.reader === readerOf(client)) return shown.state
    const next = answer()
    const same = shown && isSame(shown.state, next) ? shown.state : next
    shown = { of, pages, state: same }
    return same
  }

  const listeners = new Set<() => void>()
  const subscribe = (listener: () => void) => {
    const entry = () => listener()
    listeners.add(entry)
    const stop = changes.subscribe(entry)
    return () => {
      listeners.delete(entry)
      stop()
    }
  }
  const reading = {
    subscribe,
    peek: { get, subscribe },
    initial: () => pending,
    hydrate: nothing,
    age: () => (isCurrent(className) ? 0 : Number.POSITIVE_INFINITY),
    refetch: async () => refetch(className),
    patch: nothing,
    invalidate: nothing,
    async loadMore() {
      if ((get().data as DocumentPages<unknown> | undefined)?.cursor === undefined) return
      pages++
      for (const listener of [...listeners]) listener()
    },
  }
  return reading
}

function isSame(one: AsyncState<unknown>, other: AsyncState<unknown>): boolean {
  const [left, right] = [Object(one), Object(other)]
  return (['status', 'data', 'error', 'isFetching', 'isStale', 'isPartial'] as const).every(
    (name) => left[name] === right[name] || (name === 'error' && left.error?.reason === right.error?.reason),
  )
}
