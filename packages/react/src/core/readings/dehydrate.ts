import type { Client } from '../client/Client.ts'
import { encodeDates } from '../values/encodeDates.ts'
import { readerOf } from './readerOf.ts'

/** Data read by a client, as plain JSON; see `dehydrate`. */
export type DehydratedState = {
  readonly reader: string
  readonly data: readonly (readonly [question: string, data: unknown])[]
}

const kinds = ['find', 'get', 'count', 'function']

/**
 * Data that a client read by `prefetchDocuments`, as plain JSON for the rendered page: the page shows it immediately
 * and does not read it again. It is valid only for the user who read it.
 *
 * @example
 * await prefetchDocuments(client, 'Game', { order: ['-score'] })
 * return <Page readings={dehydrate(client)} />
 */
export function dehydrate(client: Client): DehydratedState {
  const data = [...client.internal.readings].flatMap(([key, { asked, base }]) => {
    const read = kinds.some((kind) => kind in asked) ? base() : undefined
    return read === undefined ? [] : [[key, encodeDates(read)] as const]
  })
  return { reader: readerOf(client) ?? '', data }
}

/**
 * Gives a client the data of another; call it before the first rendering. With `<CountersignProvider>` the property
 * `initialReadings` does it.
 *
 * @example
 * hydrate(client, readings)
 */
export function hydrate({ internal }: Client, { reader, data }: DehydratedState): void {
  internal.hydrated = { reader, data: new Map(data) }
}
