import type { Client } from '../client/Client.ts'
import type { Query, QueryOptions } from '../documents/Query.ts'
import { loadOnce } from '../platform/loadOnce.ts'
import { whenReady } from '../readings/whenReady.ts'
import type { ClassName } from '../values/Register.ts'

const loadReadings = /*#__PURE__*/ loadOnce(() => import('./documentReadings.ts'))

/**
 * Reads what a query finds before a component asks for it, such as while the pointer is over a link; `useDocuments`
 * then shows it at once. On a server, `dehydrate` hands it to the page. A failure is left to the component.
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
