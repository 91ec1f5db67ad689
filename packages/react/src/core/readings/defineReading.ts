import type { CountersignError } from '@countersign/protocol'
import type { Client, ClientInternal, SharedReading } from '../client/Client.ts'
import { hasEvents } from '../platform/platform.ts'
import type { AsyncState } from '../state/AsyncState.ts'
import { decode } from '../values/decode.ts'
import { createReading, type Reading, type ReadingParts } from './createReading.ts'
import { readerOf } from './readerOf.ts'
import { shareStructure } from './shareStructure.ts'

/** Maximum of unused readings that are cached for later components. */
const limit = 200

/** Milliseconds that a rendered component has at least until it subscribes. */
const grace = 10_000

/**
 * Defines a reading: components of a client with the same input share one. `ask` returns its key, `parts` its reader.
 */
export function defineReading<Input, Data, Made extends Reading<Data> = Reading<Data>>(
  ask: (input: Input) => object,
  parts: (input: Input, client: Client) => ReadingParts<Data> | Made,
): (client: Client, input: Input) => Made {
  return (client, input) =>
    shareReading<Data>(
      client,
      () => ask(input),
      () => {
        const given = parts(input, client)
        return 'peek' in given ? given : createReading(client, given)
      },
    ) as Made
}

/** Defines a reading of the user: read again when another one signs in. `name` is its name in `invalidateReadings`. */
export function defineAccountReading<Data, Input = undefined>(
  name: string,
  read: (client: Client, input: Input, options: { readonly signal?: AbortSignal | undefined }) => Promise<Data>,
): (client: Client, input: Input) => Reading<Data> {
  return defineReading(
    (input) => ({ [name]: input ?? {} }),
    (input) => ({
      read: (client, options) => read(client, input, options),
      owner: ({ internal }) => internal.current?.record.objectId,
    }),
  )
}

/** Defines a reading that anyone may use with their own rights: read again when the user changes. */
export function defineSharedReading<Input, Data>(
  ask: (input: Input) => object,
  read: (client: Client, input: Input, options: { readonly signal?: AbortSignal | undefined }) => Promise<Data>,
): (client: Client, input: Input) => Reading<Data> {
  return defineReading(ask, (input) => ({
    read: (client, options) => read(client, input, options),
    owner: readerOf,
    whyNot: initializationError,
  }))
}

/** Why nothing can be read before anybody is known to read. */
export function initializationError(client: Client): CountersignError | undefined {
  return client.initialization.get().error
}

/** The one reading of a client for a question. */
function shareReading<Data>(client: Client, ask: () => object, create: () => Reading<Data>): Reading<Data> {
  const { readings } = client.internal
  const asked = describe(ask)
  const key = JSON.stringify(asked, sortKeys)
  const known = readings.get(key)
  if (known) {
    known.isOld = false
    readings.delete(key)
    readings.set(key, known)
    return known.reading as Reading<Data>
  }
  watchReader(client)
  const made = (client.internal.offline?.createReading(asked, key, create) as Reading<Data> | undefined) ?? create()
  takeHydrated(client, key, made)
  const watch =
    <Rest extends readonly unknown[]>(subscribe: (listener: () => void, ...rest: Rest) => () => void) =>
    (listener: () => void, ...rest: Rest) => {
      // A component may be shown long after it was rendered, when its reading was removed already.
      if (!readings.has(key)) readings.set(key, entry)
      entry.isSeen = true
      entry.watchers++
      const stops = [subscribe(listener, ...rest), client.internal.edits.subscribe(listener)]
      return () => {
        for (const stop of stops) stop()
        entry.watchers--
        sweepSoon(client)
      }
    }
  const reading = {
    ...made,
    subscribe: watch(made.subscribe),
    peek: { get: withEdits(client, asked, made.peek.get), subscribe: watch(made.peek.subscribe) },
    question: { key, client },
  }
  const entry: SharedReading = { asked, reading, base: () => made.peek.get().data, watchers: 0 }
  readings.set(key, entry)
  sweepSoon(client)
  return reading
}

/** Starts with the rendering server's data, once. */
function takeHydrated<Data>({ internal }: Client, key: string, { hydrate }: Reading<Data>): void {
  const { initialReadings } = internal.options
  if (initialReadings) internal.hydrated ??= { ...initialReadings, data: new Map(initialReadings.data) }
  const { reader, data } = internal.hydrated ?? {}
  if (!reader || !data?.has(key)) return
  hydrate(decode(data.get(key) as never), reader)
  data.delete(key)
}

/** The state with the edits that wait for the server; the same object for as long as neither changes. */
function withEdits<Data>({ internal }: Client, asked: object, get: () => AsyncState<Data>): () => AsyncState<Data> {
  let state: AsyncState<Data> | undefined
  let overlay: ClientInternal['overlay']
  let shown: AsyncState<Data> | undefined
  return () => {
    const read = get()
    if (state === read && overlay === internal.overlay && shown) return shown
    const data = internal.overlay && read.data !== undefined ? internal.overlay(read.data, asked) : read.data
    // The shown object stays the same if a response only confirms it.
    const next = data === read.data ? read : ({ ...read, data: shareStructure(shown?.data, data) } as typeof read)
    state = read
    overlay = internal.overlay
    if (!shown || !isShown(shown, next)) shown = next
    return shown
  }
}

type Shown = Partial<Record<'data' | 'error' | 'isFetching' | 'isStale' | 'isPartial' | 'readAt', unknown>>

/** Data and error decide the status. */
function isShown(one: Shown, other: Shown): boolean {
  return (
    one.data !== undefined &&
    one.data === other.data &&
    one.error === other.error &&
    one.isFetching === other.isFetching &&
    one.isStale === other.isStale &&
    one.isPartial === other.isPartial &&
    one.readAt === other.readAt
  )
}

/** Discards unused readings when the user changes. */
function watchReader(client: Client): void {
  const { internal } = client
  if (internal.isReaderWatched) return
  internal.isReaderWatched = true
  // A page that comes back from the back-forward cache shows data from before it was left.
  if (hasEvents()) {
    window.addEventListener('pageshow', ({ persisted }) => {
      if (persisted) for (const { reading } of [...internal.readings.values()]) reading.invalidate()
    })
  }
  let reader = readerOf(client)
  client.session.subscribe(() => {
    const present = readerOf(client)
    if (present === reader) return
    reader = present
    for (const [key, { watchers }] of internal.readings) if (watchers === 0) internal.readings.delete(key)
  })
}

/**
 * Later removes readings that no component subscribed to (a render may be discarded), and the oldest unused ones. Never
 * during a render: its readings must exist when it subscribes.
 */
function sweepSoon({ internal }: Client): void {
  if (internal.isSweeping) return
  internal.isSweeping = true
  const timer: unknown = setTimeout(() => {
    internal.isSweeping = false
    const idle = [...internal.readings].filter(([, { watchers }]) => watchers === 0)
    let surplus = idle.filter(([, { isSeen }]) => isSeen).length - limit
    let isLeft = false
    for (const [key, entry] of idle) {
      if (entry.isSeen ? surplus-- > 0 : entry.isOld) internal.readings.delete(key)
      else if (!entry.isSeen) entry.isOld = isLeft = true
    }
    if (isLeft) sweepSoon({ internal } as Client)
  }, grace)
  // In Node, where pages are rendered, nothing waits for it.
  ;(timer as { unref?: () => void }).unref?.()
}

/** An invalid query has a reading as well, which fails for that reason. */
function describe(ask: () => object): object {
  try {
    return ask()
  } catch (error) {
    return { refused: String(error) }
  }
}

function sortKeys(_: string, value: unknown): unknown {
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}
