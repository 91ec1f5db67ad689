import type { Client } from '../client/Client.ts'
import type { Query, QueryOptions } from '../documents/Query.ts'
import { loadOnce } from '../platform/loadOnce.ts'
import { whenReady } from '../readings/whenReady.ts'
import type { ClassName } from '../values/Register.ts'

const loadReadings = /*#__PURE__*/ loadOnce(() => import('./documentReadings.ts'))

/**
 * Reads a query before a component needs it, such as while the pointer is over a link; `useDocuments` then shows it
 * immediately. On a server, `dehydrate` passes it to the page. A failure is left to the component.
 *
 * @example
 * <a onPointerEnter={() => prefetchDocuments(client, 'Game', { order: ['-score'] })} href="/games">Games</a>
 */
export async function prefetchDocuments<Name extends ClassName>(
  client: Client,
  given: Name | Query<Name, unknown>,
  options: QueryOptions<Name> = {},
): Promise<void> {
  await whenReady(client)
  const { documentsReading } = await loadReadings()
  const query = typeof given === 'string' ? { ...options, className: given } : given
  await documentsReading(client, query as Query<string, unknown>).refetch()
}
