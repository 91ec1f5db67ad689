'use client'

import type { Client, SharedReading } from '../../core/client/Client.ts'
import type { CountOptions, GetOptions } from '../../core/documents/findDocuments.ts'
import type { FieldName, IncludePath, KeyPath, Query, QueryOptions } from '../../core/documents/Query.ts'
import { countReading, documentReading, documentsReading } from '../../core/live/documentReadings.ts'
import type { Reading } from '../../core/readings/createReading.ts'
import type { Found } from '../../core/values/Document.ts'
import type { ClassName } from '../../core/values/Register.ts'
import { useClient } from '../client/useClient.ts'
import { type ReadOptions, type UseAsync, useReading } from '../client/useReading.ts'

/** As `ReadOptions`; a suspended component has nothing to show before data is there, and always reads. */
export type SuspenseOptions<Data = never, Selected = Data> = Omit<
  ReadOptions<Data, Selected>,
  'enabled' | 'initialData' | 'placeholderData' | 'keepPrevious'
>

/** A reading whose data is there; `error` is set where reading it again failed. */
export type UseSuspense<Data> = Extract<UseAsync<Data>, { status: 'success' | 'error' }> & { readonly data: Data }

/**
 * As `useDocuments`, for a component inside `<Suspense>`: it waits until there is data, so `data` is always there. A
 * first reading that fails is thrown to the nearest error boundary; a render after that asks again.
 *
 * @example
 * const { data: games } = useSuspenseDocuments('Game', { order: ['-score'], limit: 20 })
 * return games.map((game) => <p key={game.objectId}>{game.title}</p>)
 */
export function useSuspenseDocuments<
  Name extends ClassName,
  const Include extends IncludePath<Name> = never,
  const Keys extends KeyPath<Name> = never,
  const Left extends FieldName<Name> = never,
  Selected = readonly Found<Name, Include, Keys, Left>[],
>(
  className: Name,
  options?: QueryOptions<Name, Include, Keys, Left> &
    SuspenseOptions<readonly Found<Name, Include, Keys, Left>[], Selected>,
): UseSuspense<Selected>

export function useSuspenseDocuments<Name extends ClassName, Item, Selected = readonly Item[]>(
  query: Query<Name, Item>,
  options?: SuspenseOptions<readonly Item[], Selected>,
): UseSuspense<Selected>

export function useSuspenseDocuments(
  given: string | Query<string, unknown>,
  options: QueryOptions & Omit<SuspenseOptions, 'select'> = {},
): UseSuspense<unknown> {
  const query = typeof given === 'string' ? { ...options, className: given } : given
  return useSuspenseReading(
    documentsReading(useClient(), query),
    options as SuspenseOptions<readonly unknown[], unknown>,
  )
}

/**
 * As `useDocument`, for a component inside `<Suspense>`.
 *
 * @example
 * const { data: game } = useSuspenseDocument('Game', 'xWMyZ4YEGZ', { include: ['owner'] })
 */
export function useSuspenseDocument<
  Name extends ClassName,
  const Include extends IncludePath<Name> = never,
  const Keys extends KeyPath<Name> = never,
  const Left extends FieldName<Name> = never,
  Selected = Found<Name, Include, Keys, Left>,
>(
  className: Name,
  objectId: string,
  options: GetOptions<Include, Keys, Left> & SuspenseOptions<Found<Name, Include, Keys, Left>, Selected> = {},
): UseSuspense<Selected> {
  const { include, keys, excludeKeys, maxStaleness, ...rest } = options
  const asked = { className, objectId, include, keys, excludeKeys, maxStaleness }
  const reading = documentReading(useClient(), asked) as Reading<Found<Name, Include, Keys, Left>>
  return useSuspenseReading(reading, rest)
}

/**
 * As `useDocumentCount`, for a component inside `<Suspense>`.
 *
 * @example
 * const { data: total } = useSuspenseDocumentCount('Game', { where: { score: { $gt: 5 } } })
 */
export function useSuspenseDocumentCount<Name extends ClassName, Item, Selected = number>(
  query: Query<Name, Item>,
  options?: SuspenseOptions<number, Selected>,
): UseSuspense<Selected>

export function useSuspenseDocumentCount<Name extends ClassName, Selected = number>(
  className: Name,
  options?: CountOptions<Name> & SuspenseOptions<number, Selected>,
): UseSuspense<Selected>

export function useSuspenseDocumentCount(
  given: string | Query<string, unknown>,
  options: CountOptions<ClassName> & Omit<SuspenseOptions, 'select'> = {},
): UseSuspense<unknown> {
  const { where, maxStaleness } = options
  const query: Query<string, unknown> = typeof given === 'string' ? { className: given, where, maxStaleness } : given
  return useSuspenseReading(countReading(useClient(), query), options as SuspenseOptions<number, unknown>)
}

/**
 * As `useSuspenseDocuments`, for several queries at once: all are read side by side, and the component waits for the
 * last of them. The number of queries stays the same.
 *
 * @example
 * const [best, newest] = useSuspenseAll([defineQuery('Game', { order: ['-score'] }), defineQuery('Game', { order: ['-createdAt'] })])
 */
export function useSuspenseAll<const Queries extends readonly Query<ClassName, unknown>[]>(
  queries: Queries,
): { readonly [Index in keyof Queries]: UseSuspense<readonly NonNullable<Queries[Index]['~item']>[]> } {
  const client = useClient()
  const readings = queries.map((query) => documentsReading(client, query as Query<string, unknown>))
  // biome-ignore lint/correctness/useHookAtTopLevel: the number of queries stays the same
  const shown = readings.map((reading) => useReading(reading, {}))
  const missing = readings.filter((_, index) => shown[index]?.data === undefined)
  for (const reading of missing) {
    const entry = client.internal.readings.get(reading.question?.key ?? '')
    if (entry && typeof window !== 'undefined' && reading.peek.get().status === 'pending')
      void waitFor(entry, reading, false)
  }
  if (missing[0]) suspend(client, missing[0])
  return shown as never
}

function useSuspenseReading<Data, Selected>(
  reading: Reading<Data>,
  options: SuspenseOptions<Data, Selected>,
): UseSuspense<Selected> {
  const client = useClient()
  const shown = useReading(reading, options)
  if (shown.data === undefined) suspend(client, reading)
  return shown as UseSuspense<Selected>
}

/** Throws the promise that React waits for, or the error of a failed first reading. React 18 has no `use` for it. */
function suspend<Data>(client: Client, reading: Reading<Data>): never {
  if (typeof window === 'undefined') {
    // Nothing is read while a page is rendered on the server: React sends the fallback, and the page reads.
    throw new Error('Countersign reads documents in the browser; on the server, <Suspense> shows its fallback.')
  }
  const entry = client.internal.readings.get(reading.question?.key ?? '')
  const { status, error } = reading.peek.get()
  if (status === 'error' && entry?.thrown !== error) {
    // Later, because React renders once more at once before it gives up.
    setTimeout(() => {
      if (entry) entry.thrown = error
    })
    throw error
  }
  throw entry ? waitFor(entry, reading, status === 'error') : new Promise((resolve) => setTimeout(resolve))
}

/** Milliseconds for which the reading is kept for the component that waited for it. */
const grace = 5_000

/** Reads, and is settled when there is data or an error. All components that wait for a reading share one promise. */
function waitFor<Data>(entry: SharedReading, reading: Reading<Data>, isAgain: boolean): Promise<void> {
  entry.waiting ??= new Promise<void>((resolve) => {
    // Later, because other components must not be notified while this one renders.
    queueMicrotask(() => {
      let isDone = false
      const look = () => {
        if (isDone || reading.peek.get().status === 'pending') return
        isDone = true
        entry.waiting = undefined
        // The component subscribes once it is shown, and finds the data without another request.
        setTimeout(() => stop(), grace)
        resolve()
      }
      const stop = reading.subscribe(look)
      if (isAgain) void reading.refetch()
      look()
    })
  })
  return entry.waiting
}
